import Domain
import Testing

@testable import Platform

@Suite("The file writer")
struct FileWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func unpacked(_ path: String) throws -> [UInt8] {
    let source = try ByteSource(path: path, displayName: path)
    var bytes: [UInt8] = []
    while case let piece = try source.read(upTo: 1000), !piece.isEmpty { bytes += piece }
    return bytes
  }

  @Test("What is written stands in the file, plain or packed, in one member or several", arguments: [false, true])
  func contents(isPacked: Bool) throws {
    var dice = Dice(seed: 77)
    let pieces = (0..<20).map { _ in dice.bytes(dice.below(30_000)) }
    let path = folder.path("file")
    let file = try FileWriter(creating: path, isPacked: isPacked)
    for (number, piece) in pieces.enumerated() {
      try file.write(piece)
      if number % 5 == 4 { try file.endMember() }
    }
    try file.finish()
    #expect(try unpacked(path) == pieces.flatMap(\.self))
    #expect(try ByteSource(path: path, displayName: path).packing == (isPacked ? .gzip : nil))
  }

  @Test("A packed file without a byte is one empty member")
  func empty() throws {
    try FileWriter(replacing: folder.path("file"), isPacked: true).finish()
    var bytes: [UInt8] = []
    try StoredFile.read(folder.path("file")) { bytes += $0 }
    #expect(bytes == GzipWriter.pack([]))
  }

  @Test("A new file is never one that is there; one that can be made again takes its place")
  func existing() throws {
    let path = folder.path("file")
    try FileWriter.write("old, and longer".utf8, to: path)
    let error = #expect(throws: OfferliftError.self) { try FileWriter.write("new".utf8, to: path) }
    #expect(error?.exit == .cannotCreateOutput)
    try FileWriter.write("new".utf8, replacing: path)
    #expect(try unpacked(path) == Array("new".utf8))
  }
}
