import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift explain`: one user's story, line by line.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what became of every line that names a user, and the user's value in each metric.",
    discussion: """
      Finds every line of every input that names the user or an alias, and says of each what it tells, whether it \
      counts, by which rule, and which metrics it moves; then the user's value in each metric. Read by the same code \
      as a run; writes nothing. A user whom no line names ends with exit code 66.

      What is printed names a person's purchases: mind who reads it.

      EXAMPLES

        offerlift explain jobs/offering-price-test.yml --user u0002013 --date 2026-04-30
        offerlift explain jobs/offering-price-test.yml --user u0002013 --format json
      """)

  @Argument(help: "A job file.", completion: .file(extensions: ["yml", "yaml"]))
  var job: String

  @Option(help: ArgumentHelp("The user, by any id the inputs have.", valueName: "id"))
  var user: String

  @OptionGroup var night: NightOptions

  @Option(help: "Files that are searched at once. (default: as many as there are processors)")
  var threads: Int?

  @Option(help: ArgumentHelp("text or json. (default: text)", valueName: "format"))
  var format = Format.text

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  func validate() throws {
    guard !user.isEmpty else { throw ValidationError("--user is empty; type the user's id.") }
    guard threads ?? 1 >= 1 else { throw ValidationError("--threads must be at least 1.") }
    try night.requireOne()
  }

  @OptionGroup var progress: ProgressOptions

  func run() async throws {
    let explanation = try await progress.showing {
      try await UserExplanation.of(
        user, job: job, night: night.choice, threads: threads ?? ProcessInfo.processInfo.activeProcessorCount)
    }
    explanation.warnings.forEach { Terminal.warn("warning: \($0)") }
    switch format {
    case .text: try explanation.lines.forEach { try Terminal.say($0) }
    case .json: try Terminal.results(try explanation.json())
    }
  }
}
