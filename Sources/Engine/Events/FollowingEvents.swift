import Domain

extension EventType {
  /// It is about a charge that came before: money that went back, or what became of a subscription.
  var followsCharge: Bool {
    switch self {
    case .refund, .refundReversal, .cancel, .uncancel, .billingRetry, .billingRecovery, .expire, .extend: true
    default: false
    }
  }
}

extension RecordedEvent {
  /// The transaction by which the event finds its charge, whoever its user is said to be; nil where it is no such event,
  /// names none, or stands in the row of its charge.
  var soughtTransaction: UInt64? {
    switch self {
    case .refund(let record): record.head.soughtTransaction
    case .occurrence(let record): record.head.soughtTransaction
    case .charge, .unpriced, .snapshot: nil
    }
  }

  /// The transaction of the charge that the event is; nil where it is none, or names none.
  var chargedTransaction: UInt64? {
    switch self {
    case .charge(let record): record.head.hasTransaction ? record.head.transaction : nil
    case .unpriced(let record): record.head.hasTransaction ? record.head.transaction : nil
    case .refund, .occurrence, .snapshot: nil
    }
  }
}

extension EventHead {
  fileprivate var soughtTransaction: UInt64? {
    type.followsCharge && hasTransaction && !isCompanion ? transaction : nil
  }
}

extension PurchaseEvent {
  /// As `RecordedEvent.soughtTransaction`.
  var soughtTransaction: UInt64? { type.followsCharge && !isCompanion && version == nil ? transaction : nil }
}

/// Who has the charges of transactions that are sought, by the hashes of users' ids: of 64 bits, so that two users of one
/// run do not share one.
struct ChargeOwners {
  private var owners: [UInt64: [UInt64]] = [:]
  /// A quick no for most transactions that nobody seeks.
  private var filter: [UInt64]

  /// - Parameter sought: transactions whose owners are to be found.
  init(of sought: some Collection<UInt64>) {
    var size = 64
    while size < sought.count / 4 { size *= 2 }
    filter = Array(repeating: 0, count: size)
    for transaction in sought {
      owners[transaction] = []
      filter[Self.word(of: transaction, size)] |= 1 << (transaction & 63)
    }
  }

  /// No transaction is sought.
  var isEmpty: Bool { owners.isEmpty }

  @inline(__always)
  private static func word(of transaction: UInt64, _ size: Int) -> Int {
    Int(truncatingIfNeeded: transaction >> 6) & (size - 1)
  }

  /// Whether the transaction may be sought.
  @inline(__always)
  func mayWant(_ transaction: UInt64) -> Bool {
    filter[Self.word(of: transaction, filter.count)] & 1 << (transaction & 63) != 0
  }

  /// Notes that a user has a charge of the transaction, and says whether that is sought.
  mutating func note(_ user: UInt64, has transaction: UInt64) -> Bool {
    guard let known = owners[transaction] else { return false }
    if !known.contains(user) { owners[transaction] = known + [user] }
    return true
  }

  /// Whose an event is that follows the transaction's charge: the user's that its row names, if that one has the charge;
  /// else whoever has it, of several the one with the least hash; without any the user's that its row names.
  func owner(of transaction: UInt64, told user: UInt64) -> UInt64 {
    guard let owners = owners[transaction], !owners.contains(user) else { return user }
    return owners.min() ?? user
  }
}
