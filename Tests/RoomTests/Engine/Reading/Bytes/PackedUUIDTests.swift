import Testing

@testable import Engine

@Suite("UUIDs as their bytes")
struct PackedUUIDTests {
  private static let uuid = "6b3ddd0b-4715-ae2d-f0a6-0956f4f372b4"

  private func written(_ id: String) -> String? {
    let arena = TextArena()
    defer { withExtendedLifetime(arena) {} }
    return Array(id.utf8).withText { PackedUUID($0) }.map { String(decoding: arena.write($0), as: UTF8.self) }
  }

  @Test("A UUID comes out as it went in")
  func roundTrip() {
    for id in [Self.uuid, Self.uuid.uppercased(), "00000000-1111-2222-3333-999999999999"] { #expect(written(id) == id) }
  }

  @Test("Its bytes stand in order")
  func bytes() {
    let bytes = Array(Self.uuid.utf8).withText { PackedUUID($0)?.bytes }
    #expect(bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == Self.uuid.filter { $0 != "-" })
  }

  @Test("Whatever byte of it is another, it is no UUID, or another one")
  func others() {
    let id = Array(Self.uuid.utf8)
    let arena = TextArena()
    defer { withExtendedLifetime(arena) {} }
    for position in id.indices {
      for byte in UInt8.min ... .max {
        var other = id
        other[position] = byte
        if let uuid = other.withText({ PackedUUID($0) }) {
          #expect(Array(arena.write(uuid)) == other, "\(byte) at \(position)")
        }
      }
    }
    for id in ["", "6b3ddd0b", Self.uuid + "0", Self.uuid.replacing("-", with: "_"), "A" + Self.uuid.dropFirst()] {
      #expect(written(id) == nil, "\(id)")
    }
  }
}
