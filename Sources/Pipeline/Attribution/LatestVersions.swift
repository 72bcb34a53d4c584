/// Of rows that stand for their charge until a later row replaces them, the latest of each charge.
///
/// An export is a snapshot: a row repeats what is known of a transaction, refunds and all, so an older one says
/// nothing that still holds.
struct LatestVersions {
  private var latest: [UInt64: Int64] = [:]

  init(of events: ArraySlice<EventRecord>) {
    for event in events where event.flags.contains(.hasVersion) {
      guard let row = Self.row(of: event) else { continue }
      latest[row] = max(latest[row] ?? .min, event.version)
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

  /// The key of the charge a row stands for: a refund in it has that as its charge's, other companions as their own.
  private static func row(of event: EventRecord) -> UInt64? {
    if event.type.isRefund { return event.chargeKey }
    return event.flags.contains(.hasKey) ? event.key : nil
  }
}
