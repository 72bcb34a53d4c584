/// Until when each of a user's auto-renewable charges gives access, as far as is known at T.
///
/// A charge's stretch reaches from it to the next such charge, or to T. What happens in the stretch tells how its
/// access ends: with the period where renewal is off, later by the grace where the next charge may still come.
struct AccessTimeline {
  /// One for each auto-renewable charge, in the history's order.
  private(set) var stretches: [Stretch] = []
  /// When each charge was last taken back in full; only filled where anything was taken back.
  private var fullRefunds: [Int64] = []

  /// An access that does not end by itself.
  static let open = Int64.max

  struct Stretch {
    /// Index into the history's charges.
    var charge: Int
    /// When the charge came.
    var start: Int64
    /// When the paid period ends, whatever happens in it; `open` where nothing tells.
    var periodEnd: Int64
    /// When access ends, grace and all; `open` where nothing tells.
    var accessEnd: Int64
    /// The user has turned renewal off, and not on again.
    var isRenewalOff: Bool
  }

  /// Some charge gives access at T.
  func givesAccess(at cutoff: Int64) -> Bool { stretches.contains { $0.accessEnd > cutoff } }

  /// Some charge gives access at T, but each such one by its grace alone.
  func isGraceOnly(at cutoff: Int64) -> Bool {
    let giving = stretches.lazy.filter { $0.accessEnd > cutoff }
    return !giving.isEmpty && giving.allSatisfy { $0.periodEnd <= cutoff }
  }

  /// Renewal is off in the stretch of the last auto-renewable charge.
  var isRenewalOff: Bool { stretches.last?.isRenewalOff ?? false }

  /// When access that began with a charge ends: charges that come before the last one's end carry it on.
  func end(fromCharge number: Int) -> Int64 {
    var index = stretches.partitioningIndex { $0.charge >= number }
    while index + 1 < stretches.count, stretches[index + 1].start <= stretches[index].accessEnd { index += 1 }
    return index < stretches.count ? stretches[index].accessEnd : Self.open
  }

  mutating func build(_ user: UserHistory) {
    stretches.removeAll(keepingCapacity: true)
    findFullRefunds(user)
    for (number, charge) in user.charges.enumerated() where charge.isAutoRenewable {
      stretches.append(
        Stretch(charge: number, start: charge.time, periodEnd: 0, accessEnd: 0, isRenewalOff: false))
    }
    guard let start = stretches.first?.start else { return }
    let events = user.events
    var next = events.partitioningIndex { $0.time >= start }
    for index in stretches.indices {
      let end = index + 1 < stretches.count ? stretches[index + 1].start : user.cutoff
      var happenings = Happenings()
      while next < events.count, events[next].time < end {
        happenings.take(events[next])
        next += 1
      }
      settle(index, user, happenings)
    }
  }

  private mutating func findFullRefunds(_ user: UserHistory) {
    fullRefunds.removeAll(keepingCapacity: true)
    guard !user.refundSteps.isEmpty else { return }
    fullRefunds = Array(repeating: Self.open, count: user.charges.count)
    for step in user.refundSteps where step.refunded == user.charges[step.charge].gross {
      fullRefunds[step.charge] = step.time
    }
  }

  private mutating func settle(_ index: Int, _ user: UserHistory, _ happenings: Happenings) {
    let number = stretches[index].charge
    let charge = user.charges[number]
    let product = Int(charge.product)
    let periodEnd = charge.end ?? user.facts.periods[product]?.end(from: charge.time) ?? Self.open
    stretches[index].periodEnd = periodEnd
    stretches[index].isRenewalOff = happenings.isRenewalOff
    var end = periodEnd
    if !happenings.isRenewalOff, periodEnd != Self.open, charge.end == nil || happenings.retriedAt != nil {
      let isGraceTold = charge.end != nil && happenings.graceEnd != nil
      end = isGraceTold ? happenings.graceEnd ?? periodEnd : user.facts.graces[product].end(from: periodEnd)
    }
    // Grace waits for the next charge; once that has come, it has nothing to wait for.
    if index + 1 < stretches.count { end = min(end, max(periodEnd, stretches[index + 1].start)) }
    end = min(end, happenings.expiredAt ?? Self.open)
    if charge.isTakenBack, number < fullRefunds.count { end = min(end, fullRefunds[number]) }
    stretches[index].accessEnd = end
  }

  /// What happens in one stretch.
  private struct Happenings {
    var isRenewalOff = false
    private var canceledAt: Int64?
    /// The first expiry.
    var expiredAt: Int64?
    /// The latest failed renewal, and when its grace ends, as far as the log tells.
    var retriedAt: Int64?
    var graceEnd: Int64?

    /// Takes the stretch's events in order of time; at one instant a `cancel` counts after an `uncancel`.
    mutating func take(_ event: UserHistory.Event) {
      switch event.type {
      case .cancel: (isRenewalOff, canceledAt) = (true, event.time)
      case .uncancel: isRenewalOff = canceledAt == event.time
      case .expire: expiredAt = expiredAt ?? event.time
      case .billingRetry:
        // At one instant the longest grace told.
        let told = retriedAt == event.time ? graceEnd : nil
        graceEnd = [told, event.end].compactMap(\.self).max()
        retriedAt = event.time
      default: break
      }
    }
  }
}
