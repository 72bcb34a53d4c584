import Foundation
import Testing

@testable import Platform

@Suite("Packed bytes")
struct DeflaterTests {
  /// A text, and bytes by chance, of that length.
  private func inputs(length: Int) -> [[UInt8]] {
    var dice = SystemRandomNumberGenerator()
    let text = Array("<c r=\"A1\"><v>7.99</v></c>".utf8)
    return [
      (0..<length).map { text[$0 % text.count] }, (0..<length).map { _ in UInt8.random(in: 0...255, using: &dice) },
    ]
  }

  /// Around those of the buffers, and of what is packed by itself.
  private static let lengths = [0, 1, 3, 4, 15, 16, 17, 18, 300, 1 << 16, 1 << 16 + 1, 3_000_000]

  @Test("A gzip member unpacks to what went in, and is the same each time", arguments: lengths)
  func gzip(length: Int) throws {
    for bytes in inputs(length: length) { try checkMember(bytes) }
  }

  private func checkMember(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let packed = Deflater.gzipMember(bytes)
    #expect(packed == Deflater.gzipMember(bytes))
    let file = try folder.write("a.gz", packed)
    let source = try ByteSource(path: file.path, displayName: "a.gz")
    #expect(try all(of: source) == bytes, "\(bytes.count) bytes")
  }

  /// ISA-L took a hash of the stream's address: of three in 8,192 addresses other bytes came out.
  @Test("The same bytes come out wherever in memory they are packed")
  func addresses() {
    let texts = ["<?xml v", "job,as_", "{\"user", "a\n0123"].map(Self.text)
    let packed = texts.map(Deflater.gzipMember)
    var spacers: [UnsafeMutableRawPointer] = []
    defer { spacers.forEach { $0.deallocate() } }
    for number in 0..<20_000 {
      // The next packer lies elsewhere: no free piece is as large as it is.
      spacers.append(.allocate(byteCount: 1 << 16, alignment: 16))
      guard Deflater.gzipMember(texts[number % texts.count]) == packed[number % texts.count] else {
        Issue.record("packed otherwise at address \(number)")
        return
      }
    }
  }

  /// A text whose first, second and third four bytes come once more each, between bytes that match nothing.
  private static func text(beginning head: String) -> [UInt8] {
    let head = Array(head.utf8)
    var state: UInt32 = 7
    func filler() -> [UInt8] {
      (0..<150).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return 128 + UInt8(state >> 25)
      }
    }
    return head + (0..<3).flatMap { filler() + head[$0..<$0 + 4] } + filler() + filler()
  }

  @Test("A member of a zip archive unpacks to what went in, however it was cut", arguments: lengths)
  func zip(length: Int) throws {
    for bytes in inputs(length: length) { try checkArchive(bytes) }
  }

  private func checkArchive(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.zip")
    let writer = try ZipWriter(creating: path)
    try writer.add("whole") { try $0(bytes) }
    try writer.add("pieces") { write in
      for start in stride(from: 0, to: bytes.count, by: 40_000) {
        try write(Array(bytes[start..<min(start + 40_000, bytes.count)]))
        try write([])
      }
    }
    try writer.finish()
    for name in ["whole", "pieces"] {
      let source = try ByteSource(path: "\(path)/\(name)", displayName: name)
      #expect(try all(of: source) == bytes, "\(bytes.count) bytes, \(name)")
    }
  }

  private func all(of source: ByteSource) throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let piece = try source.read(upTo: 1 << 16)
      if piece.isEmpty { return all }
      all += piece
    }
  }
}
