import Domain

/// Who has the charges of the transactions that one user's rows name: what follows a charge is its user's, whoever the row
/// says that is.
struct TracedCharges: Sendable {
  private let request: UserCapture.Request
  /// Of the user whom the ids stand for.
  private let user: UInt64
  private(set) var owners: ChargeOwners

  init(of transactions: Set<UInt64>, claims: [ChargeClaim], _ request: UserCapture.Request) {
    self.request = request
    user = request.ids.user.utf8.withText(ByteHash.hash64)
    owners = ChargeOwners(of: transactions, count: transactions.count)
    for claim in claims { owners.note(claim.user, has: claim.transaction) }
  }

  /// The event is the user's.
  func isUsers(_ event: PurchaseEvent) -> Bool {
    guard let transaction = event.referencedTransaction, owners.mayWant(transaction) else {
      return request.ids.contains(event.user)
    }
    return owners.owner(of: transaction, reported: request.ids.hash(of: event, request.identities)) == user
  }
}

extension UserIDs {
  /// The hash of the event's user's id.
  func hash(of event: PurchaseEvent, _ identities: Identities) -> UInt64 {
    ByteHash.hash64(identities.resolve(event.user))
  }
}
