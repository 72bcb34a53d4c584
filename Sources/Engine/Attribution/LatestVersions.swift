/// Of rows that stand for their charge until a later row replaces them, the latest of each charge.
///
/// An export is a snapshot: a row repeats what is known of a transaction, refunds and all, so an older one says
/// nothing that still holds. It may know one thing that a later one does not: in version 3 of RevenueCat's exports,
/// what a charge cost that was refunded since.
struct LatestVersions {
  private var latest: [UInt64: Int64] = [:]
  /// The latest row of a charge that tells its price before refunds.
  private var withGross: [UInt64: EventRecord] = [:]

  init(of events: ArraySlice<EventRecord>) {
    var tellsNet = false
    for event in events where event.flags.contains(.hasVersion) {
      guard let row = Self.row(of: event) else { continue }
      latest[row] = max(latest[row] ?? .min, event.version)
      tellsNet = tellsNet || event.flags.contains(.isNet)
    }
    if tellsNet { findPrices(events) }
  }

  private mutating func findPrices(_ events: ArraySlice<EventRecord>) {
    for event in events where event.type.isCharge && event.flags.contains(.hasVersion) {
      guard let row = Self.row(of: event), !event.flags.contains(.isNet), !event.flags.contains(.hasNoRate) else {
        continue
      }
      if event.version >= withGross[row]?.version ?? .min { withGross[row] = event }
    }
  }

  /// Whether a later row replaces the one this event comes from.
  @inline(__always)
  func replace(_ event: EventRecord) -> Bool {
    guard event.flags.contains(.hasVersion), let row = Self.row(of: event), let version = latest[row] else {
      return false
    }
    return event.version < version
  }

  /// What an older row tells of the price before refunds of a charge whose row tells it no more.
  func price(of charge: EventRecord) -> EventRecord? {
    charge.flags.contains(.hasVersion) ? withGross[charge.key] : nil
  }

  /// The key of the charge a row stands for: a refund in it has that as its charge's, other companions as their own.
  private static func row(of event: EventRecord) -> UInt64? {
    if event.type.isRefund { return event.chargeKey }
    return event.flags.contains(.hasKey) ? event.key : nil
  }
}
