extension AdaptyExport {
  /// What is read of a row.
  ///
  /// Source: Adapty, Amazon S3, "Table structure", of events and of paywall visits.
  enum Column: Int, CaseIterable {
    case user, profile, thirdUser
    case type, time, transaction, originalTransaction, end, environment, store, product, cancellationReason
    case currency, revenue, net, proceeds, tax
    case dollars, netDollars, proceedsDollars, taxDollars
    case test, paywall
    /// A paywall visit's own.
    case shownAt

    /// The column's name in the file.
    var name: String {
      switch self {
      case .user: "customer_user_id"
      case .profile: "profile_id"
      case .thirdUser: CustomerIDs.third
      case .type: "event_type"
      case .time: "event_datetime"
      case .transaction: "transaction_id"
      case .originalTransaction: "original_transaction_id"
      case .end: "subscription_expires_at"
      case .environment: "environment"
      case .store: "store"
      case .product: "product_id"
      case .cancellationReason: "cancellation_reason"
      case .currency: "currency"
      case .revenue: "revenue_local"
      case .net: "net_revenue_local"
      case .proceeds: "proceeds_local"
      case .tax: "tax_amount_local"
      case .dollars: "revenue_usd"
      case .netDollars: "net_revenue_usd"
      case .proceedsDollars: "proceeds_usd"
      case .taxDollars: "tax_amount_usd"
      case .test: "ab_test_name"
      case .paywall: "paywall_name"
      case .shownAt: "paywall_showed_at"
      }
    }

    /// Events and visits both tell when, each in a column of its own.
    var source: SourceField {
      SourceField(
        name: name, isRequired: self == .time || self == .profile, substitute: self == .time ? Column.shownAt.name : nil
      )
    }
  }

  static var documentedColumns: Set<String>? {
    [
      "profile_id", "event_type", "event_datetime", "transaction_id", "original_transaction_id",
      "subscription_expires_at", "environment", "revenue_usd", "proceeds_usd", "net_revenue_usd", "tax_amount_usd",
      "revenue_local", "proceeds_local", "net_revenue_local", "tax_amount_local", "customer_user_id", "store",
      "product_id", "base_plan_id", "developer_id", "ab_test_name", "ab_test_revision", "paywall_name",
      "paywall_revision", "profile_county", "profile_country", "install_date", "idfv", "idfa", "advertising_id",
      "ip_address", "cancellation_reason", "android_app_set_id", "android_id", "device", "currency", "store_country",
      "attribution_source", "attribution_network_user_id", "attribution_status", "attribution_channel",
      "attribution_campaign", "attribution_ad_group", "attribution_ad_set", "attribution_creative", "attributes",
      "integration_ids", "paywall_showed_at",
    ]
  }
}
