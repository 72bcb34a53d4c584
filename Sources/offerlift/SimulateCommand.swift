import ArgumentParser
import Simulation

/// Makes logs and tables of a paywall test whose truth is known.
struct SimulateCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make gzipped logs and tables of a paywall test with a known truth.",
    discussion: """
      The same scenario gives the same bytes on every machine. The folder gets the server's tables, the \
      purchase log in shards, products.csv, and truth.csv: what a run must find.

      Example: offerlift simulate sample-data/offering/scenario.yml --output /tmp/offering
      """
  )

  @Argument(help: "The scenario file (YAML): groups and their rates, prices, users, dirt, seed.")
  var scenario: String

  @Option(help: "The folder to write into; it is made if it is missing.")
  var output: String

  @OptionGroup var progress: ProgressOptions

  @OptionGroup var sound: QuietOption

  func run() async throws {
    let summary = try await progress.showing { try Simulation.run(scenario: scenario, output: output) }
    try Terminal.results("\(summary)\n")
  }
}
