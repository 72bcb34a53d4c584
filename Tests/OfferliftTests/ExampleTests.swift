import Foundation
import Testing

@Suite("offerlift init --example")
struct ExampleTests {
  private let binary: Binary

  init() throws { binary = try Binary() }

  @Test("makes a sample from the program alone, the same as the sample data, and says how to run it")
  func sample() throws {
    let made = try binary.run("init", "--example", "first-test")
    #expect(made.exit == 0, "\(made.errors)")
    let command = try #require(made.output.split(separator: "\n").last?.split(separator: " ").map(String.init))
    #expect(command.prefix(2) == ["offerlift", "run"])
    let mine = binary.folder.appending(path: "first-test/sample-data/offering").path
    let sample = repository.appending(path: "sample-data/offering").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sample).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: mine).sorted() == names)
    for name in names {
      let bytes = FileManager.default.contents(atPath: "\(mine)/\(name)")
      #expect(bytes == FileManager.default.contents(atPath: "\(sample)/\(name)"), "\(name)")
    }
    let run = try binary.run(Array(command.dropFirst()))
    #expect(run.exit == 0 && run.output.contains("offering-price-test 2026-04-30: "), "\(run.output)\(run.errors)")
    #expect(try binary.text("first-test/reports/offering-price-test/latest/report.html").contains("group_a"))
  }

  @Test("fills an empty folder, and leaves one alone that holds files")
  func folders() throws {
    try FileManager.default.createDirectory(
      at: binary.folder.appending(path: "empty"), withIntermediateDirectories: false)
    #expect(try binary.run("init", "--example", "empty").exit == 0)
    try binary.write("mine/jobs/offering-price-test.yml", "job: mine\n")
    let before = try binary.snapshot("mine")
    let refused = try binary.run("init", "--example", "mine")
    #expect(refused.exit == 73 && refused.errors.contains("mine: this folder holds files already"), "\(refused.errors)")
    #expect(try binary.snapshot("mine") == before)
  }

  @Test("is not asked for beside files of one's own, and is named where nothing is given")
  func usage() throws {
    let both = try binary.run("init", "--example", "new", "--purchases", "orders.csv")
    #expect(both.exit == 64 && both.errors.contains("--example makes files of its own"), "\(both.errors)")
    #expect(!FileManager.default.fileExists(atPath: binary.folder.appending(path: "new").path))
    let neither = try binary.run("init")
    #expect(neither.exit == 64, "\(neither.errors)")
    #expect(neither.errors.contains("--purchases orders.csv") && neither.errors.contains("--example first-test"))
  }

  @Test("--version names the release, and what it was built from where that is known")
  func version() throws {
    let said = try binary.run("--version").output
    let build = /commit [0-9a-f]{10} of \d{4}-\d\d-\d\d( with changes)?, Swift [0-9.]+/
    let known = try Regex("^\\d+\\.\\d+\\.\\d+( \\(.*\\))?\n$")
    #expect(said.contains(known) && said.contains("(") == said.contains(build), "\(said)")
  }

  @Test("What was made is said line by line")
  func lines() throws {
    let lines = try Binary().run("init", "--example", "first-test").output.split(separator: "\n")
    #expect(lines.count > 4 && !lines.contains { $0.contains("\\n") }, "\(lines)")
    #expect(lines[1].hasPrefix("  control: "), "\(lines)")
  }

  @Test("Help names every feed")
  func feeds() throws {
    let help = try Binary().run("init", "--help").output.split { $0.isWhitespace }.joined(separator: " ")
    let reference = try String(contentsOf: repository.appending(path: "jobs/reference/feeds.md"), encoding: .utf8)
    let named = reference.matches(of: /\n\| `([a-z0-9-]+)` \| `(?:csv|jsonl)` \| (?:yes|no) \|/).map { String($0.1) }
    #expect(named.count > 10)
    for feed in named { #expect(help.contains(feed), "\(feed)") }
  }
}
