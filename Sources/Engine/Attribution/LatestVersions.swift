/// Knows the newest row of each charge, in exports that list a transaction again whenever more of it is known.
///
/// A row repeats what is known of a transaction, refunds and all, so an older snapshot says nothing that still holds.
/// It may know one thing that a later one does not: in version 3 of RevenueCat's exports, what a charge cost that was
/// refunded since.
struct LatestVersions {
  /// By the key of the row's charge.
  private var latest: [UInt64: SnapshotVersion] = [:]
  /// The latest row of a charge that tells its price before refunds.
  private var withGross: [UInt64: ChargeRecord] = [:]

  init(of events: UserEvents) {
    for event in events.charges where event.version.isReplaceable { note(event.version, of: event.head.key) }
    for event in events.unpriced where event.version.isReplaceable { note(event.version, of: event.head.key) }
    for event in events.refunds where event.version.isReplaceable { note(event.version, of: event.chargeKey) }
    for event in events.snapshots { note(event.version, of: event.head.key) }
    if !latest.isEmpty, tellsNet(events) { findPrices(events.charges) }
  }

  private mutating func note(_ version: SnapshotVersion, of row: UInt64) {
    guard row != 0 else { return }
    latest[row] = max(latest[row] ?? version, version)
  }

  private func tellsNet(_ events: UserEvents) -> Bool {
    events.charges.contains { $0.isNet } || events.refunds.contains { $0.measure == .remainder }
  }

  private mutating func findPrices(_ charges: RecordSpan<ChargeRecord>) {
    for event in charges where event.version.isReplaceable && event.head.hasKey && !event.isNet {
      if let known = withGross[event.head.key], event.version < known.version { continue }
      withGross[event.head.key] = event
    }
  }

  /// Whether a later snapshot replaces the one a charge comes from.
  @inline(__always)
  func replaces(_ event: ChargeRecord) -> Bool { replaces(event.version, of: event.head.key) }

  @inline(__always)
  func replaces(_ event: RefundRecord) -> Bool { replaces(event.version, of: event.chargeKey) }

  func replaces(_ event: SnapshotOccurrence) -> Bool { replaces(event.version, of: event.head.key) }

  @inline(__always)
  private func replaces(_ version: SnapshotVersion, of row: UInt64) -> Bool {
    guard version.isReplaceable, let latest = latest[row] else { return false }
    return version < latest
  }

  /// What an older row tells of the price before refunds of a charge whose row tells it no more.
  func price(of charge: ChargeRecord) -> ChargeRecord? {
    charge.version.isReplaceable ? withGross[charge.head.key] : nil
  }
}
