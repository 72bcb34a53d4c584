import Foundation
import Testing

@testable import Recognition

@Suite("Where a sample's file lies")
struct FileSamplePlaceTests {
  @Test("Is the same by every way that leads there")
  func ways() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.jsonl", "{}")
    let inner = folder.path("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: inner)
    let place = FileSample.place(of: folder.path("log.jsonl"))
    #expect(FileSample.place(of: "\(inner)/../log.jsonl") == place)
    #expect(FileSample.place(of: "\(inner)/./../inner/../log.jsonl") == place)
    #expect(FileSample.place(of: folder.path("link")) == FileSample.place(of: inner))
    #expect(FileSample.place(of: folder.path("other.jsonl")) != place)
  }
}
