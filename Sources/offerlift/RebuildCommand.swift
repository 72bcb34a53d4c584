import ArgumentParser
import Domain
import Publishing

/// `offerlift rebuild`: `results.sqlite`, made again from the nights' folders.
struct RebuildCommand: ParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Make a job's results.sqlite again from its nights' folders.",
    discussion: """
      For a history that is damaged or lost. What stood there before is kept beside it, and nothing is counted again: \
      the figures are those of the CSV files.

      EXAMPLE

        offerlift rebuild reports/offering-price-test
        offerlift rebuild reports/offering-price-test --without 2026-03-30
      """)

  @Argument(help: "A job's folder, DIR/<job>.", completion: .directory)
  var folder: String

  @OptionGroup var trust: TrustOptions

  @Option(help: "Leave out a night whose folder is gone, YYYY-MM-DD; may be given again.")
  var without: [String] = []

  @OptionGroup var sound: QuietOption

  func run() throws {
    let outcome = try HistoryRebuild.rebuild(folder, without: without, trustsFolder: trust.trustFolder)
    let others =
      outcome.retained > 0 ? " and has \(Phrase.count(outcome.retained, "night")) whose folders are gone" : ""
    let lost =
      outcome.lost > 0
      ? ", and \(Phrase.count(outcome.lost, "night")) whose folders keep_nights: had removed are in neither: a backup may have them"
      : ""
    let before = outcome.before.map { "; what stood there before is \($0)" } ?? ""
    try Terminal.say(
      "\(outcome.path) holds \(Phrase.count(outcome.nights, "night")) again, from the folders\(others)\(lost)\(before)")
  }
}
