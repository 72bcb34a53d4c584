/// The fields of a purchase event, by their names in a log of format `events`.
package enum EventField: Int, CaseIterable {
  case eventId, userId, eventType, occurredAt, productId, price, currency, transactionId
  case offeringId, testGroupId, environment, ownershipType, originalTransactionId, expiresDate, errorCode

  package var name: String { String(describing: self) }

  /// The field's place among all, which is its raw value, where other rooms' compilers can see it: they ask for it in
  /// every row.
  @inlinable package var place: Int {
    @inline(__always) get {
      switch self {
      case .eventId: 0
      case .userId: 1
      case .eventType: 2
      case .occurredAt: 3
      case .productId: 4
      case .price: 5
      case .currency: 6
      case .transactionId: 7
      case .offeringId: 8
      case .testGroupId: 9
      case .environment: 10
      case .ownershipType: 11
      case .originalTransactionId: 12
      case .expiresDate: 13
      case .errorCode: 14
      }
    }
  }

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
