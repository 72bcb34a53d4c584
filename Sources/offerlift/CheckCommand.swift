import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift check`: the job file and its inputs, nothing written.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a job file and its inputs; write nothing.",
    discussion: """
      Names every problem at once, each with file and line and what to type instead; ends with the exit code a run \
      would end with. What a run would publish as "do not trust" is told, too: a warning, or exit code 3 with --strict.

      EXAMPLE

        offerlift check jobs/offering-price-test.yml
      """)

  @Argument(help: "Job files.", completion: .file(extensions: ["yml", "yaml"]))
  var jobs: [String]

  @Flag(help: "End with exit code 3 where a check of the inputs failed.")
  var strict = false

  @OptionGroup var progress: ProgressOptions

  func run() async throws { try await progress.showing { try await check() } }

  private func check() async throws {
    var worst: OfferliftError?
    var hasFailedCheck = false
    for path in jobs {
      let report = await JobCheck.check(path, threads: ProcessInfo.processInfo.activeProcessorCount)
      report.findings.forEach { Terminal.say(PrintableText.sentence($0)) }
      report.warnings.forEach { Terminal.warn("warning: \($0)") }
      hasFailedCheck = hasFailedCheck || !report.warnings.isEmpty
      if let error = report.error {
        Terminal.complain(error)
        worst = worst ?? error
      }
    }
    if let worst { throw ExitCode(worst.exit.rawValue) }
    if strict, hasFailedCheck { throw ExitCode(3) }
  }
}
