/// Merges runs of lines, each in order, into one: by file and place. Of runs that are yet to begin nothing is in memory.
struct RejectMerge {
  /// The one that begins first is the last.
  private var waiting: [SortedRun]
  /// Those that have begun, as a heap: none comes before its parent, whose number is half of its own.
  private var begun: [RejectCursor] = []

  init(_ runs: [SortedRun]) {
    waiting = runs.sorted { $1.first < $0.first }
  }

  /// Calls `body` with a cursor at each line.
  ///
  /// - Throws: as `RejectSpool.block`; what `body` throws.
  mutating func forEach(_ body: (RejectCursor) throws -> Void) throws {
    while true {
      while let next = waiting.last, begun.isEmpty || next.first <= begun[0].row {
        waiting.removeLast()
        try begin(RejectCursor(next.run))
      }
      guard !begun.isEmpty else { return }
      try body(begun[0])
      if try !begun[0].next() {
        begun.swapAt(0, begun.count - 1)
        begun.removeLast()
      }
      sink()
    }
  }

  private mutating func begin(_ cursor: RejectCursor) throws {
    var cursor = cursor
    guard try cursor.next() else { return }
    begun.append(cursor)
    var position = begun.count - 1
    while position > 0, begun[position].precedes(begun[(position - 1) / 2]) {
      begun.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  /// Moves the first one down to where it belongs.
  private mutating func sink() {
    var position = 0
    while position * 2 + 1 < begun.count {
      var child = position * 2 + 1
      if child + 1 < begun.count, begun[child + 1].precedes(begun[child]) { child += 1 }
      guard begun[child].precedes(begun[position]) else { return }
      begun.swapAt(position, child)
      position = child
    }
  }
}
