import Jobs

/// What is read of a notification's payload, and of the line it came in.
///
/// Source: Apple, App Store Server Notifications V2, `responseBodyV2`, `responseBodyV2DecodedPayload` and
/// `data`; App Store Server API, `NotificationHistoryResponse`.
enum NotificationMember: Int, JSONMember {
  case notificationType, subtype, notificationUUID, signedDate
  case environment, bundleId, signedTransactionInfo, signedRenewalInfo, transactionInfo, renewalInfo
  case summaryEnvironment, summaryBundleId, appDataEnvironment, appDataBundleId, tokenBundleId
  /// How the subscription stands: 4 is in its grace period.
  case status
  /// A line's own: the signed payload as Apple posts it, or a page of payloads.
  case signedPayload, notificationHistory

  var source: SourceField {
    switch self {
    case .environment, .bundleId, .status, .signedTransactionInfo, .signedRenewalInfo, .transactionInfo, .renewalInfo:
      .path("data", String(describing: self))
    case .summaryEnvironment: .path("summary", "environment")
    case .summaryBundleId: .path("summary", "bundleId")
    case .appDataEnvironment: .path("appData", "environment")
    case .appDataBundleId: .path("appData", "bundleId")
    case .tokenBundleId: .path("externalPurchaseToken", "bundleId")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of a transaction. Source: Apple, App Store Server API, `JWSTransactionDecodedPayload`.
enum TransactionMember: Int, JSONMember {
  case transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId
  case purchaseDate, expiresDate, signedDate, environment, inAppOwnershipType
  case appAccountToken, appTransactionId, price, currency, offerDiscountType
  case revocationDate, revocationPercentage
  case subscriptionGroupIdentifier, offerPeriod, billingPlanType
  /// What was bought, and whether at the customer's wish or by the subscription's renewal.
  case type, transactionReason
  /// Of a commitment, `TransactionCommitmentInfo` (API 1.21): which payment it is, of how many.
  case billingPeriodNumber, totalBillingPeriods

  var source: SourceField {
    switch self {
    case .billingPeriodNumber, .totalBillingPeriods: .path("commitmentInfo", String(describing: self))
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of a subscription's renewal. Source: Apple, App Store Server API, `JWSRenewalInfoDecodedPayload`.
enum RenewalMember: Int, JSONMember {
  case originalTransactionId, productId, appAccountToken, appTransactionId, environment, signedDate
  case gracePeriodExpiresDate
  /// 0 where auto-renew is off; why a subscription that is over expired: 1 for the customer's wish, 2 for a failed payment.
  case autoRenewStatus, expirationIntent
  case isInBillingRetryPeriod

  var source: SourceField { SourceField(name: String(describing: self)) }
}

extension NotificationUser {
  var ofTransaction: TransactionMember {
    switch self {
    case .appAccountToken: .appAccountToken
    case .originalTransactionId: .originalTransactionId
    case .appTransactionId: .appTransactionId
    }
  }

  var ofRenewal: RenewalMember {
    switch self {
    case .appAccountToken: .appAccountToken
    case .originalTransactionId: .originalTransactionId
    case .appTransactionId: .appTransactionId
    }
  }
}
