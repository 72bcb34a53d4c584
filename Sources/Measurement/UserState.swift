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
}
