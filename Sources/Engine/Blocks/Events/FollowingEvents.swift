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
  /// As `RecordedEvent.soughtTransaction`, where the event is no charge and comes from no snapshot.
  var soughtTransaction: UInt64? {
    type.followsCharge && hasTransaction && !isCompanion ? transaction : nil
  }
}

extension PurchaseEvent {
  /// As `RecordedEvent.soughtTransaction`.
  var soughtTransaction: UInt64? { type.followsCharge && !isCompanion && version == nil ? transaction : nil }
}

extension PartitionEvents {
  /// Calls `body` with the user and the transaction of every event that seeks a charge.
  func forEachFollowing(_ body: (UInt32, UInt64) -> Void) {
    func look(_ head: EventHead) {
      if let transaction = head.soughtTransaction { body(head.user, transaction) }
    }
    refunds.forEach { look($0.head) }
    occurrences.forEach { look($0.head) }
  }

  /// Calls `body` with the user and the transaction of every charge that names one.
  @inline(__always)
  func forEachCharge(_ body: (UInt32, UInt64) -> Void) {
    charges.forEach { if $0.head.hasTransaction { body($0.head.user, $0.head.transaction) } }
    plainCharges.forEach { if $0.transaction != 0 { body($0.user, $0.transaction) } }
    unpriced.forEach { if $0.head.hasTransaction { body($0.head.user, $0.head.transaction) } }
  }

  /// Takes out the refunds and occurrences of which `isWanted` holds.
  func removeFollowing(where isWanted: (EventHead) -> Bool) -> [RecordedEvent] {
    refunds.remove { isWanted($0.head) }.map(RecordedEvent.refund)
      + occurrences.remove { isWanted($0.head) }.map(RecordedEvent.occurrence)
  }
}
