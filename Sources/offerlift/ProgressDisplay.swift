import Application
import ArgumentParser
import Dispatch
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
    guard let form else { return try await work() }
    let display = ProgressDisplay(form)
    defer { display.end() }
    return try await ProgressMeter.$current.withValue(display.meter) { try await work() }
  }

  /// How it is shown; nil where it is not.
  private var form: ProgressDisplay.Form? {
    switch progress {
    case .never: nil
    case .always: .movingLine
    case .auto: log == nil && Terminal.isTerminal ? .movingLine : .lines(StandardErrorLog.logger(log ?? .text))
    }
  }
}

/// Shows on stderr how far a command has come, from a thread of its own: the others are busy.
final class ProgressDisplay: Sendable {
  /// How it is shown.
  enum Form {
    /// One line that is written over.
    case movingLine
    /// A line now and then.
    case lines(Logger)
  }

  let meter = ProgressMeter()
  private let isAskedToEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ form: Form) {
    Thread.detachNewThread { [self] in
      switch form {
      case .movingLine: every(.milliseconds(250)) { Terminal.draw(Self.text(meter)) }
      case .lines(let logger): every(.seconds(30)) { logger.info("\(Self.text(meter))") }
      }
      hasEnded.signal()
    }
  }

  /// Ends it; nothing of the moving line is left behind.
  func end() {
    isAskedToEnd.signal()
    hasEnded.wait()
    Terminal.erase()
  }

  private func every(_ interval: DispatchTimeInterval, _ show: () -> Void) {
    while isAskedToEnd.wait(timeout: .now() + interval) == .timedOut { show() }
  }

  private static func text(_ meter: ProgressMeter) -> String {
    let state = meter.state
    let elapsed = state.since.duration(to: .now).components
    return ProgressLine.text(state, seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
  }
}
