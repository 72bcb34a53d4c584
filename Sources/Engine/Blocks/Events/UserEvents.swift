/// All events that were read of one user, by kind, in no order. They lie in memory that another owns.
struct UserEvents: BitwiseCopyable {
  var charges = RecordSpan<PurchaseEvent>()
  var refunds = RecordSpan<PurchaseEvent>()
  /// What happened without money: a paywall shown, a trial, a cancellation, whatever the job names.
  var occurrences = RecordSpan<PurchaseEvent>()
  /// What rows of an export tell beside their charge, or of a trial: a later row takes their place.
  var snapshots = RecordSpan<PurchaseEvent>()
  /// Charges in a currency of which no exchange rate is known for their day.
  var unpriced = RecordSpan<PurchaseEvent>()

  var count: Int { charges.count + refunds.count + occurrences.count + snapshots.count + unpriced.count }
  var isEmpty: Bool { count == 0 }

  /// Calls `body` with every event.
  @inline(__always)
  func forEach(_ body: (PurchaseEvent) -> Void) {
    for event in charges { body(event) }
    for event in refunds { body(event) }
    for event in occurrences { body(event) }
    for event in snapshots { body(event) }
    for event in unpriced { body(event) }
  }

  /// Those events for which `isWanted` holds.
  func events(where isWanted: (PurchaseEvent) -> Bool = { _ in true }) -> [PurchaseEvent] {
    var events: [PurchaseEvent] = []
    forEach { if isWanted($0) { events.append($0) } }
    return events
  }

  /// Whether an event fell into the time, in milliseconds.
  func happenedSomething(in time: Range<Int64>) -> Bool {
    charges.contains { time.contains($0.time) } || refunds.contains { time.contains($0.time) }
      || occurrences.contains { time.contains($0.time) } || snapshots.contains { time.contains($0.time) }
      || unpriced.contains { time.contains($0.time) }
  }

  /// When a paywall was first shown from `time` on, in milliseconds; nil where none was.
  func firstPaywallView(from time: Int64) -> Int64? {
    occurrences.lazy.filter { $0.type == .paywallView && $0.time >= time }.map { $0.time }.min()
  }

  /// When the first charge came, with a known price or not; nil where none did.
  var firstCharge: Int64? {
    [charges.lazy.map { $0.time }.min(), unpriced.lazy.map { $0.time }.min()].compactMap(\.self).min()
  }
}

/// A user's events by kind, in memory of its own, which is taken once for user after user.
struct EventsByKind: ~Copyable {
  private var charges = RecordBuffer<PurchaseEvent>()
  private var refunds = RecordBuffer<PurchaseEvent>()
  private var occurrences = RecordBuffer<PurchaseEvent>()
  private var snapshots = RecordBuffer<PurchaseEvent>()
  private var unpriced = RecordBuffer<PurchaseEvent>()

  /// The events so far: good until others are added, and while this lives.
  var all: UserEvents {
    UserEvents(
      charges: charges.span, refunds: refunds.span, occurrences: occurrences.span, snapshots: snapshots.span,
      unpriced: unpriced.span)
  }

  mutating func removeAll() {
    charges.removeAll()
    refunds.removeAll()
    occurrences.removeAll()
    snapshots.removeAll()
    unpriced.removeAll()
  }

  @inline(__always)
  mutating func append(_ event: PurchaseEvent) {
    if event.type.isCharge {
      if event.reject == 0 { charges.append(event) } else { unpriced.append(event) }
    } else if event.type.isRefund {
      refunds.append(event)
    } else if event.version == nil {
      occurrences.append(event)
    } else {
      snapshots.append(event)
    }
  }

  /// Takes those events for which `isWanted` holds, in place of the last ones.
  @inline(__always)
  mutating func choose(from all: UserEvents, where isWanted: (PurchaseEvent) -> Bool) {
    removeAll()
    for event in all.charges where isWanted(event) { charges.append(event) }
    for event in all.refunds where isWanted(event) { refunds.append(event) }
    for event in all.occurrences where isWanted(event) { occurrences.append(event) }
    for event in all.snapshots where isWanted(event) { snapshots.append(event) }
    for event in all.unpriced where isWanted(event) { unpriced.append(event) }
  }
}
