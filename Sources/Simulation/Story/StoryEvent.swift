import Domain

/// Something that happened to a user, before any format has put it into words.
struct StoryEvent: Sendable {
  var time: Instant
  var user: UInt32
  /// Which of its user's events it is.
  var ordinal: Int
  /// Index into the story's steps; nil for what happens beside them.
  var step: Int?
  /// The native name: `purchase`, `refund`, `plan_view`.
  var type: String
  /// Index into the scenario's products; nil before anything is chosen.
  var product: Int?
  /// Which of the user's trials and charges it makes or concerns, from 1; 0 for none.
  var charge = 0
  /// The charge that the subscription began with.
  var firstCharge = 0
  /// The charge that its product's renewals began with: Google Play gives a change of plan an order of its own.
  var firstOfPlan = 0
  /// The charge that the renewals of the plan before began with; 0 where the subscription began with this plan.
  var firstOfPlanBefore = 0
  /// The charge's place in its subscription, from 1.
  var renewal = 0
  /// Of a charge its price, of a refund in part the part, in micros of `currency`.
  var amountMicros: Int64?
  /// Index into the story's currencies.
  var currency = 0
  /// When the subscription's first charge or trial came.
  var subscribedAt: Instant?
  /// When the charge came that this is or concerns.
  var chargedAt: Instant?
  /// The whole price of the charge that this is or concerns.
  var priceMicros: Int64 = 0
  /// The end of the charge's period or of the trial.
  var end: Instant?
  /// The end of the grace that a failed renewal has.
  var graceEnd: Instant?
  /// A renewal that had failed before.
  var isRecovery = false
  /// A purchase that replaces a running subscription.
  var isUpgrade = false
  /// The charge follows a trial of the same subscription.
  var followsTrial = false
  /// It is or concerns a charge of a subscription.
  var isAutoRenewable = false
  /// The charge that this is or concerns is a trial.
  var isTrial = false
  /// The trial is a date of the app's own: no store knows it, and nothing is sold.
  var isOwnTrial = false
  /// The charge that this is or concerns is at the introductory price.
  var isIntro = false
  /// What the store tells of the subscription does not say whose it is; a call to the app's server did.
  var isWithoutToken = false
  /// The credits that the user has left; nil where nobody spends any.
  var creditsLeft: Int64?
  /// Of a refund in part: the part.
  var part: Share?
  /// The paywall that sold the charge or trial that this is or concerns; empty where the story names none.
  var paywall = ""
  var code = ""
  /// Index into the scenario's groups: the group the log names; nil for an old client.
  var group: UInt8?
  /// Of a charge: what had been taken back of it at the log's end, and when last.
  var reversal: RefundedPart?
  /// Of a refund: all that had been taken back of the charge by then, this included.
  var refundedSoFar: Int64 = 0
  var dirt = StoryDirt.none

  struct RefundedPart: Sendable {
    var micros: Int64
    var time: Instant
  }

  /// Marks the ordinal of a row of dirt that is an event of its own.
  static let ownNumber = 1 << 11

  /// Nothing happened: a row of a user in a table of everybody.
  var isNothing: Bool { type.isEmpty }
  /// It is or concerns a charge or trial of a subscription.
  var isOfSubscription: Bool { isAutoRenewable || isTrial }
  var isCharge: Bool { Self.chargeTypes.contains(type) }
  var isRefund: Bool { type == "refund" || type == "refund_reversal" }

  static let chargeTypes: Set = ["purchase", "renewal", "one_time_purchase"]
  /// A store tells it; everything else only the app and its server see.
  var isOfStore: Bool { Self.storeTypes.contains(type) && !isOwnTrial }

  private static let storeTypes = chargeTypes.union([
    "trial_start", "refund", "refund_reversal", "cancel", "uncancel", "billing_retry", "billing_recovery", "expire",
  ])
}

extension StoryEvent {
  /// Takes over what is told of the charge or trial that the event is about.
  mutating func concern(_ charge: StoryEvent) {
    self.charge = charge.charge
    firstCharge = charge.firstCharge
    firstOfPlan = charge.firstOfPlan
    firstOfPlanBefore = charge.firstOfPlanBefore
    renewal = charge.renewal
    subscribedAt = charge.subscribedAt
    chargedAt = charge.chargedAt
    priceMicros = charge.priceMicros
    end = charge.end
    isTrial = charge.isTrial
    isOwnTrial = charge.isOwnTrial
    isIntro = charge.isIntro
    isAutoRenewable = charge.isAutoRenewable
    paywall = charge.paywall
  }

  /// By time as a log is written; the rest makes the order total.
  static func inLogOrder(_ left: Self, _ right: Self) -> Bool {
    (left.time, left.user, left.ordinal, left.dirt.order) < (
      right.time, right.user, right.ordinal, right.dirt.order
    )
  }
}
