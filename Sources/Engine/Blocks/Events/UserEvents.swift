/// All events that were read of one user, by kind, in no order. They lie in memory that another owns.
struct UserEvents: BitwiseCopyable {
  var charges = RecordSpan<ChargeRecord>()
  var refunds = RecordSpan<RefundRecord>()
  var occurrences = RecordSpan<OccurrenceRecord>()
  var snapshots = RecordSpan<SnapshotOccurrence>()
  var unpriced = RecordSpan<UnpricedCharge>()

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

/// Some of a user's events, in memory of its own, which is taken once for user after user.
struct ChosenEvents: ~Copyable {
  private var charges = RecordBuffer<ChargeRecord>()
  private var refunds = RecordBuffer<RefundRecord>()
  private var occurrences = RecordBuffer<OccurrenceRecord>()
  private var snapshots = RecordBuffer<SnapshotOccurrence>()
  private var unpriced = RecordBuffer<UnpricedCharge>()

  /// The events chosen last: good until others are, and while this lives.
  var events: UserEvents {
    UserEvents(
      charges: charges.span, refunds: refunds.span, occurrences: occurrences.span, snapshots: snapshots.span,
      unpriced: unpriced.span)
  }

  /// Takes those events for which `isWanted` holds, in place of the last ones.
  @inline(__always)
  mutating func choose(from all: UserEvents, where isWanted: (EventHead) -> Bool) {
    Self.choose(from: all.charges, into: &charges, isWanted)
    Self.choose(from: all.refunds, into: &refunds, isWanted)
    Self.choose(from: all.occurrences, into: &occurrences, isWanted)
    Self.choose(from: all.snapshots, into: &snapshots, isWanted)
    Self.choose(from: all.unpriced, into: &unpriced, isWanted)
  }

  @inline(__always)
  private static func choose<Record: EventRecord>(
    from all: RecordSpan<Record>, into chosen: inout RecordBuffer<Record>, _ isWanted: (EventHead) -> Bool
  ) {
    chosen.removeAll()
    for event in all where isWanted(event.head) { chosen.append(event) }
  }
}
