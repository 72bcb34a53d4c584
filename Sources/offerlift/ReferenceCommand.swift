import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift reference`: writes what people read about this program from the code, for whoever works on it.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Write the marked parts of Markdown files anew from the code, or print the manual page.",
    discussion: """
      EXAMPLES

        offerlift reference jobs/reference/*.md
        offerlift reference --manual > offerlift.1
      """,
    shouldDisplay: false)

  @Argument(help: "The Markdown files, which are changed in place.", completion: .file(extensions: ["md"]))
  var files: [String] = []

  @Flag(help: "Print the manual page, for man.")
  var manual = false

  func validate() throws {
    guard manual == files.isEmpty else { throw ValidationError("Give a file, or --manual.") }
  }

  func run() throws {
    if manual { return try Terminal.results(Manual.page) }
    for file in files {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw OfferliftError(.inputMissing, "\(file): there is no such text.")
      }
      let renewed = try Reference.renewed(text, commands: Manual.commandsInMarkdown)
      try Data(renewed.utf8).write(to: URL(fileURLWithPath: file))
    }
  }
}
