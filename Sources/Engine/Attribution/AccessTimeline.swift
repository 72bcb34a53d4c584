/// Until when a user's subscriptions give access, as far as is known at the cut-off.
///
/// In each group of subscriptions the latest charge decides. A charge's interval reaches from it to the next such charge of
/// its group, or to the cut-off, and what the log tells in the interval says how its access ends: with the period where
/// renewal is off, later by the grace where the next charge may still come. What names another product or another
/// subscription than the charge's is not the interval's.
///
/// States, `active_subscription`, `set_to_renew`, `mrr` and `retention` all ask here.
package struct AccessTimeline: BitwiseCopyable {
  /// One for each auto-renewable charge, or for the latest of each group of subscriptions: group by group, in the history's
  /// order.
  package let intervals: RecordSpan<Interval>

  /// An end that nobody knows.
  package static let open = Int64.max

  package struct Interval: BitwiseCopyable {
    /// Index into the history's charges.
    package var charge: Int
    /// Stands for the charge's group of subscriptions; 0 where all are one.
    var group: UInt32
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
    /// When a renewal failed that nothing in the interval has answered.
    var openRetry: Int64?
  }

  /// When the latest charge of a group of subscriptions came; nil where none did.
  func lastStart(inGroup group: UInt32) -> Int64? { intervals.last { $0.group == group }?.start }

  /// The access that began with a charge: a renewal carries it on, however late, and a purchase while access lasts; a
  /// purchase after the end begins anew.
  package struct Course: BitwiseCopyable {
    /// The intervals of the charge's own group.
    package var intervals: RecordSpan<Interval>
    /// When it ends, as the latest charge of each group tells, in whichever last.
    package var accessEnd: Int64
  }

  /// The course from a charge on; nil where it is none of a subscription.
  package func course(fromCharge number: Int) -> Course? {
    guard let first = intervals.firstIndex(where: { $0.charge == number }), let last = intervals.last else {
      return nil
    }
    let isOneGroup = intervals[0].group == last.group
    return isOneGroup ? course(from: first) : courseOfGroups(from: first)
  }

  private func course(from first: Int) -> Course {
    var end = first + 1
    while end < intervals.count, intervals[end].continues(until: intervals[end - 1].accessEnd) { end += 1 }
    return Course(intervals: intervals[first..<end], accessEnd: intervals[end - 1].accessEnd)
  }

  private func courseOfGroups(from first: Int) -> Course {
    let own = intervals[first].group
    var (count, ends) = (0, [UInt32: Int64]())
    for interval in intervals.filter({ $0.charge >= intervals[first].charge }).sorted(by: { $0.charge < $1.charge }) {
      let end = ends.values.max() ?? AccessTimeline.open
      guard interval.continues(until: end) else { break }
      ends[interval.group] = interval.accessEnd
      if interval.group == own { count += 1 }
    }
    return Course(
      intervals: intervals[first..<first + count], accessEnd: ends.values.max() ?? intervals[first].accessEnd)
  }
}

/// Works out how long a user's charges give access; one for user after user, so that its memory is taken once.
struct AccessTimelineBuilder: ~Copyable {
  private var retained = RecordBuffer<AccessTimeline.Interval>()
  /// When each charge was taken back in full, where that stands; only filled where anything was taken back.
  private var fullRefunds = RecordBuffer<Int64>()

  /// The timeline that was built last: good until another is.
  var timeline: AccessTimeline { AccessTimeline(intervals: retained.span) }

  /// Builds the timeline of all subscription charges, or of the latest of each group alone: what its interval is follows
  /// from nothing before it.
  mutating func build(_ user: UserHistory, latestAlone: Bool) {
    retained.removeAll()
    findFullRefunds(user)
    guard user.hasSeveralSubscriptionGroups else { return add(user, group: nil, latestAlone: latestAlone) }
    var groups: [UInt32] = []
    for charge in user.charges where charge.givesAccess && !groups.contains(charge.subscriptionGroup) {
      groups.append(charge.subscriptionGroup)
    }
    for group in groups { add(user, group: group, latestAlone: latestAlone) }
  }

