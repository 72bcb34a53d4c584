import ArgumentParser
import Foundation
import Simulation

/// `calibration`: proves by simulation that tests keep their level, intervals their coverage, plans their power.
@main
struct Calibrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibration",
    abstract: "Simulate many thousands of tests through the analysis of a run, and write what was seen.",
    discussion: """
      EXAMPLE: the whole suite, and its page

        swift run -c release calibration --page Benchmarks/Calibration/README.md
      """)

  @Option(help: "Simulations, as a part of a full run's.")
  var scale = 1.0

  @Option(help: "The seed; the same gives the same figures on any number of threads.")
  var seed: UInt64 = 20_260_301

  @Option(help: "Threads.")
  var threads = 2

  @Option(help: ArgumentHelp("Only studies that have a figure with these words.", valueName: "words"))
  var only: String?

  @Option(help: ArgumentHelp("The page to write; without it the tables go to stdout.", valueName: "file"))
  var page: String?

  func validate() throws {
    guard scale > 0, scale <= 100 else { throw ValidationError("--scale goes from above 0 to 100.") }
    guard threads >= 1 else { throw ValidationError("--threads must be at least 1.") }
    guard page == nil || only == nil else {
      throw ValidationError("A page has every study: --only goes without --page.")
    }
  }

  func run() async throws {
    let studies = Study.all.filter { study in
      only.map { words in study.figures.contains { $0.what.contains(words) } } ?? true
    }
    let start = ContinuousClock.now
    let outcomes = try await Study.run(studies, scale: scale, seed: seed, threads: threads) { number in
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      let line = "\(seconds) s: \(number + 1) of \(studies.count), \(studies[number].figures[0].what)\n"
      FileHandle.standardError.write(Data(line.utf8))
    }
    let run = Page.Run(
      scale: scale, seed: seed, duration: ContinuousClock.now - start,
      processorSeconds: Int(clock()) / Int(CLOCKS_PER_SEC), threads: threads)
    let text = Page(outcomes: outcomes, run: run).text
    if let page {
      try Data(text.utf8).write(to: URL(fileURLWithPath: page), options: .atomic)
    } else {
      FileHandle.standardOutput.write(Data(text.utf8))
    }
  }
}
