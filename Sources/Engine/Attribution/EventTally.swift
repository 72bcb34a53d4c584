/// Where the events of one partition went, by file.
struct EventTally: Sendable {
  /// By file.
  private(set) var used: [Int]
  private(set) var duplicates: [Int]
  private(set) var excluded: [Int]
  private(set) var unassigned: [Int]
  /// Numbers of the charges and refunds that were rejected because no exchange rate is known.
  private(set) var rateless: [Int] = []
  /// Charges of users whom only a damaged file assigned.
  private(set) var unassignedPurchases = 0
  /// Refunds and reversals whose charge is unknown; they are used rows without effect.
  private(set) var orphanRefunds = 0

  init(files: Int) {
    used = Array(repeating: 0, count: files)
    duplicates = used
    excluded = used
    unassigned = used
  }

  mutating func use(_ event: EventRecord) { used[Int(event.file)] += Self.rows(event) }
  mutating func drop(_ event: EventRecord) { duplicates[Int(event.file)] += Self.rows(event) }
  mutating func exclude(_ event: EventRecord) { excluded[Int(event.file)] += Self.rows(event) }
  mutating func leaveUnassigned(_ event: EventRecord) {
    unassigned[Int(event.file)] += Self.rows(event)
    if event.type.isCharge { unassignedPurchases += 1 }
  }
  mutating func orphan(_ event: EventRecord) { orphanRefunds += Self.rows(event) }
  mutating func rejectRateless(_ event: EventRecord) { rateless.append(event.rejectNumber) }

  /// How many rows an event stands for: a companion's row is its primary's.
  private static func rows(_ event: EventRecord) -> Int { event.flags.contains(.isCompanion) ? 0 : 1 }

  mutating func merge(_ other: EventTally) {
    for file in used.indices {
      used[file] += other.used[file]
      duplicates[file] += other.duplicates[file]
      excluded[file] += other.excluded[file]
      unassigned[file] += other.unassigned[file]
    }
    rateless += other.rateless
    orphanRefunds += other.orphanRefunds
    unassignedPurchases += other.unassignedPurchases
  }
}
