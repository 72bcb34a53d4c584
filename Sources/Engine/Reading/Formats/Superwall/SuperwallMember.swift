extension SuperwallWebhooks {
  /// What is read of a webhook. Source: Superwall, Webhooks, "Event Data Fields".
  enum Member: Int, CaseIterable {
    case type, timestamp
    case name, id, user, usualUser, time, purchaseTime, expirationTime, product, newProduct
    case transaction, originalTransaction, price, dollars, currency, tax, commission
    case periodType, cancelReason, environment, store, isFamilyShare

    /// The member's name in its object.
    var name: String {
      switch self {
      case .type: "type"
      case .timestamp: "timestamp"
      case .name: "name"
      case .id: "id"
      case .user: "originalAppUserId"
      case .usualUser: "the usual id"
      case .time: "ts"
      case .purchaseTime: "purchasedAt"
      case .expirationTime: "expirationAt"
      case .product: "productId"
      case .newProduct: "newProductId"
      case .transaction: "transactionId"
      case .originalTransaction: "originalTransactionId"
      case .price: "priceInPurchasedCurrency"
      case .dollars: "price"
      case .currency: "currencyCode"
      case .tax: "taxPercentage"
      case .commission: "commissionPercentage"
      case .periodType: "periodType"
      case .cancelReason: "cancelReason"
      case .environment: "environment"
      case .store: "store"
      case .isFamilyShare: "isFamilyShare"
      }
    }

    /// `data` holds all but what Superwall says of the webhook itself.
    var source: SourceField {
      self == .type || self == .timestamp ? SourceField(name: name) : .path("data", name)
    }
  }

  /// What the webhooks call the fields, where the job lets another member of `data` name the user: that may lie within
  /// others, `userAttributes.id`. The usual one stays an alias.
  static func renamed(user field: String?) -> [String: String] {
    guard let field, field != Member.user.name else { return [:] }
    let names = field.split(separator: ".").map(String.init)
    let inside = names.first == "data" && names.count > 1 ? names : ["data"] + names
    return [
      Member.user.source.name: SourceField.pathName(inside), Member.usualUser.source.name: Member.user.source.name,
    ]
  }
}
