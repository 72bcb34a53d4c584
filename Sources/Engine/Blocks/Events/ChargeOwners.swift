/// Who has the charges of transactions that are sought, by a number of each user's that is not 0: the hash of its id, of 64
/// bits, so that two users of one run do not share one, or within a partition another.
struct ChargeOwners {
  /// The transactions sought and who has the charge of each, at the place that the transaction's own bits say or the next
  /// free one behind it; 0 where there is none.
  private var slots: [(transaction: UInt64, owner: UInt64)]
  /// Of transactions whose charge several users have, all of these.
  private var several: [UInt64: Set<UInt64>] = [:]
  /// A quick no for most transactions that nobody seeks.
  private var filter: [UInt64]
  private let mask: Int
  /// No transaction is sought.
  let isEmpty: Bool

  /// - Parameters:
  ///   - wanted: transactions whose owners are to be found; one may come several times.
  ///   - count: how many they are, or more.
  init(of wanted: some Sequence<UInt64>, count: Int) {
    var size = 64
    while size < count / 4 { size *= 2 }
    filter = Array(repeating: 0, count: size)
    mask = size * 8 - 1
    slots = Array(repeating: (0, 0), count: size * 8)
    var isEmpty = true
    for transaction in wanted {
      slots[Self.slot(of: transaction, slots, mask)].transaction = transaction
      filter[Self.word(of: transaction, size)] |= 1 << (transaction & 63)
      isEmpty = false
    }
    self.isEmpty = isEmpty
  }

  @inline(__always)
  private static func word(of transaction: UInt64, _ size: Int) -> Int {
    Int(truncatingIfNeeded: transaction >> 6) & (size - 1)
  }

  /// Where a transaction stands, or would.
  @inline(__always)
  private static func slot(
    of transaction: UInt64, _ slots: [(transaction: UInt64, owner: UInt64)], _ mask: Int
  ) -> Int {
    var position = Int(truncatingIfNeeded: transaction >> 3) & mask
    while slots[position].transaction != transaction, slots[position].transaction != 0 {
      position = (position + 1) & mask
    }
    return position
  }

  /// Whether the transaction may be sought.
  @inline(__always)
  func mayWant(_ transaction: UInt64) -> Bool {
    filter[Self.word(of: transaction, filter.count)] & 1 << (transaction & 63) != 0
  }

  /// Notes that a user has a charge of the transaction, and says whether that is sought.
  @discardableResult
  mutating func note(_ user: UInt64, has transaction: UInt64) -> Bool {
    let position = Self.slot(of: transaction, slots, mask)
    guard slots[position].transaction == transaction, transaction != 0 else { return false }
    let known = slots[position].owner
    if known == 0 {
      slots[position].owner = user
    } else if known != user {
      several[transaction, default: [known]].insert(user)
    }
    return true
  }

  /// Whether the user has a charge of the transaction.
  func has(_ user: UInt64, chargeOf transaction: UInt64) -> Bool {
    let position = Self.slot(of: transaction, slots, mask)
    guard slots[position].transaction == transaction, transaction != 0 else { return false }
    return slots[position].owner == user || several[transaction]?.contains(user) ?? false
  }

  /// Whose an event is that follows the transaction's charge: the user's that its row names, if that one has the charge;
  /// else whoever has it, of several the one with the least hash; without any the user's that its row names.
  func owner(of transaction: UInt64, reported user: UInt64) -> UInt64 {
    let position = Self.slot(of: transaction, slots, mask)
    let owner = slots[position].transaction == transaction ? slots[position].owner : 0
    if owner == 0 || owner == user { return user }
    guard let all = several[transaction] else { return owner }
    return all.contains(user) ? user : all.min() ?? user
  }
}
