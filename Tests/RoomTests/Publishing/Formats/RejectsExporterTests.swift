import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("rejects.csv.gz")
struct RejectsExporterTests {
  private func packed(_ night: NightResult, withExcerpts: Bool = true, threads: Int) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let file = try FileWriter(creating: folder.path("rejects.csv.gz"))
    try RejectsExporter.write(night, withExcerpts: withExcerpts, to: file, threads: threads)
    try file.finish()
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("rejects.csv.gz"))))
  }

  /// What any program makes of the file.
  private func text(_ packed: [UInt8]) throws -> String {
    let folder = try ScratchFolder()
    try Data(packed).write(to: URL(fileURLWithPath: folder.path("packed.gz")))
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", folder.path("packed.gz")]
    process.standardOutput = pipe
    try process.run()
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test("It packs the row's beginning so that a terminal can show it")
  func row() throws {
    let text = try text(packed(PublishedNight.night(), threads: 2))
    #expect(
      text == """
        file,line,byte_offset,reason,detail,excerpt
        data/purchases.jsonl.gz,7,612,malformed,no JSON object,'=cmd\\u{1b}[0m é\\n\\xff

        """)
  }

  @Test("Without excerpts the column stays, and nothing is in it")
  func withoutExcerpts() throws {
    var night = try PublishedNight.night()
    var rejects = RejectedRows()
    for (line, excerpt) in ["{\"userId\":\"u1,\"", "u1", ""].enumerated() {
      rejects.append(
        Reject(
          account: 0, line: line + 1, byteOffset: 9, reason: .badPrice, detail: "price \"12,x\" is none",
          excerpt: Array(excerpt.utf8)))
    }
    night.rejects = rejects
    let rows = (1...3).map { "data/purchases.jsonl.gz,\($0),9,bad_price,\"price \"\"12,x\"\" is none\",\n" }
    #expect(
      try text(packed(night, withExcerpts: false, threads: 1))
        == "file,line,byte_offset,reason,detail,excerpt\n" + rows.joined())
  }

  @Test("Without rejects there is a header, and each file's name is guarded and quoted")
  func names() throws {
    var night = try PublishedNight.night()
    night.accounts[0].file = "=a,b.csv"
    #expect(try text(packed(night, threads: 1)).contains("\n\"'=a,b.csv\",7,612,"))
    night.rejects = RejectedRows()
    #expect(try text(packed(night, threads: 1)) == "file,line,byte_offset,reason,detail,excerpt\n")
  }

  @Test("Many rejects are members of a megabyte, the same whatever the threads, and one text")
  func members() throws {
    var night = try PublishedNight.night()
    var rejects = RejectedRows()
    var lines = "file,line,byte_offset,reason,detail,excerpt\n"
    for line in 1...20_000 {
      let excerpt = String(repeating: "\(line) ", count: 25)
      rejects.append(
        Reject(
          account: 0, line: line, byteOffset: Int64(line * 300), reason: .badTime, detail: "no time",
          excerpt: Array(excerpt.utf8)))
      lines += "data/purchases.jsonl.gz,\(line),\(line * 300),bad_time,no time,\(excerpt)\n"
    }
    night.rejects = rejects
    let alone = try packed(night, threads: 1)
    #expect(try text(alone) == lines)
    #expect(try packed(night, threads: 2) == alone)
    #expect(try packed(night, threads: 5) == alone)
    let begins = alone.indices.dropLast(3).filter { Array(alone[$0..<$0 + 4]) == [0x1f, 0x8b, 8, 0] }
    #expect(begins.count == lines.utf8.count >> 20 + 1)
  }
}
