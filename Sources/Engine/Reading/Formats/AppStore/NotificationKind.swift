import Domain

/// What each type of notification tells.
///
/// Source of types and subtypes: Apple, App Store Server Notifications V2, `notificationType` and `subtype`.
struct NotificationKind {
  let reports: EventType
  /// An offer of the kind FREE_TRIAL, or a price of 0, makes a trial of it.
  let mayBeTrial: Bool
  private let type: StaticString
  /// The subtype that makes it what it is; nil where any does.
  private let subtype: StaticString?
  /// The subtype that makes something else of it: a downgrade takes effect with the next renewal, which is told.
  private let exception: StaticString?
  /// Subtypes that its documentation has.
  private let known: [StaticString]

  private init(
    _ type: StaticString, _ reports: EventType, mayBeTrial: Bool = false, only subtype: StaticString? = nil,
    except exception: StaticString? = nil, known: StaticString...
  ) {
    self.type = type
    self.reports = reports
    self.mayBeTrial = mayBeTrial
    self.subtype = subtype
    self.exception = exception
    self.known = subtype.map { [$0] } ?? known
  }

  static let upgrade: StaticString = "UPGRADE"
  static let billingRecovery: StaticString = "BILLING_RECOVERY"
  static let gracePeriod: StaticString = "GRACE_PERIOD"
  static let freeTrial: StaticString = "FREE_TRIAL"
  /// An offer that is paid for at once, for all of its time.
  static let payUpFront: StaticString = "PAY_UP_FRONT"
  /// A subscription that is paid for month by month whatever its period: a year in twelve payments.
  static let monthly: StaticString = "MONTHLY"
  static let familyShared: StaticString = "FAMILY_SHARED"

  private static let kinds = [
    NotificationKind("SUBSCRIBED", .purchase, mayBeTrial: true, known: "INITIAL_BUY", "RESUBSCRIBE"),
    NotificationKind("DID_RENEW", .renewal, mayBeTrial: true, known: billingRecovery),
    NotificationKind("DID_CHANGE_RENEWAL_STATUS", .cancel, only: "AUTO_RENEW_DISABLED"),
    NotificationKind("DID_CHANGE_RENEWAL_STATUS", .uncancel, only: "AUTO_RENEW_ENABLED"),
    NotificationKind(
      "EXPIRED", .expire, known: "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"),
    NotificationKind("REFUND", .refund),
    NotificationKind("ONE_TIME_CHARGE", .oneTimePurchase),
    NotificationKind("DID_FAIL_TO_RENEW", .billingRetry, known: gracePeriod),
    NotificationKind("GRACE_PERIOD_EXPIRED", .expire),
    NotificationKind(
      "OFFER_REDEEMED", .purchase, mayBeTrial: true, except: "DOWNGRADE", known: "INITIAL_BUY", "RESUBSCRIBE", upgrade),
    NotificationKind("DID_CHANGE_RENEWAL_PREF", .purchase, mayBeTrial: true, only: upgrade),
    NotificationKind("REFUND_REVERSED", .refundReversal),
    NotificationKind("RENEWAL_EXTENDED", .extend),
  ]

  /// The kind of a notification; nil where nothing is measured by it. An empty `subtype` is none.
  static func kind(_ type: Text, subtype: Text) -> NotificationKind? {
    kinds.first { $0.matches(type, subtype) }
  }

  private func matches(_ type: Text, _ subtype: Text) -> Bool {
    type.isEqual(self.type) && self.subtype.map { subtype.isEqual($0) } ?? true
      && !(exception.map { subtype.isEqual($0) } ?? false)
  }

  /// Whether the documentation has this subtype of it.
  func knows(_ subtype: Text) -> Bool { subtype.isEmpty || subtype.isOne(of: known) }

  /// Values of a transaction's members that the documentation has; whatever else stands there is counted.
  static let knownValues: [(member: TransactionMember, values: [StaticString])] = [
    (.offerDiscountType, [freeTrial, "PAY_AS_YOU_GO", payUpFront, "ONE_TIME"]),
    (.billingPlanType, [monthly, "BILLED_UPFRONT"]),
    (.inAppOwnershipType, ["PURCHASED", familyShared]),
    (.environment, environments),
  ]

  /// Environments that the documentation has.
  static let environments: [StaticString] = ["Production", "Sandbox", "Xcode", "LocalTesting"]
}

extension Text {
  /// Equal, byte by byte, to one of a few words.
  func isOne(of words: [StaticString]) -> Bool { words.contains { isEqual($0) } }
}
