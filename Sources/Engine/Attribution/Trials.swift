import Domain

/// A user's trials, and how long they last: as the log tells, else as the products table says of their product, else as the
/// job says of all.
///
/// An app may begin a trial by itself, with neither product nor transaction, and the store another one later: these are two.
extension UserHistory {
  var hasTrial: Bool { happened.mayHold(.trialStart) && events.contains { $0.type == .trialStart } }

  /// The trials, and what followed them in their subscriptions free.
  var trials: [Event] { events.filter { $0.type == .trialStart } + trialChanges }

  /// A trial that no subscription charge has followed is not over; one of unknown length goes on.
  var isInTrial: Bool { unpaidTrials.contains { !hasCome($0.end) } }

  /// Those of the trials that no subscription charge has followed of which nothing tells how long they are.
  var trialsOfUnknownLength: [Event] { unpaidTrials.lazy.filter { $0.end == AccessTimeline.open }.map(\.trial) }

  /// When a trial ends, as far as is known at the cut-off; `AccessTimeline.open` where nothing tells.
  func end(ofTrial trial: Event) -> Int64 { end(of: latestChange(of: trial), ReportedEnds(self)) }

  /// When a subscription was last charged that the trial may have led to; nil where none was. A trial that names nothing may
  /// have led to any.
  func lastCharge(ofTrial trial: Event) -> Int64? {
    guard hasSeveralSubscriptionGroups else { return access.lastStart(inGroup: 0) }
    if trial.isOfAnySubscription { return access.intervals.lazy.map(\.start).max() }
    return access.lastStart(inGroup: trial.subscriptionGroup)
  }

  /// The trials that no subscription charge has followed, as they stand now, each with its end.
  private var unpaidTrials: [(trial: Event, end: Int64)] {
    guard hasTrial else { return [] }
    let reported = ReportedEnds(self)
    return events.compactMap { event in
      guard event.type == .trialStart, case let trial = latestChange(of: event) else { return nil }
      guard trial.time > lastCharge(ofTrial: trial) ?? .min else { return nil }
      return (trial, end(of: trial, reported))
    }
  }

  /// What its subscription turned into without a charge is what is left of a trial.
  private func latestChange(of trial: Event) -> Event {
    trial.chain == 0 ? trial : trialChanges.last { $0.chain == trial.chain } ?? trial
  }

  private func end(of trial: Event, _ reported: ReportedEnds) -> Int64 {
    let usual = trial.end ?? facts.trial(of: trial.product)?.end(from: trial.time) ?? AccessTimeline.open
    let beginning = ReportedEnds.Beginning(
      product: trial.product, chain: trial.chain, time: trial.time, usualEnd: usual, until: firstCharge(ofTrial: trial))
    return reported.end(of: beginning, acceptsUnnamed: true)
  }

  /// When a subscription was first charged that the trial may have led to: what is told from then on is about that charge.
  private func firstCharge(ofTrial trial: Event) -> Int64 {
    let isOfAny = !hasSeveralSubscriptionGroups || trial.isOfAnySubscription
    let charge = charges.first {
      $0.isAutoRenewable && $0.time >= trial.time && (isOfAny || $0.subscriptionGroup == trial.subscriptionGroup)
    }
    return charge?.time ?? AccessTimeline.open
  }
}

extension UserHistory.Event {
  /// It names neither a product nor a subscription nor a group of them.
  var isOfAnySubscription: Bool { product == Interner.none && chain == 0 && subscriptionGroup == 0 }
}
