import Domain

/// Where a user stands at the cut-off: the first of these that fits.
package enum UserState: Int, Sendable, CaseIterable {
  /// The latest charge was taken back in full, and no paid access remains.
  case refunded
  /// A renewal has failed, at most 60 days ago, or access goes on by grace alone.
  case billingRetry
  /// Paid access that will not be renewed.
  case setToExpire
  /// Paid access.
  case subscribed
  /// A product that does not renew, its time not over.
  case oneTimeAccess
  case inTrial
  /// Had paid access.
  case expired
  /// Had a trial and no paid access.
  case trialExpired
  /// Had bought only what does not renew.
  case oneTimeExpired
  case never

  /// As the tables have it: `billing_retry`.
  package var name: String {
    switch self {
    case .refunded: "refunded"
    case .billingRetry: "billing_retry"
    case .setToExpire: "set_to_expire"
    case .subscribed: "subscribed"
    case .oneTimeAccess: "one_time_access"
    case .inTrial: "in_trial"
    case .expired: "expired"
    case .trialExpired: "trial_expired"
    case .oneTimeExpired: "one_time_expired"
    case .never: "never"
    }
  }

  init(of user: UserHistory) {
    self = user.state
  }
}

extension UserHistory {
  /// How long a store tries to charge again: a failed renewal that old is given up.
  static let longestRetry = 60 * Instant.millisecondsPerDay

  fileprivate var state: UserState {
    let access = self.access
    let isActive = access.givesAccess(at: cutoff)
    if !isActive, charges.last?.isTakenBack ?? false, !hasOneTimeAccess { return .refunded }
    if isInRetry || access.isGraceOnly(at: cutoff) { return .billingRetry }
    if isActive { return access.isRenewalOff ? .setToExpire : .subscribed }
    if hasOneTimeAccess { return .oneTimeAccess }
    if isInTrial { return .inTrial }
    if access.latest != nil { return .expired }
    if hasTrial { return .trialExpired }
    return charges.isEmpty ? .never : .oneTimeExpired
  }

  private var hasTrial: Bool { happened.mayHold(.trialStart) && events.contains { $0.type == .trialStart } }

  /// A failed renewal, or first payment after a trial, that nothing has answered and that is not given up.
  private var isInRetry: Bool {
    guard happened.mayHold(.billingRetry), events.contains(where: { $0.type == .billingRetry }) else { return false }
    let retry = access.latest.map(\.openRetry) ?? openRetryWithoutCharge
    return retry.map { cutoff < $0 + Self.longestRetry } ?? false
  }

  private var openRetryWithoutCharge: Int64? {
    var turns = SubscriptionTurns()
    for event in events { turns.take(event) }
    return turns.openRetry
  }

  /// A trial that no subscription charge has followed and that is not over; one of unknown length goes on.
  private var isInTrial: Bool {
    guard hasTrial else { return false }
    let paidFrom = access.latest?.start ?? .min
    let told = ToldEnds(self)
    return events.contains { event in
      guard event.type == .trialStart, event.time > paidFrom else { return false }
      let length = event.product == Interner.none ? nil : facts.trials[Int(event.product)]
      let usual = event.end ?? length?.end(from: event.time) ?? AccessTimeline.open
      return told.end(of: event.product, from: event.time, usual: usual, takesUnnamed: true) > cutoff
    }
  }

  /// A charge that does not renew still gives what it was for.
  private var hasOneTimeAccess: Bool { lastOneTimeEnd.map { $0 > cutoff } ?? false }

  /// When the last access ends that charges give which do not renew; nil where none gives any.
  private var lastOneTimeEnd: Int64? {
    guard charges.contains(where: { $0.givesOneTimeAccess }) else { return nil }
    let told = ToldEnds(self)
    var last: Int64?
    for charge in charges where charge.givesOneTimeAccess {
      last = max(last ?? .min, oneTimeEnd(charge, told))
    }
    return last
  }

  /// Products whose charges give access at the cut-off of which nobody knows the end.
  var productsOfUnknownEnd: [UInt32] {
    let latest = access.latest.flatMap { $0.accessEnd == AccessTimeline.open ? charges[$0.charge].product : nil }
    var products = latest.map { [$0] } ?? []
    guard charges.contains(where: \.isPass) else { return products }
    let told = ToldEnds(self)
    for charge in charges where charge.isPass && oneTimeEnd(charge, told) == AccessTimeline.open {
      products.append(charge.product)
    }
    return products
  }

  private func oneTimeEnd(_ charge: Charge, _ told: ToldEnds) -> Int64 {
    told.end(of: charge.product, from: charge.time, usual: usualOneTimeEnd(charge), takesUnnamed: false)
  }

  private func usualOneTimeEnd(_ charge: Charge) -> Int64 {
    guard charge.kind == .nonRenewing else { return AccessTimeline.open }
    return charge.end ?? facts.periods[Int(charge.product)]?.end(from: charge.time) ?? AccessTimeline.open
  }
}

extension UserHistory.Charge {
  /// It stands, and gives access that does not renew.
  fileprivate var givesOneTimeAccess: Bool { !isTakenBack && (kind == .nonRenewing || kind == .nonConsumable) }
  /// It stands, and gives access for a time.
  fileprivate var isPass: Bool { kind == .nonRenewing && !isTakenBack }
}
