import Domain
import Foundation
import Platform

/// How a run went: what `run.json` says beside the results, and `metrics.prom` in short.
package struct RunRecord: Sendable {
  /// The product's version.
  package var version: String
  /// The engine that read and counted the rows: `native` or `spark`.
  package var engine = "native"
  package var threads = 1
  /// When the run began, by the wall clock.
  var startedAt: Instant
  /// When the run began, by the clock that is never set: durations count from here.
  var startedClock = ContinuousClock.now
  /// The stages so far, in order.
  package var stages: [Timings.Stage] = []

  /// The SHA-256 of each of the night's files, in the order of its accounts; nil of one that cannot be read any more. Made
  /// while the night is written.
  package var digests: Once<[[UInt8]?]>?

  /// Begins a record at this moment.
  package static func begin(version: String, threads: Int) -> Self {
    let seconds = Date().timeIntervalSince1970
    let now = Instant(milliseconds: Int64((seconds * 1000).rounded(.down)))
    return Self(version: version, threads: threads, startedAt: now)
  }

  /// Seconds since the run began.
  var durationSeconds: Double { Self.seconds(startedClock.duration(to: .now)) }

  /// The most memory the process has held so far.
  static var peakMemoryBytes: Int64 {
    var usage = rusage()
    let bytesPerUnit: Int64 = 1024
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
      ? Int64(usage.ru_maxrss) * bytesPerUnit : 0
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return Double(milliseconds) / 1000
  }
}
