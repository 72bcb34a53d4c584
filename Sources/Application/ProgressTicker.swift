import Dispatch
import Foundation
import Platform

/// Tells at intervals how far a command has come, from a thread of its own: the others are busy.
package final class ProgressTicker: Sendable {
  /// What the work counts on.
  package let meter = ProgressMeter()
  private let isAskedToEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Between the lines of a log, which nobody watches.
  package static let lineInterval = DispatchTimeInterval.seconds(30)
  /// Between two states of a line that moves.
  package static let movingInterval = DispatchTimeInterval.milliseconds(250)

  /// - Parameter show: takes each line.
  package init(every interval: DispatchTimeInterval, show: @escaping @Sendable (String) -> Void) {
    Thread.detachNewThread { [self] in
      while isAskedToEnd.wait(timeout: .now() + interval) == .timedOut { show(line) }
      hasEnded.signal()
    }
  }

  /// Ends it; behind that nothing is shown any more.
  package func end() {
    isAskedToEnd.signal()
    hasEnded.wait()
  }

  private var line: String {
    let state = meter.state
    let elapsed = state.since.duration(to: .now).components
    return ProgressLine.text(state, seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
  }
}
