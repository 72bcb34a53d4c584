import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Files of an input")
struct InputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ path: String, isOptional: Bool = false) throws -> [String] {
    var input = TableInput(name: "log", path: path, line: 9)
    input.isOptional = isOptional
    return try input.files(relativeTo: folder.url.appendingPathComponent("jobs/job.yml")).map(\.displayName)
  }

  @Test("A glob's files come in the order of their paths' bytes, folders left out")
  func order() throws {
    for name in ["b.csv", "a.csv", "Z.csv", "é.csv", "a-10.csv", "a-9.csv", "other.txt"] {
      try folder.write("data/\(name)", "")
    }
    try folder.write("data/folder.csv/inner", "")
    try folder.write("jobs/job.yml", "")
    let names = ["Z", "a-10", "a-9", "a", "b", "é"].map { "../data/\($0).csv" }
    #expect(try files("../data/*.csv") == names)
    #expect(try files("../data/a-?.csv") == ["../data/a-9.csv"])
    #expect(try files("../data/[ab].csv") == ["../data/a.csv", "../data/b.csv"])
  }

  @Test("A name with a glob's characters is found as it stands")
  func literal() throws {
    try folder.write("jobs/a[1]*.csv", "")
    try folder.write("jobs/a1x.csv", "")
    #expect(try files("a[1]*.csv") == ["a[1]*.csv"])
  }

  @Test("A path that is absolute is called by its whole name")
  func absolute() throws {
    try folder.write("data/a.csv", "")
    #expect(try files(folder.path("data/a.csv")) == [folder.path("data/a.csv")])
  }

  @Test("A glob that matches nothing is a missing input with its line, unless it is optional")
  func nothing() throws {
    try folder.write("jobs/job.yml", "")
    let error = #expect(throws: OfferliftError.self) { try files("none-*.csv") }
    #expect(error?.exit == .inputMissing)
    #expect(error?.message.hasPrefix("job.yml, line 9: log names \"none-*.csv\"") == true)
    #expect(try files("none-*.csv", isOptional: true).isEmpty)
    #expect(try files("none.csv", isOptional: true).isEmpty)
  }
}

@Suite("Names that were meant")
struct ColumnBindingTests {
  @Test(
    "The nearest name is found where one is near enough",
    arguments: [
      ("curency", "currency"), ("crurency", "currency"), ("CURRENCY", "currency"), ("usr", "user"),
      ("time_zone", "timezone"), ("xyz", nil),
      ("", nil), ("completely_different", nil),
    ] as [(String, String?)])
  func nearest(typed: String, meant: String?) {
    #expect(nearestName(to: typed, among: ["currency", "timezone", "user"]) == meant)
  }

  @Test("Of equally near names the first by letters is taken, whatever their order")
  func ties() {
    #expect(nearestName(to: "ac", among: ["ab", "aa"]) == "aa")
    #expect(nearestName(to: "ac", among: ["aa", "ab"]) == "aa")
    #expect(nearestName(to: "a", among: [String]()) == nil)
  }

  @Test("Columns are found by their bytes")
  func bytes() throws {
    let binding = columns(["é", "b"])
    #expect(try binding.fields(forHeader: ["e\u{301}", "b", "\u{e9}"]) == [-1, 1, 0])
    #expect(throws: OfferliftError.self) { try binding.fields(forHeader: ["b", "x", "b"]) }
  }
}
