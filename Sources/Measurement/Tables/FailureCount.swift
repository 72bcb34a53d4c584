import Domain

/// One kind of failure.
package struct FailureCount: Sendable {
  package var event: Identifier
  /// Empty where the log has none.
  package var code: Identifier
  /// Of a failure without a code: the kind of its message, where it has one.
  package var message: Identifier
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

  package init(
    event: Identifier, code: Identifier, message: Identifier = "", isOfReceipt: Bool = false, counts: Counts
  ) {
    self.event = event
    self.code = code
    self.message = message
    self.isOfReceipt = isOfReceipt
    self.counts = counts
  }
}
