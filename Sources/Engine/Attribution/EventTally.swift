import Measurement

/// Where the events of one partition went: the outcome of their rows, file by file of the log.
struct EventTally: Tally {
  /// By file of the log.
  private(set) var outcomes: [RowOutcomes]
  /// Numbers of the charges and refunds that are rejects because no exchange rate is known.
  private(set) var rejects: [UInt32] = []
  /// Charges of users whom only a damaged file assigned.
  private(set) var unassignedPurchases = 0
  /// Refunds and reversals whose charge is unknown; they are used rows without effect.
  private(set) var orphanRefunds = 0
  /// Products of rows that count of which no table tells the kind, by number.
  private(set) var unknownKinds: [UInt32: Int] = [:]
  /// Charges and refunds that do not go together as they should.
  var money = MoneyCounts()
  /// Charges that two inputs tell as if they were two sales.
  var reportedTwice = ChargesReportedTwice()

  static let parts: [TallyPart<Self>] = [
    TallyPart("files", \.outcomes, count: \.files), TallyPart(joined: \.rejects), TallyPart(\.unassignedPurchases),
    TallyPart(\.orphanRefunds), TallyPart("products", \.unknownKinds) { $1.knows(product: $0) }, TallyPart(\.money),
    TallyPart(\.reportedTwice),
  ]

  /// - Parameter files: how many files the log has.
  init(files: Int) {
    outcomes = Array(repeating: RowOutcomes(), count: files)
  }

  @inline(__always)
  mutating func use(_ event: PurchaseEvent) { outcomes[Int(event.file)].use(event.rows) }

  /// Books a repetition.
  mutating func drop(_ event: PurchaseEvent) { outcomes[Int(event.file)].setAside(.duplicate, event.rows) }

  mutating func setAsTest(_ event: PurchaseEvent) { outcomes[Int(event.file)].setAside(.sandbox, event.rows) }

  mutating func exclude(_ event: PurchaseEvent) { outcomes[Int(event.file)].setAside(.excludedUser, event.rows) }

  mutating func leaveUnassigned(_ event: PurchaseEvent) {
    outcomes[Int(event.file)].setAside(.unassigned, event.rows)
    if event.type.isCharge { unassignedPurchases += event.rows }
  }

  /// Counts a refund without effect, which is booked as used.
  mutating func noteOrphan(_ event: PurchaseEvent) { orphanRefunds += event.rows }

  /// A row that counts names a product of which no table tells the kind.
  mutating func noteUnknownKind(of product: UInt32) { unknownKinds[product, default: 0] += 1 }

  /// Gives the numbers of rejects away: they mean something only where the rows are.
  mutating func drainRejects() -> [UInt32] {
    defer { rejects = [] }
    return rejects
  }

  /// The reject of that number counts.
  mutating func reject(_ number: UInt32) { rejects.append(number) }
}
