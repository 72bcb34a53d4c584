import Testing

@testable import Domain
@testable import Platform

@Suite("Headers of gzip members")
struct GzipHeaderTests {
  private static let headers = [
    Gzip.Header(), Gzip.Header(name: "purchases.jsonl"), Gzip.Header(extra: Array(repeating: 7, count: 300)),
    Gzip.Header(extra: [1, 2, 3], name: "a", comment: "what was bought"), Gzip.Header(comment: "x", checksum: true),
    Gzip.Header(extra: [9], name: "long name", comment: "c", checksum: true),
  ]
  private static let text = Array("weekly_799,7.99,USD\n".utf8)

  @Test("A header's length is known once all of it is there", arguments: headers)
  func length(header: Gzip.Header) {
    let member = Gzip.member(Self.text, header: header)
    let end = member.count - (Gzip.member(Self.text).count - 10)
    for count in 0...member.count {
      let found = Array(member.prefix(count)).withUnsafeBytes { GzipHeader.length(of: $0) }
      #expect(found == (count < end ? nil : end), "\(count)")
    }
  }

  @Test("A later member's header may lie across the place up to which the file is in memory", arguments: headers)
  func straddling(header: Gzip.Header) throws {
    let folder = try TemporaryFolder()
    let member = Gzip.member(Self.text, header: header)
    let length = member.count - Gzip.member(Self.text).count + 10
    // As much is read at once.
    let position = 1 << 18
    for before in Set([1, 2, 3, 4, 5, 9, 10, 11, 12, length - 2, length - 1, length, length + 1]) {
      let first = Gzip.member(Self.text, header: Gzip.Header(comment: String(repeating: "x", count: 100)))
      let filling = position - before - first.count
      // Zeros between members are padding.
      let file = try folder.write("\(before).gz", first + Array(repeating: 0, count: filling) + member)
      let source = try ByteSource(path: file.path, displayName: "packed")
      #expect(try source.read(upTo: 1 << 12) + source.read(upTo: 1 << 12) == Self.text + Self.text, "\(before)")
    }
  }

  @Test("So it may where the members stand one behind another")
  func withoutPadding() throws {
    let folder = try TemporaryFolder()
    var random = Dice(seed: 35)
    let noise = random.bytes((1 << 18) + 100)
    for count in stride(from: (1 << 18) - 120, through: (1 << 18) - 20, by: 7) {
      let first = Gzip.member(noise.prefix(count))
      let packed =
        first + Gzip.member(Self.text, header: Gzip.Header(name: "purchases-2026-03-05.jsonl", checksum: true))
      let file = try folder.write("\(count).gz", packed)
      let source = try ByteSource(path: file.path, displayName: "packed")
      var all: [UInt8] = []
      while case let piece = try source.read(upTo: 1 << 20), !piece.isEmpty { all += piece }
      #expect(all == Array(noise.prefix(count)) + Self.text, "\(count)")
    }
  }
}
