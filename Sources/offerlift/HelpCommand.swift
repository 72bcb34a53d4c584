import Application
import ArgumentParser

/// `offerlift help`: a section of the reference, or the help of a command.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Print what the manual says of a topic: a chapter, a task, a complaint, a key, or a command.",
    discussion: """
      Without a topic it lists the chapters, the tasks and the complaints. Words find the nearest section.

      EXAMPLES

        offerlift help refunds
        offerlift help leave out employees
        offerlift help "it flips every day"
        offerlift help run
      """)

  @Argument(help: "A command, a title, a name from a job or a table, or your own words.")
  var topic: [String] = []

  func run() throws {
    let words = topic.joined(separator: " ")
    if words.isEmpty { return try Terminal.results(ReferenceSearch.overview) }
    if let command = Offerlift.configuration.subcommands.first(where: { $0.configuration.commandName == words }) {
      return try Terminal.results(Offerlift.helpMessage(for: command) + "\n")
    }
    try Terminal.results(ReferenceSearch(words).text)
  }
}
