import Domain

/// What is read of an order, and of the page it came in. Source: Google, Google Play Developer API v3, `Order`.
enum GooglePlayOrderMember: Int, JSONMember {
  case orderId, purchaseToken, state, createTime, lastEventTime, lineItems, total, tax
  /// What the developer gets in the buyer's currency, less taxes, fees and what was given back in parts.
  case revenue
  /// Who bought, where the server keeps that beside the order or in it.
  case account, accountIdentifier
  case processedTime, refundTime, partialRefunds
  /// A line's own: a page of orders.
  case orders

  var source: SourceField {
    switch self {
    case .revenue: SourceField(name: "developerRevenueInBuyerCurrency")
    case .account: SourceField(name: "obfuscatedExternalAccountId")
    case .accountIdentifier: .path("externalAccountIdentifiers", "obfuscatedExternalAccountId")
    case .processedTime: .path("orderHistory", "processedEvent", "eventTime")
    case .refundTime: .path("orderHistory", "refundEvent", "eventTime")
    case .partialRefunds: .path("orderHistory", "partialRefundEvents")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// The states of an order that somebody has paid for. Source: as above, `State`.
enum GooglePlayOrderState {
  static let refunded: StaticString = "REFUNDED"
  static let charged: [StaticString] = ["PROCESSED", "PENDING_REFUND", "PARTIALLY_REFUNDED", refunded]
}

/// What is read of an order's line item. Source: as above, `LineItem`.
enum GooglePlayLineItemMember: Int, JSONMember {
  case productId, total, tax, subscriptionDetails, oneTimePurchaseDetails, paidAppDetails
  case offerPhase, base, introductory, freeTrial, proration, originalPhase, periodEnd

  var source: SourceField {
    switch self {
    case .offerPhase: .path("subscriptionDetails", "offerPhase")
    case .base: .path("subscriptionDetails", "offerPhaseDetails", "baseDetails")
    case .introductory: .path("subscriptionDetails", "offerPhaseDetails", "introductoryPriceDetails")
    case .freeTrial: .path("subscriptionDetails", "offerPhaseDetails", "freeTrialDetails")
    case .proration: .path("subscriptionDetails", "offerPhaseDetails", "prorationPeriodDetails")
    case .originalPhase:
      .path("subscriptionDetails", "offerPhaseDetails", "prorationPeriodDetails", "originalOfferPhase")
    case .periodEnd: .path("subscriptionDetails", "servicePeriodEndTime")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of a partial refund. Source: as above, `PartialRefundEvent`.
enum GooglePlayRefundMember: Int, JSONMember {
  case createTime, processTime, state, total

  var source: SourceField {
    self == .total ? .path("refundDetails", "total") : SourceField(name: String(describing: self))
  }
}

/// Which period of an offer an item of a subscription pays for. Source: as above, `OfferPhase` and `OfferPhaseDetails`.
enum GooglePlayPhase {
  case base, introductory, freeTrial
  /// Between two plans.
  case proration

  /// Nil where the item does not say.
  init?(_ item: Record<GooglePlayLineItemMember>) {
    let name = item.text(.offerPhase)
    if item[.proration].isObject {
      self = item.text(.originalPhase).isEqual("FREE_TRIAL") ? .freeTrial : .proration
    } else if item[.freeTrial].isObject || name.isEqual("FREE_TRIAL") {
      self = .freeTrial
    } else if item[.introductory].isObject || name.isEqual("INTRODUCTORY") {
      self = .introductory
    } else if item[.base].isObject || name.isEqual("BASE") {
      self = .base
    } else {
      return nil
    }
  }

  /// It is paid for, if only by points or a code where nothing was charged.
  var isPaid: Bool { self == .base || self == .introductory }
}
