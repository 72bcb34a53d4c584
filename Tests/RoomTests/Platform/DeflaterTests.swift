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

  /// Around those of the buffers.
  private static let lengths = [0, 1, 1 << 16, 1 << 16 + 1, 3_000_000]

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
