import Foundation
import Testing

@testable import Application

@Suite("jobs/reference, written from the code")
struct ReferenceTests {
  private let binary: Binary

  init() throws { binary = try Binary() }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  @Test("It says what the code says; offerlift reference jobs/reference/*.md writes it anew")
  func current() throws {
    let texts = try Chapter.allCases.map { (name: "\($0.rawValue).md", text: try Self.text($0.path)) }
    for chapter in texts { try binary.write(chapter.name, chapter.text) }
    let outcome = try binary.run(["reference"] + texts.map(\.name))
    #expect(outcome.exit == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for chapter in texts { #expect(try binary.text(chapter.name) == chapter.text, "\(chapter.name)") }
  }

  @Test("It has every part that the code can write, each once")
  func everyPart() throws {
    let parts = try Chapter.allCases.flatMap { Reference.parts(of: try Self.text($0.path)) }
    #expect(parts.sorted() == Reference.names.sorted())
  }

  @Test("Every file of jobs/reference is a chapter, and the program carries it as it is")
  func carried() throws {
    let folder = repository.appending(path: "jobs/reference").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.sorted() == Chapter.allCases.map { "\($0.rawValue).md" }.sorted())
    for chapter in Chapter.allCases { #expect(try Self.text(chapter.path) == chapter.markdown, "\(chapter)") }
  }

  @Test("A heading in code is none, and a section ends at the next heading of its level")
  func sections() throws {
    let titles = ReferenceSection.all.map(\.title)
    #expect(titles.contains("State: a night that reads new files only"))
    #expect(!titles.contains { $0.hasPrefix("yaml-language-server") })
    let log = try #require(ReferenceSection.all.first { $0.title == "Your own log" })
    #expect(log.text.contains("### Leave out rows") && !log.text.contains("## Catalog"))
    #expect(log.path == "jobs/reference/inputs.md#your-own-log")
  }

  @Test("A table's rows are read back as they were written")
  func rows() {
    let text = MarkdownTable.text(["a", "b"], [["x|y", "1"], ["z", ""]])
    #expect(MarkdownTable.rows(of: "before\n\(text)\nafter").map(\.cells) == [["x|y", "1"], ["z", ""]])
  }

  @Test("A mark that names no part, or has no end, is an error that lists the parts")
  func badMark() throws {
    for text in ["<!-- generated: nothing -->\n<!-- end of nothing -->\n", "<!-- generated: checks -->\n"] {
      try binary.write("text.md", text)
      let outcome = try binary.run("reference", "text.md")
      #expect(outcome.exit == 64, "\(outcome.errors)")
      #expect(outcome.errors.contains("the parts are calls, checks, commands, "), "\(outcome.errors)")
      #expect(try binary.text("text.md") == text)
    }
  }

  @Test("What stands in a cell keeps to its cell")
  func cells() {
    #expect(MarkdownTable.text(["a"], [["x|y\nz"]]) == "| a |\n| --- |\n| x\\|y z |")
  }
}
