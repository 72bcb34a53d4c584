import Foundation
import Testing

@testable import Application

@Suite("jobs/README.md, written from the code")
struct ReferenceTests {
  private static let file = repository.appending(path: "jobs/README.md")
  private let binary: Binary

  init() throws { binary = try Binary() }

  @Test("It says what the code says; offerlift reference jobs/README.md writes it anew")
  func current() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    try binary.write("README.md", text)
    let outcome = try binary.run("reference", "README.md")
    #expect(outcome.exit == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try binary.text("README.md") == text)
  }

  @Test("It has every part that the code can write, each once")
  func everyPart() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(Reference.parts(of: text).sorted() == Reference.names.sorted())
  }

  @Test("A mark that names no part, or has no end, is an error that lists the parts")
  func badMark() throws {
    for text in ["<!-- generated: nothing -->\n<!-- end of nothing -->\n", "<!-- generated: checks -->\n"] {
      try binary.write("text.md", text)
      let outcome = try binary.run("reference", "text.md")
      #expect(outcome.exit == 64 && outcome.errors.contains("the parts are checks, commands, "), "\(outcome.errors)")
      #expect(try binary.text("text.md") == text)
    }
  }

  @Test("What stands in a cell keeps to its cell")
  func cells() {
    #expect(MarkdownTable.text(["a"], [["x|y\nz"]]) == "| a |\n| --- |\n| x\\|y z |")
  }
}
