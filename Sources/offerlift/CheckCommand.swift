import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift check`: the job file and its inputs, nothing written.
struct CheckCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a job file and its inputs; write nothing.",
    discussion: """
      Says what was looked at and what it holds, and ends with "This job will run." or a numbered list of what to mend, \
      each with file and line and what to type; the exit code is the one a run would end with. What a run would publish \
      as "do not trust" is told, too: a warning, or exit code 3 with --strict.

      EXAMPLE

        offerlift check jobs/offering-price-test.yml
      """)

  @Argument(help: "Job files.", completion: .file(extensions: ["yml", "yaml"]))
  var jobs: [String]

  @Option(
    help: ArgumentHelp(
      "How many rows of each file of a purchase log are looked at, or all. The other inputs are looked at whole.",
      valueName: "rows"))
  var rows = RowLimit(count: JobCheck.usualRowLimit)

  @Flag(help: "End with exit code 3 where a check of the inputs failed.")
  var strict = false

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var sound: QuietOption

  func run() async throws { try await progress.showing { try await check() } }

  private func check() async throws {
    var worst: OfferliftError?
    var warnings: [String] = []
    for path in jobs {
      let check = JobCheck(path, threads: ProcessInfo.processInfo.activeProcessorCount, rowLimit: rows.count)
      let report = await check.report()
      try report.show()
      warnings += report.warnings
      worst = worst ?? report.error
    }
    if let worst { throw ExitCode(worst.exit.rawValue) }
    guard strict, !warnings.isEmpty else { return }
    if Terminal.isQuiet { warnings.forEach { progress.complain(OfferliftError(.badData, $0)) } }
    throw ExitCode(3)
  }
}

extension CheckReport {
  /// Prints what was found, and at the end whether the job runs or what is to be mended.
  ///
  /// - Throws: `OfferliftError`, exit 74, where stdout cannot be written.
  func show() throws {
    try findings.forEach { try Terminal.say(PrintableText.sentence($0)) }
    warnings.forEach { Terminal.warn("warning: \($0)") }
    if !notes.isEmpty { try Terminal.say("To know:") }
    try notes.forEach { try Terminal.say("  \(PrintableText.sentence($0))") }
    if let error { Terminal.complain(error) }
    if let verdict { try Terminal.say(verdict) }
    try showRemedies()
  }

  private func showRemedies() throws {
    guard !remedies.isEmpty else { return }
    try Terminal.say("")
    try Terminal.say("Before you believe the figures:")
    for (number, remedy) in remedies.enumerated() {
      try Terminal.say("\(number + 1). \(PrintableText.sentence(remedy.sentence))")
      if let command = remedy.command { try Terminal.say("     \(command.text)") }
    }
  }
}

/// A number of rows, or all of them.
struct RowLimit: ExpressibleByArgument, CustomStringConvertible {
  /// Nil is all.
  let count: Int?

  init(count: Int?) {
    self.count = count
  }

  init?(argument: String) {
    if argument == "all" {
      self.init(count: nil)
    } else if let number = Int(argument), number > 0 {
      self.init(count: number)
    } else {
      return nil
    }
  }

  var description: String { count.map { "\($0)" } ?? "all" }
  var defaultValueDescription: String { description }
}
