import Domain
import Measurement

extension UserState {
  init(of user: UserHistory) {
    self = user.state
  }
}

extension UserHistory {
  /// How long a store tries to charge again: a failed renewal that old is given up.
  static let longestRetry = 60 * Instant.millisecondsPerDay

  fileprivate var state: UserState {
    let access = self.access
    let isRefunded = charges.last?.isRefunded ?? false
    if isRefunded, !access.intervals.contains(where: { !hasCome($0.accessEnd) }), !hasOneTimeAccess {
      return .refunded
    }
    if let state = subscriptionState { return state }
    if hasOneTimeAccess { return .oneTimeAccess }
    if isInTrial { return .inTrial }
    if !access.intervals.isEmpty { return .expired }
    if hasTrial { return .trialExpired }
    return charges.isEmpty ? .never : .oneTimeExpired
  }

  /// The best that a subscription of any group comes to: one that goes on, one that will end, one in grace or retry; nil
  /// where none is any of these.
  private var subscriptionState: UserState? {
    // Of these three the better one comes later in the list of states.
    var best: UserState?
    for interval in access.intervals {
      guard let state = state(of: interval), state.rawValue > best?.rawValue ?? .min else { continue }
      best = state
    }
    return best ?? (isTrialInRetry ? .billingRetry : nil)
  }

  /// The first payment after a trial failed, of a group in which nothing has been charged.
  private var isTrialInRetry: Bool {
    guard happened.mayHold(.billingRetry) else { return false }
    if access.intervals.isEmpty { return isInRetry(since: openRetry { _ in true }) }
    guard hasSeveralSubscriptionGroups, hasTrial else { return false }
    return trials.contains { trial in
      lastCharge(ofTrial: trial) == nil
        && !trials.contains { $0.subscriptionGroup == trial.subscriptionGroup && $0.time > trial.time }
        && isInRetry(since: openRetry { $0.time >= trial.time && $0.mayConcern(trial) })
    }
  }

  private func state(of interval: AccessTimeline.Interval) -> UserState? {
    let isActive = !hasCome(interval.accessEnd)
    if isInRetry(since: interval.openRetry) || isActive && hasCome(interval.periodEnd) { return .billingRetry }
    guard isActive else { return nil }
    return interval.isRenewalOff ? .setToExpire : .subscribed
  }

  /// A failed renewal, or first payment after a trial, that nothing has answered is not given up.
  private func isInRetry(since retry: Int64?) -> Bool { retry.map { !hasCome($0 + Self.longestRetry) } ?? false }

  /// When the latest renewal failed of those events, if nothing of them has answered it.
  private func openRetry(_ isMeant: (Event) -> Bool) -> Int64? {
    var turns = SubscriptionTurns()
    for event in events where isMeant(event) { turns.accept(event) }
    return turns.openRetry
  }

  /// A charge that does not renew still gives what it was for.
  private var hasOneTimeAccess: Bool { lastOneTimeEnd.map { !hasCome($0) } ?? false }

  /// When the last access ends that charges give which do not renew; nil where none gives any.
  private var lastOneTimeEnd: Int64? {
    guard charges.contains(where: { $0.givesOneTimeAccess }) else { return nil }
    let reported = ReportedEnds(self)
    var last: Int64?
    for charge in charges where charge.givesOneTimeAccess {
      last = max(last ?? .min, oneTimeEnd(charge, reported))
    }
    return last
  }

  /// Products whose charges give access at the cut-off of which nobody knows the end.
  var productsOfUnknownEnd: [UInt32] {
    var products: [UInt32] = []
    for interval in access.intervals where interval.accessEnd == AccessTimeline.open {
      products.append(charges[interval.charge].product)
    }
    guard charges.contains(where: \.isPass) else { return products }
    let reported = ReportedEnds(self)
    for charge in charges where charge.isPass && oneTimeEnd(charge, reported) == AccessTimeline.open {
      products.append(charge.product)
    }
    return products
  }

  private func oneTimeEnd(_ charge: Charge, _ reported: ReportedEnds) -> Int64 {
    let beginning = ReportedEnds.Beginning(
      product: charge.product, chain: charge.chain, time: charge.time, usualEnd: usualOneTimeEnd(charge))
    return reported.end(of: beginning, acceptsUnnamed: false)
  }

  private func usualOneTimeEnd(_ charge: Charge) -> Int64 {
    guard charge.kind == .nonRenewing else { return AccessTimeline.open }
    return charge.end ?? facts.periods[Int(charge.product)]?.end(from: charge.time) ?? AccessTimeline.open
  }
}

extension UserHistory.Event {
  /// Whether the event names neither another product nor another subscription than a trial does.
  fileprivate func mayConcern(_ trial: UserHistory.Event) -> Bool {
    (product == trial.product || product == Interner.none) && isOfSubscription(trial.chain)
  }
}

extension UserHistory.Charge {
  /// It stands, and gives access that does not renew.
  fileprivate var givesOneTimeAccess: Bool { !isRefunded && (kind == .nonRenewing || kind == .nonConsumable) }
  /// It stands, and gives access for a time.
  fileprivate var isPass: Bool { kind == .nonRenewing && !isRefunded }
}
