/// The fields of a purchase event, by their names in a log of format `events`.
@usableFromInline  // so that rooms that read rows by it take the raw value without a call: 2 % of a run
package enum EventField: Int, CaseIterable, Sendable {
  case eventId, userId, eventType, occurredAt, productId, price, currency, transactionId
  case offeringId, testGroupId, environment, ownershipType, originalTransactionId, expiresDate, errorCode

  package var name: String { String(describing: self) }

  /// Fields without which no event can be read.
  package var isRequired: Bool {
    switch self {
    case .userId, .eventType, .occurredAt: true
    default: false
    }
  }

  /// What `defaults:` may say in a log that is all of one kind, or in one currency.
  package var usualDefault: String? {
    switch self {
    case .eventType: "eventType: purchase"
    case .currency: "currency: USD"
    default: nil
    }
  }

  package static func named(_ name: String) -> EventField? {
    allCases.first { $0.name == name }
  }
}
