import Synchronization

/// How far a command has come, for whoever shows it: what it is doing, and how many bytes of that are done.
///
/// Whoever reads or writes a file counts its blocks, a hundred thousand bytes at once and more; rows cost nothing.
package final class ProgressMeter: Sendable {
  /// The meter of the work that this task is a part of; nil where nobody looks.
  @TaskLocal package static var current: ProgressMeter?

  /// What is being done, as it stands at an instant.
  package struct State: Sendable, Equatable {
    /// What it is done for: `offering-price-test 2026-04-30`; may be empty.
    package var subject = ""
    /// The stage, as `run.json` calls it: `events`; empty before the first.
    package var stage = ""
    /// Bytes of files done in this stage.
    package var bytes: Int64 = 0
    /// How many bytes the stage has in all; nil where that is not known.
    package var allBytes: Int64?
    /// When the stage began.
    package var since = ContinuousClock.now
  }

  private let bytes = Atomic<Int64>(0)
  private let begun = Mutex(State())

  package init() {}

  /// Says what the work is done for from here on.
  package func accept(up subject: String) {
    begun.withLock { $0 = State(subject: subject) }
    bytes.store(0, ordering: .relaxed)
  }

  /// Begins a stage.
  package func begin(_ stage: String) {
    begun.withLock { $0 = State(subject: $0.subject, stage: stage) }
    bytes.store(0, ordering: .relaxed)
  }

  /// Says how many bytes this stage has in all.
  package func expect(_ all: Int64) { begun.withLock { $0.allBytes = all } }

  /// Counts bytes that are done.
  package func add(_ count: Int) { bytes.add(Int64(count), ordering: .relaxed) }

  /// What is being done now.
  package var state: State {
    var state = begun.withLock { $0 }
    state.bytes = bytes.load(ordering: .relaxed)
    return state
  }
}
