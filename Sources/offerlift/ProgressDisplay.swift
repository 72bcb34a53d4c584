import Application
import ArgumentParser
import Domain
import Foundation
import Logging
import Platform

/// When to show how far a command has come.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options of commands that may take long.
struct ProgressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Show on stderr how far it has come: auto (a line that moves on a terminal, one every 30 s elsewhere), always (a \
      line that moves, whatever stderr is) or never.
      """, valueName: "when"))
  var progress = ProgressChoice.auto

  @Option(help: ArgumentHelp("Tell on stderr what is being done, as text or json.", valueName: "format"))
  var log: LogFormat?

  /// Does the work and shows meanwhile how far it has come.
  func showing<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    do {
      guard let ticker else { return try await work() }
      defer {
        ticker.end()
        Terminal.erase()
      }
      return try await ProgressMeter.$current.withValue(ticker.meter) { try await work() }
    } catch let error as OfferliftError where log == .json {
      // Whoever collects lines of JSON would miss the one that matters.
      complain(error)
      throw ExitCode(error.exit.rawValue)
    }
  }

  /// Tells why something was not done, in the form that was asked for.
  func complain(_ error: OfferliftError) {
    if log == .json { StandardErrorLog.logger(.json).error("\(error.message)") } else { Terminal.complain(error) }
  }

  /// Who shows it; nil where it is not shown.
  private var ticker: ProgressTicker? {
    let movesLine = progress == .always || log == nil && Terminal.isTerminal
    guard progress != .never, !Terminal.isQuiet else { return nil }
    guard !movesLine else { return ProgressTicker(every: ProgressTicker.movingInterval) { Terminal.draw($0) } }
    let logger = StandardErrorLog.logger(log ?? .text)
    return ProgressTicker(every: ProgressTicker.lineInterval) { logger.info("\($0)") }
  }
}
