/// One partition's events by kind, those of one user side by side.
struct PartitionEventIndex {
  private let charges: RecordsByUser<ChargeRecord>
  private let refunds: RecordsByUser<RefundRecord>
  private let occurrences: RecordsByUser<OccurrenceRecord>
  private let snapshots: RecordsByUser<SnapshotOccurrence>
  private let unpriced: RecordsByUser<UnpricedCharge>

  /// Takes a partition's events from all threads that have read some, and gives their memory back.
  init(_ chunks: [EventChunks], partition: Int, userCount: Int) {
    let parts = chunks.map { $0[partition] }
    charges = RecordsByUser(parts.map(\.charges), userCount: userCount)
    refunds = RecordsByUser(parts.map(\.refunds), userCount: userCount)
    occurrences = RecordsByUser(
      parts.map(\.occurrences), packed: parts.map { ($0.plain, $0.common) }, userCount: userCount)
    snapshots = RecordsByUser(parts.map(\.snapshots), userCount: userCount)
    unpriced = RecordsByUser(parts.map(\.unpriced), userCount: userCount)
    parts.forEach { $0.release() }
  }

  func ofUser(_ user: Int) -> UserEvents {
    UserEvents(
      charges: charges[user], refunds: refunds[user], occurrences: occurrences[user], snapshots: snapshots[user],
      unpriced: unpriced[user])
  }
}

/// Records that lie packed in chunks, and what it takes to unpack them.
private typealias PackedOccurrences = (records: ChunkList<PlainOccurrence>, traits: CommonTraits)

/// Records of one kind, those of one user side by side.
private struct RecordsByUser<Record: EventRecord> {
  private let records: [Record]
  /// Where each user's begin; none at all where there are no records.
  private let starts: [Int32]

  /// Sorts by user through counting: two passes, no comparisons.
  init(_ lists: [ChunkList<Record>], userCount: Int) {
    let total = lists.reduce(0) { $0 + $1.count }
    guard total > 0 else {
      (records, starts) = ([], [])
      return
    }
    var starts = Self.starts(of: userCount) { starts in
      for list in lists { list.forEach { starts[Int($0.head.user) + 2] += 1 } }
    }
    records = [Record](scattering: lists, count: total) { record in
      let place = starts[Int(record.head.user) + 1]
      starts[Int(record.head.user) + 1] = place + 1
      return Int(place)
    }
    self.starts = starts
  }

  private static func starts(of userCount: Int, counting: (inout [Int32]) -> Void) -> [Int32] {
    var starts = [Int32](repeating: 0, count: userCount + 2)
    counting(&starts)
    for user in 0..<userCount { starts[user + 2] += starts[user + 1] }
    return starts
  }

  subscript(user: Int) -> ArraySlice<Record> {
    starts.isEmpty ? [] : records[Int(starts[user])..<Int(starts[user + 1])]
  }
}

extension RecordsByUser where Record == OccurrenceRecord {
  /// Occurrences of which some lie packed.
  fileprivate init(_ lists: [ChunkList<OccurrenceRecord>], packed: [PackedOccurrences], userCount: Int) {
    let total = lists.reduce(0) { $0 + $1.count } + packed.reduce(0) { $0 + $1.records.count }
    guard total > 0 else {
      (records, starts) = ([], [])
      return
    }
    var starts = Self.starts(of: userCount) { starts in
      for list in lists { list.forEach { starts[Int($0.head.user) + 2] += 1 } }
      for (list, _) in packed { list.forEach { starts[Int($0.user) + 2] += 1 } }
    }
    records = [OccurrenceRecord](
      scattering: lists, and: packed.map(\.records), unpacking: { $1.whole(packed[$0].traits) }, count: total
    ) { record in
      let place = starts[Int(record.head.user) + 1]
      starts[Int(record.head.user) + 1] = place + 1
      return Int(place)
    }
    self.starts = starts
  }
}

/// All events that were read of one user, by kind, in no order.
struct UserEvents {
  var charges: ArraySlice<ChargeRecord> = []
  var refunds: ArraySlice<RefundRecord> = []
  var occurrences: ArraySlice<OccurrenceRecord> = []
  var snapshots: ArraySlice<SnapshotOccurrence> = []
  var unpriced: ArraySlice<UnpricedCharge> = []

  var count: Int { charges.count + refunds.count + occurrences.count + snapshots.count + unpriced.count }
  var isEmpty: Bool { count == 0 }

  /// Calls `body` with what every event says.
  @inline(__always)
  func forEach(_ body: (EventHead) -> Void) {
    for event in charges { body(event.head) }
    for event in refunds { body(event.head) }
    for event in occurrences { body(event.head) }
    for event in snapshots { body(event.head) }
    for event in unpriced { body(event.head) }
  }

  /// The heads of those events for which `isWanted` holds.
  func heads(where isWanted: (EventHead) -> Bool = { _ in true }) -> [EventHead] {
    var heads: [EventHead] = []
    forEach { if isWanted($0) { heads.append($0) } }
    return heads
  }

  /// Those events for which `isWanted` holds.
  func filtered(_ isWanted: (EventHead) -> Bool) -> UserEvents {
    UserEvents(
      charges: charges.filter { isWanted($0.head) }[...], refunds: refunds.filter { isWanted($0.head) }[...],
      occurrences: occurrences.filter { isWanted($0.head) }[...],
      snapshots: snapshots.filter { isWanted($0.head) }[...], unpriced: unpriced.filter { isWanted($0.head) }[...])
  }

  /// Whether an event fell into the time, in milliseconds.
  func happenedSomething(in time: Range<Int64>) -> Bool {
    charges.contains { time.contains($0.time) } || refunds.contains { time.contains($0.time) }
      || occurrences.contains { time.contains($0.time) } || snapshots.contains { time.contains($0.time) }
      || unpriced.contains { time.contains($0.time) }
  }

  /// When a paywall was first shown from `time` on, in milliseconds; nil where none was.
  func firstPaywallView(from time: Int64) -> Int64? {
    occurrences.lazy.filter { $0.type == .paywallView && $0.time >= time }.map(\.time).min()
  }

  /// When the first charge came, with a known price or not; nil where none did.
  var firstCharge: Int64? {
    [charges.lazy.map(\.time).min(), unpriced.lazy.map(\.time).min()].compactMap(\.self).min()
  }
}
