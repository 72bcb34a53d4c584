/// One partition's events by kind, those of one user side by side.
final class PartitionEventIndex {
  private let charges: RecordsByUser<ChargeRecord>
  private let refunds: RecordsByUser<RefundRecord>
  private let occurrences: RecordsByUser<OccurrenceRecord>
  private let snapshots: RecordsByUser<SnapshotOccurrence>
  private let unpriced: RecordsByUser<UnpricedCharge>

  /// Takes a partition's events from all threads that have read some, and gives their memory back.
  init(_ chunks: [EventChunks], partition: Int, userCount: Int) {
    let parts = chunks.map { $0[partition] }
    charges = RecordsByUser(
      parts.map(\.charges), plain: parts.map { ($0.plainCharges, $0.common.charges) }, userCount: userCount)
    refunds = RecordsByUser(parts.map(\.refunds), userCount: userCount)
    occurrences = RecordsByUser(
      parts.map(\.occurrences), plain: parts.map { ($0.plainOccurrences, $0.common.occurrences) },
      userCount: userCount)
    snapshots = RecordsByUser(parts.map(\.snapshots), userCount: userCount)
    unpriced = RecordsByUser(parts.map(\.unpriced), userCount: userCount)
    parts.forEach { $0.release() }
  }

  /// Calls `body` with a user's events, which live as long as it runs.
  @inline(__always)
  func withEvents<Result>(ofUser user: Int, _ body: (UserEvents) throws -> Result) rethrows -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(
      UserEvents(
        charges: charges[user], refunds: refunds[user], occurrences: occurrences[user], snapshots: snapshots[user],
        unpriced: unpriced[user]))
  }
}

/// Records of one kind, those of one user side by side.
private struct RecordsByUser<Record: EventRecord>: ~Copyable {
  private let records: RecordBuffer<Record>
  /// Where each user's begin; none at all where there are no records.
  private let starts: RecordBuffer<Int32>

  /// Sorts by user through counting: two passes, no comparisons.
  init(_ lists: [ChunkList<Record>], userCount: Int) {
    self.init(count: lists.reduce(0) { $0 + $1.count }, userCount: userCount) { body in
      for list in lists { list.forEach { body($0.head.user) } }
    } telling: { body in
      for list in lists { list.forEach { body($0) } }
    }
  }

  /// - Parameters:
  ///   - tellUsers: calls its argument with every record's user.
  ///   - tell: calls its argument with every record.
  @inline(__always)
  private init(
    count: Int, userCount: Int, tellingUsers tellUsers: ((UInt32) -> Void) -> Void,
    telling tell: ((borrowing Record) -> Void) -> Void
  ) {
    guard count > 0 else {
      records = RecordBuffer()
      starts = RecordBuffer()
      return
    }
    var starts = RecordBuffer<Int32>()
    starts.fill(with: 0, count: userCount + 2)
    let next = starts.span
    tellUsers { next[Int($0) + 2] += 1 }
    for user in 0..<userCount { next[user + 2] += next[user + 1] }
    let records = RecordBuffer<Record>(room: count)
    tell { record in
      let place = next[Int(record.head.user) + 1]
      next[Int(record.head.user) + 1] = place + 1
      records.put(record, at: Int(place))
    }
    self.records = records
    self.starts = starts
  }

  subscript(user: Int) -> RecordSpan<Record> {
    @inline(__always) get {
      starts.isEmpty ? RecordSpan() : records.span[Int(starts.span[user])..<Int(starts.span[user + 1])]
    }
  }
}

extension RecordsByUser {
  /// Records of which some are plain.
  ///
  /// - Parameter plain: those, with what each has in common with others.
  fileprivate init<Plain: PlainRecord>(
    _ lists: [ChunkList<Record>], plain: [(records: ChunkList<Plain>, traits: CommonTraits<Plain.Traits>)],
    userCount: Int
  ) where Plain.Traits.Record == Record {
    let count = lists.reduce(0) { $0 + $1.count } + plain.reduce(0) { $0 + $1.records.count }
    self.init(count: count, userCount: userCount) { body in
      for list in lists { list.forEach { body($0.head.user) } }
      for (list, _) in plain { list.forEach { body($0.user) } }
    } telling: { body in
      for list in lists { list.forEach { body($0) } }
      for (list, traits) in plain { list.forEach { body($0.whole(traits)) } }
    }
  }
}
