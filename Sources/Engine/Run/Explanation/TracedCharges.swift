import Domain
import Measurement
import Synchronization

/// The transactions that one user's rows name, and who has their charges: what follows a charge is its user's, whoever the
/// row says that is.
struct TracedCharges: Sendable {
  private let ids: UserIDs
  private let identities: Identities
  /// Of the user whom the ids stand for.
  private let user: UInt64
  private var owners: ChargeOwners
  /// The transactions as rows have them.
  let words: [[UInt8]]

  /// A transaction that a row names.
  struct Named: Hashable, Sendable {
    var transaction: UInt64
    var id: [UInt8]
  }

  init(of named: Set<Named>, _ ids: UserIDs, _ identities: Identities) {
    (self.ids, self.identities) = (ids, identities)
    user = ids.user.utf8.withText(ByteHash.hash64)
    owners = ChargeOwners(of: named.lazy.map(\.transaction), count: named.count)
    words = named.map(\.id).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Looks in the logs for who has the charges of the transactions.
  mutating func findOwners(in looks: [@Sendable (ChargesOfTransactions) throws -> Void]) throws {
    for look in looks {
      let found = ChargesOfTransactions(owners, ids, identities)
      try look(found)
      for (transaction, user) in found.claims { owners.note(user, has: transaction) }
    }
  }

  /// The event is the user's.
  func isUsers(_ event: PurchaseEvent) -> Bool {
    guard let transaction = event.soughtTransaction, owners.mayWant(transaction) else {
      return ids.contains(event.user)
    }
    return owners.owner(of: transaction, told: ids.hash(of: event, identities)) == user
  }
}

/// Takes of a log's files who has the charges of some transactions. For one thread.
final class ChargesOfTransactions: @unchecked Sendable {
  private let wanted: ChargeOwners
  private let ids: UserIDs
  private let identities: Identities
  fileprivate private(set) var claims: [(transaction: UInt64, user: UInt64)] = []

  fileprivate init(_ wanted: ChargeOwners, _ ids: UserIDs, _ identities: Identities) {
    (self.wanted, self.ids, self.identities) = (wanted, ids, identities)
  }

  fileprivate func take(_ event: PurchaseEvent) {
    guard event.type.isCharge, let transaction = event.transaction, wanted.mayWant(transaction) else { return }
    claims.append((transaction, ids.hash(of: event, identities)))
  }

  /// Reads one file for them.
  func read(_ log: PurchaseLog, _ file: InputFile, words: [[UInt8]], cutoff: Instant) throws {
    var searched = file
    // What is signed is packed twice: nothing shows but by reading it.
    searched.part = .search(RowSearch(words: log.input.format.isSearchable ? words : [], witness: nil))
    var sink = Sink(charges: self, cutoff: cutoff.milliseconds)
    _ = try log.withoutVerification.read(searched, into: &sink)
  }

  private struct Sink: EventSink {
    let charges: ChargesOfTransactions
    let cutoff: Int64

    mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
      if !event.isSandbox, !event.isFamilyShared, event.time < cutoff { charges.take(event) }
    }

    mutating func finishBatch() {}
    mutating func finishFile() {}
    mutating func abandonFile() {}
  }
}

extension UserIDs {
  /// The hash of the event's user's id.
  fileprivate func hash(of event: PurchaseEvent, _ identities: Identities) -> UInt64 {
    ByteHash.hash64(identities.resolve(event.user))
  }
}
