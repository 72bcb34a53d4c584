/// One partition's events, those of one user side by side. For one thread.
final class PartitionEventIndex {
  private let moments: RowsByUser<EventMoment>
  private let sales: RowsByUser<SaleRow>
  private let others: RowsByUser<WholeRow>
  /// Of all threads that have read some, one behind another.
  private var traits = RecordBuffer<EventTraits>()
  private var events = EventsByKind()

  /// Takes a partition's events from all threads that have read some, and gives their memory back.
  init(_ chunks: [EventChunks], partition: Int, userCount: Int) {
    let parts = chunks.map { $0[partition] }
    var firsts: [UInt32] = []
    for part in parts {
      firsts.append(UInt32(traits.count))
      if part.count > 0 { traits.append(contentsOf: part.traits.all) }
    }
    moments = RowsByUser(zip(parts.map(\.moments), firsts), userCount: userCount)
    sales = RowsByUser(zip(parts.map(\.sales), firsts), userCount: userCount)
    others = RowsByUser(zip(parts.map(\.others), firsts), userCount: userCount)
    parts.forEach { $0.release() }
  }

  /// Calls `body` with a user's events, which live as long as it runs.
  func withEvents<Result>(ofUser user: Int, _ body: (UserEvents) throws -> Result) rethrows -> Result {
    events.removeAll()
    add(moments[user])
    add(sales[user])
    add(others[user])
    return try body(events.all)
  }

  @inline(__always)
  private func add(_ rows: RecordSpan<some EventRow>) {
    var event = PurchaseEvent()
    for row in rows {
      row.fill(&event)
      event.traits = traits.span[Int(row.moment.traitsNumber)]
      events.append(event)
    }
  }
}

/// Rows of one width, those of one user side by side.
private struct RowsByUser<Row: EventRow>: ~Copyable {
  private let rows: RecordBuffer<Row>
  /// Where each user's begin; none at all where there are no rows.
  private let starts: RecordBuffer<Int32>

  /// Sorts by user through counting: two passes, no comparisons.
  ///
  /// - Parameter lists: of each thread its rows, and the new number of its first traits.
  init(_ lists: some Sequence<(ChunkList<Row>, UInt32)>, userCount: Int) {
    let lists = Array(lists)
    let count = lists.reduce(0) { $0 + $1.0.count }
    guard count > 0 else {
      rows = RecordBuffer()
      starts = RecordBuffer()
      return
    }
    var starts = RecordBuffer<Int32>()
    starts.fill(with: 0, count: userCount + 2)
    let next = starts.span
    for (list, _) in lists { list.forEach { next[Int($0.moment.userNumber) + 2] += 1 } }
    for user in 0..<userCount { next[user + 2] += next[user + 1] }
    let rows = RecordBuffer<Row>(room: count)
    for (list, first) in lists {
      list.forEach { row in
        var row = copy row
        row.moment.traitsNumber += first
        let position = next[Int(row.moment.userNumber) + 1]
        next[Int(row.moment.userNumber) + 1] = position + 1
        rows.put(row, at: Int(position))
      }
    }
    self.rows = rows
    self.starts = starts
  }

  subscript(user: Int) -> RecordSpan<Row> {
    @inline(__always) get {
      starts.isEmpty ? RecordSpan() : rows.span[Int(starts.span[user])..<Int(starts.span[user + 1])]
    }
  }
}
