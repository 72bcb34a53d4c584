import Domain

/// One kind of failure.
package struct FailureCount: Sendable {
  package var event: Identifier
  package var code: Identifier
  /// Its event is the outcome of sending a receipt to be validated.
  package var isOfReceipt = false
  package var counts: Counts

  package struct Counts: Sendable, Codable {
    package var events = 0
    /// Distinct transactions of each user; an event that names none is one by itself.
    package var transactions = 0
    package var users = 0

    package init(events: Int = 0, transactions: Int = 0, users: Int = 0) {
      (self.events, self.transactions, self.users) = (events, transactions, users)
    }
  }

  package init(event: Identifier, code: Identifier, isOfReceipt: Bool = false, counts: Counts) {
    self.event = event
    self.code = code
    self.isOfReceipt = isOfReceipt
    self.counts = counts
  }
}
