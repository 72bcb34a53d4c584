/// Where a user stands at T: the first of these that fits.
enum UserState: Int, Sendable, CaseIterable {
  /// The latest charge was taken back in full.
  case refunded
  /// A renewal has failed, or access goes on by grace alone.
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
  var name: String {
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
    if user.charges.isEmpty {
      self = user.stateUnpaid
    } else if user.charges.last?.isTakenBack ?? false {
      self = .refunded
    } else {
      self = user.statePaid
    }
  }
}

extension UserHistory {
  /// The state of a user who was never charged.
  fileprivate var stateUnpaid: UserState {
    if isRetryOpen { return .billingRetry }
    if isInTrial { return .inTrial }
    return hasTrial ? .trialExpired : .never
  }

  /// The state of a user whose latest charge stands.
  fileprivate var statePaid: UserState {
    let access = self.access
    if isRetryOpen || access.isGraceOnly(at: cutoff) { return .billingRetry }
    if access.givesAccess(at: cutoff) { return access.isRenewalOff ? .setToExpire : .subscribed }
    if hasOneTimeAccess { return .oneTimeAccess }
    if isInTrial { return .inTrial }
    if !access.stretches.isEmpty { return .expired }
    return hasTrial ? .trialExpired : .oneTimeExpired
  }

  private var hasTrial: Bool { events.contains { $0.type == .trialStart } }

  /// The latest failed renewal was followed by no recovery, no auto-renewable charge and no end.
  var isRetryOpen: Bool {
    guard let retry = events.last(where: { $0.type == .billingRetry })?.time else { return false }
    for event in events.reversed() {
      if event.time < retry { break }
      if event.type == .billingRecovery || event.type == .expire { return false }
    }
    return !charges.contains { $0.isAutoRenewable && $0.time >= retry }
  }

  /// A trial that is not over, by its told end, else by its product's length; one of unknown length goes on.
  var isInTrial: Bool {
    let lastExpiry = events.last { $0.type == .expire }?.time ?? .min
    return events.contains { event in
      guard event.type == .trialStart, event.time > lastExpiry else { return false }
      let length = event.product == Interner.none ? nil : facts.trials[Int(event.product)]
      return (event.end ?? length?.end(from: event.time) ?? AccessTimeline.open) > cutoff
    }
  }

  /// A charge that does not renew and still gives what it was for.
  var hasOneTimeAccess: Bool {
    charges.contains { charge in
      guard !charge.isTakenBack else { return false }
      switch charge.kind {
      case .autoRenewable, .consumable: return false
      case .nonConsumable: return true
      case .nonRenewing:
        let length = facts.periods[Int(charge.product)]
        return (charge.end ?? length?.end(from: charge.time) ?? AccessTimeline.open) > cutoff
      }
    }
  }
}
