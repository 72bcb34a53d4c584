/// The fields of a purchase event, by their names in a log of format `events`.
enum EventField: Int, CaseIterable {
  case eventId, userId, eventType, occurredAt, productId, price, currency, transactionId
  case offeringId, testGroupId, environment, ownershipType, originalTransactionId, expiresDate, errorCode

  var name: String { String(describing: self) }

  /// Fields without which no event can be read.
  var isRequired: Bool {
    switch self {
    case .userId, .eventType, .occurredAt: true
    default: false
    }
  }

  /// What `defaults:` may say in a log that is all of one kind, or in one currency.
  var usualDefault: String? {
    switch self {
    case .eventType: "eventType: purchase"
    case .currency: "currency: USD"
    default: nil
    }
  }

  /// Where an input's attributes stand beside these fields.
  static func attributes(of input: PurchaseInput) -> AttributeFields {
    AttributeFields(input.attributes, own: allCases.map { input.table.columns[$0.name] ?? $0.name })
  }

  static func named(_ name: String) -> EventField? {
    allCases.first { $0.name == name }
  }
}
