import Domain

/// What becomes of failed renewals whose log does not say it: the next renewal is the recovery, and where none came
/// by the time that access ended, it has ended.
///
/// Source: RevenueCat, whose exports and webhooks tell of the failure alone.
enum BillingIssues {
  /// The store tries again for 60 days; a renewal after that is none of the failed one.
  private static let longestRetry = 60 * Instant.millisecondsPerDay

  /// Some of the events depend on what came after them.
  static func areAmong(_ events: RecordSpan<PurchaseEvent>) -> Bool { events.contains { $0.isRecoveredByRenewal } }

  static func areAmong(_ events: [PurchaseEvent]) -> Bool { events.contains(where: isOpen) }

  private static func isOpen(_ event: PurchaseEvent) -> Bool {
    event.isRecoveredByRenewal || event.type == .expire && event.rowStart != nil
  }

  /// The recoveries of failed renewals.
  ///
  /// - Parameter charges: by time.
  static func recoveries(
    of events: RecordSpan<PurchaseEvent>, by charges: RecordSpan<UserHistory.Charge>
  ) -> [PurchaseEvent] {
    events.compactMap { event in
      event.isRecoveredByRenewal ? recovery(of: event, by: charge(ofSame: event, from: event.time, charges)) : nil
    }
  }

  /// What snapshots tell, with the recoveries of failed renewals, and without the ends that did not come.
  ///
  /// - Parameter charges: by time.
  static func settled(_ events: [PurchaseEvent], by charges: RecordSpan<UserHistory.Charge>)
    -> [PurchaseEvent]
  {
    events.flatMap { event -> [PurchaseEvent] in
      guard isOpen(event) else { return [event] }
      // The charge of the row itself is not what came after it.
      let next = charge(ofSame: event, from: event.rowStart.map { $0 + 1 } ?? event.time, charges)
      if event.type == .expire { return next == nil ? [event] : [] }
      return [event, recovery(of: event, by: next)].compactMap(\.self)
    }
  }

  /// The first charge of the event's subscription from a time on.
  private static func charge(
    ofSame event: PurchaseEvent, from time: Int64, _ charges: RecordSpan<UserHistory.Charge>
  ) -> UserHistory.Charge? {
    charges[charges.partitioningIndex { $0.time >= time }...]
      .first { charge in
        charge.product == event.product && charge.isAutoRenewable
          && (charge.chain == event.chain || charge.chain == 0 || event.chain == 0)
      }
  }

  private static func recovery(of issue: PurchaseEvent, by next: UserHistory.Charge?) -> PurchaseEvent? {
    guard let next, next.type == .renewal, next.time - issue.time <= longestRetry else { return nil }
    return issue.recovered(at: max(next.time, issue.time))
  }
}
