/// Knows the newest row of each charge, in exports that list a transaction again whenever more of it is known.
///
/// A row repeats what is known of a transaction, refunds and all, so an older snapshot says nothing that still holds.
/// It may know one thing that a later one does not: in version 3 of RevenueCat's exports, what a charge cost that was
/// refunded since.
struct LatestVersions {
  /// By the key of the row's charge.
  private var latest: [UInt64: Int64] = [:]
  /// The latest row of a charge that tells its price before refunds.
  private var withGross: [UInt64: PurchaseEvent] = [:]

  /// Nothing is replaced.
  var isEmpty: Bool { latest.isEmpty }

  init(of events: UserEvents) {
    for event in events.charges { note(event) }
    for event in events.unpriced { note(event) }
    for event in events.refunds { note(event) }
    for event in events.snapshots { note(event) }
    if !latest.isEmpty, reportsNet(events) { findPrices(events.charges) }
  }

  @inline(__always)
  private mutating func note(_ event: PurchaseEvent) {
    guard let version = event.version, let row = event.rowKey else { return }
    latest[row] = max(latest[row] ?? version, version)
  }

  private func reportsNet(_ events: UserEvents) -> Bool {
    events.charges.contains { $0.isNet } || events.refunds.contains { $0.measure == .remainder }
  }

  private mutating func findPrices(_ charges: RecordSpan<PurchaseEvent>) {
    for event in charges where event.isReplaceable && event.hasKey && !event.isNet {
      if let known = withGross[event.keyNumber]?.version, event.isOlder(than: known) { continue }
      withGross[event.keyNumber] = event
    }
  }

  /// Whether a later snapshot replaces the one that an event comes from.
  @inline(__always)
  func replaces(_ event: PurchaseEvent) -> Bool {
    guard event.isReplaceable, let row = event.rowKey, let latest = latest[row] else { return false }
    return event.isOlder(than: latest)
  }

  /// What an older row tells of the price before refunds of a charge whose row tells it no more.
  func price(of charge: PurchaseEvent) -> PurchaseEvent? {
    charge.isReplaceable ? withGross[charge.keyNumber] : nil
  }
}

extension PurchaseEvent {
  /// The key of the charge in whose row the event stands.
  fileprivate var rowKey: UInt64? { traits.type.isRefund ? rest.chargeKey : moment.key?.low }
}
