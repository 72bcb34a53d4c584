import ArgumentParser
import Pipeline

/// `offerlift check`: the job file and the first rows of every input, nothing written.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a job file and the first rows of every input; write nothing.",
    discussion: """
      Names every problem at once, each with file and line and what to type instead.

      EXAMPLE

        offerlift check jobs/offering-price-test.yml
      """)

  @Argument(help: "Job files.", completion: .file(extensions: ["yml", "yaml"]))
  var jobs: [String]

  func run() throws {
    var worst: OfferliftError?
    for path in jobs {
      let report = JobCheck.check(path)
      report.findings.forEach { Terminal.say(PrintableText.sentence($0)) }
      if let error = report.error {
        Terminal.complain(error)
        worst = worst ?? error
      }
    }
    if let worst { throw ExitCode(worst.exit.rawValue) }
  }
}
