import Domain
import Foundation
import Testing

@testable import Engine
@testable import Statistics

@Suite("Values as bytes of this program's own")
struct PackedCodingTests {
  private enum Kind: String, Codable, CaseIterable { case plain, rich }

  private struct Part: Codable, Equatable {
    var name: String
    var kind: Kind
    var share: Double?
    var digest: Data
  }

  private struct Everything: Codable, Equatable {
    var flag = true
    var count = -3
    var small: UInt8 = 250
    var users: Int32 = -7
    var hash = UInt64.max
    var time: Int64? = .min
    var sum = Int128(1) << 117
    var fraction = -0.1
    var text = "ü\n"
    var missing: String?
    var lists: [[Int]] = [[], [1, 2], [-1]]
    var maybe: [Int?] = [1, nil, 3]
    var parts: [Part] = [
      Part(name: "a", kind: .rich, share: nil, digest: Data()),
      Part(name: "", kind: .plain, share: 0.5, digest: Data([0, 255])),
    ]
    var byText = ["x": 1, "": 2]
    var byKind: [Kind: [Int64: Bool]] = [.plain: [5: true], .rich: [:]]
    var names: Set<String> = ["b", "c"]
  }

  @Test("Whatever a value holds comes back")
  func back() throws {
    let bytes = try PackedCoding.encode(Everything())
    #expect(try PackedCoding.decode(Everything.self, from: bytes) == Everything())
    #expect(bytes.count < 300)
  }

  @Test("Bytes that end early, or go on, are no value")
  func truncated() throws {
    let bytes = try PackedCoding.encode(Everything())
    for count in bytes.indices {
      #expect(throws: (any Error).self, "\(count)") {
        try PackedCoding.decode(Everything.self, from: Array(bytes[..<count]))
      }
    }
    #expect(throws: BlockFault.self) { try PackedCoding.decode(Everything.self, from: bytes + [0]) }
  }

  @Test("A changed byte is another value or refused")
  func changed() throws {
    let bytes = try PackedCoding.encode(Everything())
    var refused = 0
    for position in bytes.indices {
      for flip in [UInt8(1), 0x80, 0xFF] {
        var spoilt = bytes
        spoilt[position] ^= flip
        do { _ = try PackedCoding.decode(Everything.self, from: spoilt) } catch { refused += 1 }
      }
    }
    #expect(refused > bytes.count)
  }

  private struct One<Value: Codable>: Codable { var value: Value }

  private func isRefused<Value: Codable>(_ value: Value) throws -> Bool {
    let bytes = try PackedCoding.encode(One(value: value))
    return (try? PackedCoding.decode(One<Value>.self, from: bytes)) == nil
  }

  @Test("A number that counting does not come to is refused, wherever it stands")
  func impossible() throws {
    #expect(try isRefused(1 << 47))
    #expect(try !isRefused(1 << 46))
    #expect(try isRefused(-(1 << 47)))
    #expect(try isRefused([0, 1 << 50]))
    #expect(try isRefused(["a": Int64(1) << 48]))
    #expect(try !isRefused(Int64.max))
    #expect(try isRefused(Int128(1) << 118))
    #expect(try !isRefused(-(Int128(1) << 117)))
    #expect(try !isRefused(SufficientStatistics(n: 3, sumY: .max, sumYY: .min)))
    #expect(try isRefused(SufficientStatistics(n: 1 << 47)))
  }

  @Test("A member of another name is none of the value's")
  func otherNames() throws {
    struct Other: Codable { var other = 1 }
    let bytes = try PackedCoding.encode(Other())
    #expect(throws: BlockFault.self) { try PackedCoding.decode(One<Int>.self, from: bytes) }
  }
}
