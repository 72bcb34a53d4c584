extension RevenueCatWebhooks {
  /// What is read of an event.
  enum Member: Int, CaseIterable {
    case type, id, user, originalUser, thirdUser, aliases, eventTime, purchaseTime, expirationTime, graceEnd
    case product, transaction, originalTransaction, renewalNumber, price, dollars, currency, tax, commission,
      periodType, cancelReason, environment,
      store, isFamilyShare
    case experiment, variant, enrolledAt
    case presentedOffering, experiments, priceExperiments, transferredFrom, transferredTo

    /// The member's name in the event.
    var name: String {
      switch self {
      case .type: "type"
      case .id: "id"
      case .user: "app_user_id"
      case .originalUser: "original_app_user_id"
      case .thirdUser: CustomerIDs.third
      case .aliases: "aliases"
      case .eventTime: "event_timestamp_ms"
      case .purchaseTime: "purchased_at_ms"
      case .expirationTime: "expiration_at_ms"
      case .graceEnd: "grace_period_expiration_at_ms"
      case .product: "product_id"
      case .transaction: "transaction_id"
      case .originalTransaction: "original_transaction_id"
      case .renewalNumber: "renewal_number"
      case .price: "price_in_purchased_currency"
      case .dollars: "price"
      case .currency: "currency"
      case .tax: "tax_percentage"
      case .commission: "commission_percentage"
      case .periodType: "period_type"
      case .cancelReason: "cancel_reason"
      case .environment: "environment"
      case .store: "store"
      case .isFamilyShare: "is_family_share"
      case .experiment: "experiment_id"
      case .variant: "experiment_variant"
      case .enrolledAt: "enrolled_at_ms"
      case .presentedOffering: "presented_offering_id"
      case .experiments: "experiments"
      case .priceExperiments: "price_experiments"
      case .transferredFrom: "transferred_from"
      case .transferredTo: "transferred_to"
      }
    }
  }
}
