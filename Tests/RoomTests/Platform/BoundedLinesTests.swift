import Foundation
import Testing

@testable import Platform

@Suite("Lines of a pipe, none of them too long")
struct BoundedLinesTests {
  private static func lines(_ text: String, most: Int = 10) throws -> [BoundedLines.Line] {
    let folder = try TemporaryFolder()
    try folder.write("lines", text)
    let handle = try FileHandle(forReadingFrom: folder.url.appending(path: "lines"))
    var lines = BoundedLines(descriptor: handle.fileDescriptor, most: most)
    var found: [BoundedLines.Line] = []
    while let line = try lines.line() { found.append(line) }
    try handle.close()
    return found
  }

  private static func bytes(_ texts: String...) -> [BoundedLines.Line] { texts.map { .bytes(Array($0.utf8)) } }

  @Test("A last line without an end is one, and empty lines are lines")
  func ends() throws {
    #expect(try Self.lines("") == [])
    #expect(try Self.lines("a\n\nb") == Self.bytes("a", "", "b"))
    #expect(try Self.lines("a\n") == Self.bytes("a"))
    #expect(try Self.lines("0123456789\n") == Self.bytes("0123456789"))
  }

  @Test("A line that is too long is skipped, and the next one is whole", arguments: [11, 70_000, 3_000_000])
  func long(length: Int) throws {
    let long = String(repeating: "x", count: length)
    #expect(try Self.lines("a\n\(long)\nb\n") == Self.bytes("a") + [.tooLong] + Self.bytes("b"))
    #expect(try Self.lines(long) == [.tooLong])
    #expect(try Self.lines("\(long)\n\(long)\nc") == [.tooLong, .tooLong] + Self.bytes("c"))
  }
}
