import Domain

/// Sees whom a file's rows tell something new of, and which charges and what follows charges are among them.
struct NewsSink: EventSink {
  /// Of their times, in milliseconds, the earliest and the first that is too late.
  let times: Range<Int64>
  /// UTC days whose charges are worth something else than they were, since exchange rates have changed.
  let revaluedDays: Set<Int64>
  private(set) var news = News()

  /// By hashes of ids and transactions.
  struct News {
    var users: Set<UInt64> = []
    /// Transactions whose charges events follow.
    var sought: Set<UInt64> = []
    /// Transactions that charges name.
    var charged: Set<UInt64> = []

    mutating func merge(_ other: News) {
      users.formUnion(other.users)
      sought.formUnion(other.sought)
      charged.formUnion(other.charged)
    }
  }

  init(times: Range<Int64>, revaluedDays: Set<Int64>) {
    (self.times, self.revaluedDays) = (times, revaluedDays)
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    guard times.contains(event.time) || isRevalued(event) else { return }
    news.users.insert(ByteHash.hash64(event.user))
    if let transaction = event.soughtTransaction { news.sought.insert(transaction) }
    if event.type.isCharge, let transaction = event.transaction { news.charged.insert(transaction) }
  }

  private func isRevalued(_ event: PurchaseEvent) -> Bool {
    !revaluedDays.isEmpty && event.type.isCharge && revaluedDays.contains(Instant(milliseconds: event.time).utcDay)
  }

  mutating func finishBatch() {}
  mutating func finishFile() {}
  mutating func abandonFile() { news = News() }
}
