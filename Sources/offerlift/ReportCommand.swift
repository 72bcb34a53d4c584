import ArgumentParser
import Publishing

/// `offerlift report`: a published night's report, made anew from its tables.
struct ReportCommand: ParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a night's report.html anew from its tables.",
    discussion: """
      The figures are those of the CSV files in the folder; nothing is computed again.

      EXAMPLE

        offerlift report reports/offering-price-test/latest
      """)

  @Argument(help: "A night's folder, as a run wrote it.", completion: .directory)
  var folder: String

  @OptionGroup var sound: QuietOption

  func run() throws { try Terminal.say(ReportFolder.renew(folder)) }
}
