import Domain

/// What each type of notification tells.
///
/// Source of types and subtypes: Apple, App Store Server Notifications V2, `notificationType` and `subtype`.
struct NotificationKind {
  let tells: EventType
  /// An offer of the kind FREE_TRIAL makes a trial of it.
  let mayBeTrial: Bool
  /// The subtype that makes it what it is; nil where any does.
  private let subtype: Identifier?
  /// Subtypes that make something else of it: a downgrade takes effect with the next renewal, which is told.
  private let exceptions: Set<Identifier>
  /// Subtypes that its documentation has.
  private let known: Set<Identifier>

  private init(
    _ tells: EventType, mayBeTrial: Bool = false, only subtype: Identifier? = nil,
    except exceptions: Set<Identifier> = [], known: Identifier...
  ) {
    self.tells = tells
    self.mayBeTrial = mayBeTrial
    self.subtype = subtype
    self.exceptions = exceptions
    self.known = subtype.map { [$0] } ?? Set(known)
  }

  static let upgrade: Identifier = "UPGRADE"
  static let billingRecovery: Identifier = "BILLING_RECOVERY"
  static let freeTrial: Identifier = "FREE_TRIAL"
  static let familyShared: Identifier = "FAMILY_SHARED"

  private static let kinds: [Identifier: [NotificationKind]] = [
    "SUBSCRIBED": [NotificationKind(.purchase, mayBeTrial: true, known: "INITIAL_BUY", "RESUBSCRIBE")],
    "OFFER_REDEEMED": [
      NotificationKind(
        .purchase, mayBeTrial: true, except: ["DOWNGRADE"], known: "INITIAL_BUY", "RESUBSCRIBE", upgrade)
    ],
    "DID_CHANGE_RENEWAL_PREF": [NotificationKind(.purchase, only: upgrade)],
    "DID_RENEW": [NotificationKind(.renewal, known: billingRecovery)],
    "ONE_TIME_CHARGE": [NotificationKind(.oneTimePurchase)],
    "REFUND": [NotificationKind(.refund)],
    "REFUND_REVERSED": [NotificationKind(.refundReversal)],
    "DID_CHANGE_RENEWAL_STATUS": [
      NotificationKind(.cancel, only: "AUTO_RENEW_DISABLED"), NotificationKind(.uncancel, only: "AUTO_RENEW_ENABLED"),
    ],
    "DID_FAIL_TO_RENEW": [NotificationKind(.billingRetry, known: "GRACE_PERIOD")],
    "EXPIRED": [
      NotificationKind(.expire, known: "VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE")
    ],
    "GRACE_PERIOD_EXPIRED": [NotificationKind(.expire)],
    "RENEWAL_EXTENDED": [NotificationKind(.extend)],
  ]

  /// The kind of a notification; nil where nothing is measured by it. An empty `subtype` is none.
  static func kind(_ type: Identifier, subtype: Identifier) -> NotificationKind? {
    kinds[type]?.first { ($0.subtype == nil || $0.subtype == subtype) && !$0.exceptions.contains(subtype) }
  }

  /// Whether the documentation has this subtype of it.
  func knows(_ subtype: Identifier) -> Bool { subtype.utf8.isEmpty || known.contains(subtype) }

  /// Values of a transaction's members that the documentation has; whatever else stands there is counted.
  static let knownValues: [TransactionMember: Set<Identifier>] = [
    .offerDiscountType: [freeTrial, "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"],
    .inAppOwnershipType: ["PURCHASED", familyShared],
    .environment: environments,
  ]

  /// Environments that the documentation has.
  static let environments: Set<Identifier> = ["Production", "Sandbox", "Xcode", "LocalTesting"]
}
