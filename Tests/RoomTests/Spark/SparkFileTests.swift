import Foundation
import Testing

@testable import Domain
@testable import Jobs
@testable import Spark

/// Files as Spark hands them on: cut at separators, the last one gone, a byte order mark taken away.
@Suite("Files from Spark's rows")
struct SparkFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The rows of a file, as Spark makes them.
  private func rows(
    _ bytes: [UInt8], separator: String = "\n", address: String = "file:/a", size: Int? = nil, length: Int? = nil
  ) -> String {
    var rest = bytes[...]
    if rest.starts(with: SparkFile.mark) { rest = rest.dropFirst(3) }
    var pieces: [ArraySlice<UInt8>] = []
    while let end = rest.firstRange(of: Array(separator.utf8)) {
      pieces.append(rest[..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    if !rest.isEmpty { pieces.append(rest) }
    return pieces.map { piece in
      let cells = [
        "0", address, "\(size ?? bytes.count)", "0", "\(length ?? bytes.count)",
        Data(separator.utf8).base64EncodedString(), Data(piece).base64EncodedString(), ".",
      ]
      return cells.joined(separator: "\t") + "\n"
    }.joined()
  }

  private func files(_ rows: String) throws -> [(address: String, bytes: [UInt8])] {
    try folder.write("rows", rows)
    let reader = LineReader(try #require(FileHandle(forReadingAtPath: folder.path("rows"))))
    let rows = try FileRows(reader)
    var files: [(String, [UInt8])] = []
    while let file = try rows.nextFile() {
      var bytes: [UInt8] = []
      while let piece = try file.next() { bytes += piece }
      files.append((file.address, (file.hasMark ? SparkFile.mark : []) + bytes))
    }
    return files
  }

  @Test(
    "Every file is put together again to the byte",
    arguments: [
      "a", "a\n", "\n", "\n\n", "a\n\nb", "a\r\nb\n", "{}\n{}\n", "{\n{", "a\n{", "\u{feff}a", "\u{feff}a\n",
      "\u{feff}a\n{b\n{", "x\n\n{\n{y\n",
    ], ["\n", "\n{"])
  func whole(text: String, separator: String) throws {
    let bytes = Array(text.utf8)
    #expect(try files(rows(bytes, separator: separator)).map(\.bytes) == [bytes])
  }

  @Test("Several files of a task are kept apart")
  func several() throws {
    let rows = rows(Array("a\nb".utf8), address: "file:/a") + rows(Array("c\n".utf8), address: "file:/b")
    let files = try files(rows)
    #expect(files.map(\.address) == ["file:/a", "file:/b"])
    #expect(files.map(\.bytes) == [Array("a\nb".utf8), Array("c\n".utf8)])
  }

  @Test("A file that Spark has cut, unpacked, or lost a part of is refused")
  func refused() throws {
    let bytes = Array("a\nb\nc".utf8)
    for rows in [
      rows(bytes, length: 3), rows(bytes, size: 12, length: 12), rows(bytes, size: 3, length: 3), "no row\n",
    ] {
      #expect(throws: OfferliftError.self) { try files(rows) }
    }
    let packed: [UInt8] = [0x1f, 0x8b, 8, 0]
    #expect(throws: OfferliftError.self) { try files(rows(packed, size: 7, length: 7)) }
  }

  @Test("A file is called what its job calls it, however Spark writes its address")
  func names() {
    var manifest = SparkManifest.sample
    manifest.inputs = [
      SparkManifest.Input(
        path: "file:/srv/jobs/../logs/*",
        files: [PlannedFile(onDisk: "/srv/jobs/../logs/a b%.gz", name: "../logs/a b%.gz", size: 9)]),
      SparkManifest.Input(path: "s3a://bucket/*"),
    ]
    let names = FileNames(manifest)
    #expect(names.name(ofFileAt: "file:/srv/logs/a%20b%25.gz", input: 0) == "../logs/a b%.gz")
    #expect(names.name(ofFileAt: "file:///srv/logs/a%20b%25.gz", input: 0) == "../logs/a b%.gz")
    #expect(names.name(ofFileAt: "s3a://bucket/x%20y.gz", input: 1) == "s3a://bucket/x y.gz")
  }
}
