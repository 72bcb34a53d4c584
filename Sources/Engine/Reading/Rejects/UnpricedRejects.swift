import Domain
import Synchronization

/// Where charges stand for which no exchange rate is known, and refunds for which it may be unknown, by number. Whether
/// one is rejected shows only once its user is known to count.
final class UnpricedRejects: Sendable {
  private let state: Mutex<State>

  private struct State {
    var run: RejectRun
    /// Lines that are yet to be added to the run.
    var lines: [UInt8] = []
    var count: UInt32 = 0
    var failure: (any Error)?

    mutating func append(_ line: [UInt8]) -> UInt32 {
      lines += line
      if lines.count >= RejectSpool.pieceBytes { settle() }
      defer { count += 1 }
      return count
    }

    mutating func settle() {
      guard !lines.isEmpty else { return }
      do { try run.append(lines[...]) } catch { failure = failure ?? error }
      lines = []
    }
  }

  init(in spool: RejectSpool) {
    state = Mutex(State(run: RejectRun(spool: spool)))
  }

  /// Keeps a reject, whose `account` is the index of its file among the log's, and returns its number.
  func add(_ reject: Reject) -> UInt32 {
    var line: [UInt8] = []
    RejectLine.append(reject, to: &line)
    return state.withLock { $0.append(line) }
  }

  /// Calls `body` with some numbers, or all, in their order, with where the row stands and its line, the end included.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where they could not be kept; what `body` throws.
  func forEach(
    of numbers: [UInt32]? = nil, _ body: (UInt32, RowPosition, ArraySlice<UInt8>) throws -> Void
  ) throws {
    let (run, count) = try state.withLock { state in
      state.settle()
      if let failure = state.failure { throw failure }
      return (state.run, state.count)
    }
    var cursor = RejectCursor(run)
    var upcoming: UInt32 = 0
    for number in numbers?.sorted() ?? Array(0..<count) {
      while upcoming <= number, try cursor.next() { upcoming += 1 }
      try body(number, cursor.row, cursor.line)
    }
  }
}
