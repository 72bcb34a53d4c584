import Domain
import Measurement

/// Rejected rows as the lines of `rejects.csv.gz`, in the order of files and of places in them, however they came.
///
/// Lines are written as rows are read, put in order a few at a time, and wait in runs, in memory or on a disk; `forEach`
/// merges the runs. A file that one task reads is one run, whatever its length: its rows come in order.
package struct RejectedRows: RejectedLines, Sendable {
  /// How many there are.
  package private(set) var count = 0
  private let spool: RejectSpool
  /// How many bytes of lines are put in order at once.
  private let sortedBytes: Int

  /// Lines that are yet to be put in order, and where each begins and ends.
  private var lines: [UInt8] = []
  private var entries: [Entry] = []
  private var isSorted = true

  private var runs: [SortedRun] = []
  /// Why lines could not be kept; the rows they are of are lost.
  private var failure: (any Error)?

  private struct Entry {
    var row: RowPosition
    var position: Range<Int>
  }

  /// No rows yet.
  package init() { self.init(in: RejectSpool(nil)) }

  /// - Parameter isShuffled: rows come in no order at all.
  init(in spool: RejectSpool, isShuffled: Bool = false) {
    self.spool = spool
    sortedBytes = isShuffled ? spool.shuffledBytes : RejectSpool.sortedBytes
  }

  package var isEmpty: Bool { count == 0 }

  // MARK: - Adding

  package mutating func append(_ reject: Reject) {
    let start = lines.count
    RejectLine.append(reject, to: &lines)
    accept(start, reject.position)
  }

  /// Adds a line, its end included.
  mutating func append(_ line: ArraySlice<UInt8>) {
    let start = lines.count
    lines += line
    accept(start, RejectLine.position(ofLineAt: start, in: lines).position)
  }

  private mutating func accept(_ start: Int, _ row: RowPosition) {
    count += 1
    if let last = entries.last, row <= last.row { isSorted = false }
    entries.append(Entry(row: row, position: start..<lines.count))
    if lines.count >= sortedBytes { settle() }
  }

  /// Takes rows of the same files.
  mutating func merge(_ other: RejectedRows) {
    settle()
    var other = other
    other.settle()
    count += other.count
    runs += other.runs
    failure = failure ?? other.failure
  }

  /// All rows of lists whose files have other numbers in the whole: each list's are to be shifted by so many.
  static func joined(_ lists: [(rows: RejectedRows, shift: Int)]) -> RejectedRows {
    var all = RejectedRows()
    for (rows, shift) in lists { all.merge(rows.shifted(by: shift)) }
    return all
  }

  private func shifted(by shift: Int) -> RejectedRows {
    var rows = self
    rows.settle()
    for number in rows.runs.indices {
      rows.runs[number].run.shift += shift
      rows.runs[number].first.file += shift
      rows.runs[number].last.file += shift
    }
    return rows
  }

  // MARK: - In order

  /// Puts the lines at hand in order, and keeps them with the rest.
  mutating func settle() {
    guard !entries.isEmpty else { return }
    if !isSorted { sort() }
    do { try retain() } catch { failure = failure ?? error }
    (lines, entries, isSorted) = ([], [], true)
  }

  private mutating func sort() {
    let unsorted = lines
    entries.sort { left, right in
      left.row == right.row
        ? RejectLine.precedes(unsorted[left.position], unsorted[right.position]) : left.row < right.row
    }
    lines.removeAll(keepingCapacity: true)
    for number in entries.indices {
      let start = lines.count
      lines += unsorted[entries[number].position]
      entries[number].position = start..<lines.count
    }
  }

  private mutating func retain() throws {
    var run = RejectRun(spool: spool)
    var start = 0
    for entry in entries where entry.position.upperBound - start >= RejectSpool.pieceBytes {
      try run.append(lines[start..<entry.position.upperBound])
      start = entry.position.upperBound
    }
    if start < lines.count { try run.append(lines[start...]) }
    let (first, last) = (entries[0].row, entries[entries.count - 1].row)
    if let before = runs.last, before.last < first {
      runs[runs.count - 1].run.append(run)
      runs[runs.count - 1].last = last
    } else {
      runs.append(SortedRun(run: run, first: first, last: last))
    }
  }

  /// Calls `body` with each row's file and its line without that, the line's end included.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where lines could not be kept; what `body` throws.
  package func forEach(_ body: (_ file: Int, _ line: ArraySlice<UInt8>) throws -> Void) throws {
    var rows = self
    rows.settle()
    if let failure = rows.failure { throw failure }
    var merge = RejectMerge(rows.runs)
    try merge.forEach { try body($0.row.file, $0.lineBehindFile) }
  }

  /// Calls `body` with every block of lines, in no order: for the event store.
  ///
  /// - Throws: as `forEach`.
  func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
    var rows = self
    rows.settle()
    if let failure = rows.failure { throw failure }
    for run in rows.runs {
      for piece in run.run.pieces { try body(run.run.spool.block(piece)) }
    }
  }
}
