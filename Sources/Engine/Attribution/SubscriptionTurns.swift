/// What the log tells of a subscription between one charge of it and the next.
struct SubscriptionTurns {
  /// Renewal was turned off, and not on again.
  private(set) var isRenewalOff = false
  /// The first expiry.
  private(set) var expiredAt: Int64?
  /// Where the latest extension moved the end of access to.
  private(set) var extendedTo: Int64?
  private var extendedAt: Int64?
  private var canceledAt: Int64?
  private var retriedAt: Int64?
  private var reportedGraceEnd: Int64?
  private var reportedNoGrace = false
  private var answeredAt: Int64?
  /// When the grace ends of a renewal of which nothing tells when it failed.
  private var statedGraceEnd: Int64?

  /// Nothing is told.
  init() {}

  /// What the store answered of a charge counts from the charge on, until something is told at its time.
  init(of charge: UserHistory.Charge) {
    isRenewalOff = charge.standing.isRenewalOff
    if let end = charge.standing.end, end > charge.end ?? .min { (extendedTo, extendedAt) = (end, charge.time) }
    if let end = charge.standing.graceEnd { (retriedAt, statedGraceEnd) = (charge.time, end) }
  }

  /// Takes events in order of time; at one instant a `cancel` counts after an `uncancel`, and of several ends that
  /// are told the latest.
  mutating func accept(_ event: UserHistory.Event) {
    switch event.type {
    case .cancel: (isRenewalOff, canceledAt) = (true, event.time)
    case .uncancel: isRenewalOff = canceledAt == event.time
    case .expire:
      expiredAt = expiredAt ?? event.time
      answeredAt = event.time
    case .billingRecovery: answeredAt = event.time
    case .billingRetry:
      let earlier = retriedAt == event.time ? reportedGraceEnd : nil
      reportedGraceEnd = [earlier, event.end].compactMap(\.self).max()
      reportedNoGrace = event.reportsNoGrace || reportedNoGrace && retriedAt == event.time
      retriedAt = event.time
    case .extend:
      let earlier = extendedAt == event.time ? extendedTo : nil
      extendedTo = [earlier, event.end].compactMap(\.self).max()
      extendedAt = event.time
    default: break
    }
  }

  /// A renewal has failed since access was last extended.
  var isRetried: Bool { retriedAt.map { $0 >= extendedAt ?? .min } ?? false }

  /// When the grace of such a renewal ends, as far as the log tells.
  var graceEnd: Int64? { isRetried ? reportedGraceEnd ?? statedGraceEnd : nil }

  /// Such a renewal of which the log says that it has no grace.
  var hasNoGrace: Bool { isRetried && reportedNoGrace && graceEnd == nil }

  /// When the latest failed renewal came, if no recovery and no expiry has come since.
  var openRetry: Int64? { retriedAt.flatMap { $0 > answeredAt ?? .min ? $0 : nil } }
}
