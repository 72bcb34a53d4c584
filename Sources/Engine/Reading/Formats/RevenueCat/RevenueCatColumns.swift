extension RevenueCatExport.Column {
  /// The column's name in the file.
  var name: String {
    switch self {
    case .user: "rc_original_app_user_id"
    case .lastSeenUser: "rc_last_seen_app_user_id_alias"
    case .thirdUser: CustomerIDs.third
    case .product: "product_identifier"
    case .startTime: "start_time"
    case .endTime: "end_time"
    case .effectiveEndTime: "effective_end_time"
    case .gracePeriodEndTime: "grace_period_end_time"
    case .store: "store"
    case .isAutoRenewable: "is_auto_renewable"
    case .isTrialPeriod: "is_trial_period"
    case .isSandbox: "is_sandbox"
    case .ownershipType: "ownership_type"
    case .transaction: "store_transaction_id"
    case .originalTransaction: "original_store_transaction_id"
    case .renewalNumber: "renewal_number"
    case .currency: "purchased_currency"
    case .gross: "purchase_price_in_purchased_currency"
    case .net: "price_in_purchased_currency"
    case .grossDollars: "purchase_price_in_usd"
    case .netDollars: "price_in_usd"
    case .tax: "tax_percentage"
    case .commission: "commission_percentage"
    case .refundedAt: "refunded_at"
    case .unsubscribedAt: "unsubscribe_detected_at"
    case .billingIssueAt: "billing_issues_detected_at"
    case .updatedAt: "updated_at"
    case .presentedOffering: "presented_offering"
    case .experiment: "experiment_id"
    case .variant: "experiment_variant"
    case .experimentsByLayer: "enrolled_experiments_by_layer"
    }
  }

  /// Without it a file does not tell who paid what for which product, when, and whether it renews.
  var isRequired: Bool {
    switch self {
    case .user, .product, .startTime, .transaction, .renewalNumber, .isTrialPeriod, .isAutoRenewable, .currency, .gross:
      true
    default: false
    }
  }
}

/// The columns of RevenueCat's transaction exports, by the version they came with.
///
/// Source: RevenueCat, Scheduled Data Exports, pages of versions 3 (January 2023), 4 (June 2023), 5 (December
/// 2023), 6 (January 2026) and 7 (March 2026).
enum RevenueCatColumns {
  static let all: Set<String> = Set(version3 + version4 + version5 + version7)

  private static let version3 = [
    "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "country", "product_identifier", "start_time",
    "end_time", "grace_period_end_time", "effective_end_time", "store", "is_auto_renewable", "is_trial_period",
    "is_in_intro_offer_period", "is_sandbox", "price_in_usd", "takehome_percentage", "tax_percentage",
    "commission_percentage", "store_transaction_id", "original_store_transaction_id", "refunded_at",
    "unsubscribe_detected_at", "billing_issues_detected_at", "purchased_currency", "price_in_purchased_currency",
    "entitlement_identifiers", "renewal_number", "is_trial_conversion", "presented_offering", "ownership_type",
    "reserved_subscriber_attributes", "custom_subscriber_attributes", "platform",
  ]

  private static let version4 = [
    "country_source", "product_display_name", "product_duration", "purchase_price_in_usd",
    "purchase_price_in_purchased_currency", "experiment_id", "experiment_variant", "updated_at",
  ]

  /// Version 6 has the same, quoted otherwise.
  private static let version5 = ["offer", "offer_type", "first_seen_time", "auto_resume_time"]

  /// In place of `experiment_id` and `experiment_variant`.
  private static let version7 = ["enrolled_experiments_by_layer"]
}
