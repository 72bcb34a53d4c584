import Foundation
import Testing

@testable import Recognition

@Suite("Where a sample's file lies")
struct FileSamplePositionTests {
  @Test("Is the same by every way that leads there")
  func ways() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.jsonl", "{}")
    let inner = folder.path("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: inner)
    let position = FileSample.position(of: folder.path("log.jsonl"))
    #expect(FileSample.position(of: "\(inner)/../log.jsonl") == position)
    #expect(FileSample.position(of: "\(inner)/./../inner/../log.jsonl") == position)
    #expect(FileSample.position(of: folder.path("link")) == FileSample.position(of: inner))
    #expect(FileSample.position(of: folder.path("other.jsonl")) != position)
  }
}
