/// Until when a user's subscription gives access, as far as is known at the cut-off.
///
/// The latest subscription charge decides. A charge's stretch reaches from it to the next such charge, or to the
/// cut-off, and what the log tells in the stretch says how its access ends: with the period where renewal is off, later
/// by the grace where the next charge may still come. What names another product than the charge's is not the
/// stretch's.
///
/// States, `active_subscription`, `set_to_renew`, `mrr` and `retention` all ask here.
package struct AccessTimeline: BitwiseCopyable {
  /// One for each auto-renewable charge, in the history's order.
  let stretches: RecordSpan<Stretch>

  /// An end that nobody knows.
  package static let open = Int64.max

  package struct Stretch: BitwiseCopyable {
    /// Index into the history's charges.
    package var charge: Int
    /// When the charge came.
    package var start: Int64
    /// The charge continues the access before it, however late it comes.
    var isRenewal: Bool
    /// When the paid period ends, whatever happens in it; `open` where nothing tells.
    var periodEnd = AccessTimeline.open
    /// When access ends, grace and all; `open` where nothing tells.
    var accessEnd = AccessTimeline.open
    /// When the next charge is due at the latest, the product's grace included; `open` where nothing tells.
    var renewalDue = AccessTimeline.open
    /// The user has turned renewal off, and not on again.
    var isRenewalOff = false
    /// When a renewal failed that nothing in the stretch has answered.
    var openRetry: Int64?
  }

  /// The stretch that decides.
  package var latest: Stretch? { stretches.last }

  /// The subscription gives access at the cut-off.
  func givesAccess(at cutoff: Int64) -> Bool { stretches.last.map { $0.accessEnd > cutoff } ?? false }

  /// It does, but the paid period is over: by grace alone.
  func isGraceOnly(at cutoff: Int64) -> Bool {
    stretches.last.map { $0.accessEnd > cutoff && $0.periodEnd <= cutoff } ?? false
  }

  /// Renewal is off since the latest charge.
  var isRenewalOff: Bool { stretches.last?.isRenewalOff ?? false }

  /// The stretches that carry on the access that began with a charge: a renewal does, however late, and a purchase
  /// while access lasts; a purchase after the end begins anew.
  func course(fromCharge number: Int) -> RecordSpan<Stretch> {
    let first = stretches.partitioningIndex { $0.charge >= number }
    guard first < stretches.count else { return RecordSpan() }
    var last = first
    while last + 1 < stretches.count, stretches[last + 1].continues(stretches[last]) { last += 1 }
    return stretches[first..<last + 1]
  }
}

/// Works out how long a user's charges give access; one for user after user, so that its memory is taken once.
struct AccessTimelineBuilder: ~Copyable {
  private var kept = RecordBuffer<AccessTimeline.Stretch>()
  /// When each charge was taken back in full, where that stands; only filled where anything was taken back.
  private var fullRefunds = RecordBuffer<Int64>()

  /// The timeline that was built last: good until another is.
  var timeline: AccessTimeline { AccessTimeline(stretches: kept.span) }

  /// Builds the timeline of all subscription charges, or of the latest alone: what its stretch is follows from nothing
  /// before it.
  mutating func build(_ user: UserHistory, latestAlone: Bool) {
    kept.removeAll()
    let charges = user.charges
    guard let last = charges.lastIndex(where: { $0.isAutoRenewable }) else { return }
    for number in (latestAlone ? last : 0)...last where charges[number].isAutoRenewable {
      kept.append(
        AccessTimeline.Stretch(
          charge: number, start: charges[number].time, isRenewal: charges[number].type == .renewal))
    }
    let stretches = kept.span
    guard let start = stretches.first?.start else { return }
    findFullRefunds(user)
    let events = user.events
    let hasTurns = user.happened.mayHold(anyOf: .turns)
    var next = hasTurns ? events.partitioningIndex { $0.time >= start } : events.count
    for index in stretches.indices {
      let end = index + 1 < stretches.count ? stretches[index + 1].start : user.cutoff
      let product = user.charges[stretches[index].charge].product
      var turns = SubscriptionTurns()
      while next < events.count, events[next].time < end {
        if events[next].concerns(product) { turns.take(events[next]) }
        next += 1
      }
      settle(&stretches[index], user, turns)
    }
  }

  /// The first full refund counts that no reversal undid; further ones take nothing and move nothing.
  private mutating func findFullRefunds(_ user: UserHistory) {
    fullRefunds.removeAll()
    guard !user.refundSteps.isEmpty else { return }
    fullRefunds.fill(with: AccessTimeline.open, count: user.charges.count)
    let times = fullRefunds.span
    for step in user.refundSteps {
      let isFull = step.refunded > 0 && step.refunded == user.charges[step.charge].gross
      times[step.charge] = isFull ? min(times[step.charge], step.time) : AccessTimeline.open
    }
  }

  private func settle(_ stretch: inout AccessTimeline.Stretch, _ user: UserHistory, _ turns: SubscriptionTurns) {
    let charge = user.charges[stretch.charge]
    let product = Int(charge.product)
    let toldEnd = turns.extendedTo ?? charge.end
    let periodEnd = toldEnd ?? user.facts.periods[product]?.end(from: charge.time) ?? AccessTimeline.open
    let graceEnd =
      periodEnd == AccessTimeline.open ? AccessTimeline.open : user.facts.graces[product].end(from: periodEnd)
    stretch.periodEnd = periodEnd
    stretch.renewalDue = graceEnd
    stretch.isRenewalOff = turns.isRenewalOff
    // A charge answers a failure of its own instant.
    stretch.openRetry = turns.openRetry.flatMap { $0 > charge.time ? $0 : nil }
    stretch.accessEnd = periodEnd
    if !turns.isRenewalOff {
      // A told end is the end, unless a renewal has failed; an untold one waits for the renewal anyway.
      let isWaiting = turns.isRetried || toldEnd == nil
      stretch.accessEnd = turns.graceEnd ?? (isWaiting ? graceEnd : periodEnd)
    }
    stretch.accessEnd = min(stretch.accessEnd, turns.expiredAt ?? AccessTimeline.open)
    if !fullRefunds.isEmpty { stretch.accessEnd = min(stretch.accessEnd, fullRefunds.span[stretch.charge]) }
  }
}

extension AccessTimeline.Stretch {
  /// Whether the charge carries on what an earlier one gave.
  fileprivate func continues(_ earlier: Self) -> Bool { isRenewal || start <= earlier.accessEnd }
}

extension UserHistory.Event {
  /// Whether the event is about a product's access: it names the product, or none.
  func concerns(_ product: UInt32) -> Bool { self.product == product || self.product == Interner.none }
}