  /// Adds the intervals of one group of subscriptions; nil is all of them.
  private mutating func add(_ user: UserHistory, group: UInt32?, latestAlone: Bool) {
    let charges = user.charges
    func isMeant(_ charge: UserHistory.Charge) -> Bool {
      charge.givesAccess && (group.map { charge.subscriptionGroup == $0 } ?? true)
    }
    guard let last = charges.lastIndex(where: isMeant) else { return }
    let first = retained.count
    for number in (latestAlone ? last : 0)...last where isMeant(charges[number]) {
      retained.append(
        AccessTimeline.Interval(
          charge: number, group: group ?? 0, start: charges[number].time,
          isRenewal: charges[number].type == .renewal))
    }
    settle(retained.span[first..<retained.count], user)
  }

  private func settle(_ intervals: RecordSpan<AccessTimeline.Interval>, _ user: UserHistory) {
    let events = user.events
    let hasTurns = user.happened.mayHold(anyOf: .turns)
    var next = hasTurns ? events.partitioningIndex { $0.time >= intervals[intervals.startIndex].start } : events.count
    for index in intervals.indices {
      let end = index + 1 < intervals.endIndex ? intervals[index + 1].start : .max
      let charge = user.charges[intervals[index].charge]
      var turns = SubscriptionTurns(of: charge)
      while next < events.count, events[next].time < end {
        if events[next].concerns(charge) { turns.accept(events[next]) }
        next += 1
      }
      settle(&intervals[index], charge, user, turns)
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

  private func settle(
    _ interval: inout AccessTimeline.Interval, _ charge: UserHistory.Charge, _ user: UserHistory,
    _ turns: SubscriptionTurns
  ) {
    let reportedEnd = turns.extendedTo ?? charge.end
    let periodEnd = reportedEnd ?? user.period(of: charge)?.end(from: charge.time) ?? AccessTimeline.open
    let grace = user.facts.graces[Int(charge.product)]
    let graceEnd = periodEnd == AccessTimeline.open ? AccessTimeline.open : grace.end(from: periodEnd)
    interval.periodEnd = periodEnd
    interval.renewalDue = graceEnd
    interval.isRenewalOff = turns.isRenewalOff
    // A charge answers a failure of its own instant.
    interval.openRetry = turns.openRetry.flatMap { $0 > charge.time ? $0 : nil }
    interval.accessEnd = periodEnd
    if !turns.isRenewalOff, !turns.hasNoGrace {
      // A told end is the end, unless a renewal has failed; an untold one waits for the renewal anyway.
      let isWaiting = turns.isRetried || reportedEnd == nil
      interval.accessEnd = turns.graceEnd ?? (isWaiting ? graceEnd : periodEnd)
    }
    interval.accessEnd = min(interval.accessEnd, turns.expiredAt ?? AccessTimeline.open)
    if !fullRefunds.isEmpty { interval.accessEnd = min(interval.accessEnd, fullRefunds.span[interval.charge]) }
  }
}

extension UserHistory.Charge {
  /// It is for a period of a subscription.
  fileprivate var givesAccess: Bool { isAutoRenewable && !isAddition }
}

extension AccessTimeline.Interval {
  /// Whether the charge carries on an access that lasts until then.
  fileprivate func continues(until end: Int64) -> Bool { isRenewal || start <= end }
}

extension UserHistory.Event {
  /// Whether the event is about what a charge gave: it names neither another product nor another subscription.
  func concerns(_ charge: UserHistory.Charge) -> Bool {
    (product == charge.product || product == Interner.none) && isOfSubscription(charge.chain)
  }

  /// Whether nothing says that the event belongs to another subscription than that one.
  func isOfSubscription(_ other: UInt32) -> Bool { chain == other || chain == 0 || other == 0 }
}
