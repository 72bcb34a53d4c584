import Domain

/// What becomes of failed renewals whose log does not say it: the next renewal is the recovery, and where none came
/// by the time that access ended, it has ended.
///
/// Source: RevenueCat, whose exports and webhooks tell of the failure alone.
enum BillingIssues {
  /// The store tries again for 60 days; a renewal after that is none of the failed one.
  private static let longestRetry = 60 * Instant.millisecondsPerDay

  /// The event depends on what came after it.
  static func concerns(_ event: EventRecord) -> Bool {
    event.flags.contains(.isRecoveredByRenewal) || event.type == .expire && event.rowStart != nil
  }

  /// Adds the recoveries and takes out the ends that did not come.
  ///
  /// - Parameter charges: by time.
  static func settle(_ events: inout [EventRecord], by charges: [UserHistory.Charge]) {
    var recoveries: [EventRecord] = []
    events.removeAll { event in
      guard concerns(event), let next = nextCharge(after: event, in: charges) else { return false }
      if event.type == .expire { return true }
      if next.type == .renewal, next.time - event.time <= longestRetry {
        recoveries.append(recovery(of: event, at: max(next.time, event.time)))
      }
      return false
    }
    events += recoveries
  }

  /// The next charge of what failed to renew: after its row's own charge, or after the failure itself.
  private static func nextCharge(
    after issue: EventRecord, in charges: [UserHistory.Charge]
  ) -> UserHistory.Charge? {
    let earliest = issue.rowStart.map { $0 + 1 } ?? issue.time
    return charges[charges.partitioningIndex { $0.time >= earliest }...]
      .first { $0.product == issue.product && $0.isAutoRenewable }
  }

  private static func recovery(of issue: EventRecord, at time: Int64) -> EventRecord {
    var event = issue
    event.type = .billingRecovery
    event.time = time
    event.amountMicros = Int64(Interner.none)
    event.key = Fingerprint(contentOf: event.type, product: event.product, time: time).low
    event.flags = [.isCompanion, .hasKey]
    return event
  }
}
