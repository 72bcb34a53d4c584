/// One thread's events of users whom nobody measures that follow a charge, until it is known who has that charge. For one
/// thread at a time.
final class DependentEventsOfUnassigned: @unchecked Sendable {
  /// Events, each with its user's number in the thread's own table.
  private(set) var events: [(event: PurchaseEvent, user: Int)] = []
  /// Charges of such users, where nobody keeps these.
  let charges = ChunkList<Charge>(chunkSize: 1024)
  private let users = ByteTable()
  private var finished = 0

  struct Charge: BitwiseCopyable {
    var transaction: UInt64
    /// Of the user's id.
    var user: UInt64
  }

  /// Takes a user's event.
  func append(_ event: PurchaseEvent, of user: Text, hash: UInt64) {
    events.append((event, users.insert(user, hash: hash)))
  }

  /// Takes a charge that nobody keeps, by the hash of its user's id.
  func noteCharge(_ transaction: UInt64, hash: UInt64) {
    charges.append(Charge(transaction: transaction, user: hash))
  }

  /// A user's id, by its number.
  func id(_ number: Int) -> Text { users.text(number) }

  func finishFile() {
    finished = events.count
    charges.finishFile()
  }

  func abandonFile() {
    events.removeLast(events.count - finished)
    charges.abandonFile()
  }
}
