/// Where the events of one partition went, by file.
struct EventTally: Sendable {
  /// By file.
  private(set) var used: [Int]
  private(set) var duplicates: [Int]
  private(set) var excluded: [Int]
  private(set) var unassigned: [Int]
  /// Numbers of the charges that were rejected because no exchange rate is known.
  private(set) var rateless: [Int] = []
  /// Refunds and reversals whose charge is unknown; they are used rows without effect.
  var orphanRefunds = 0

  init(files: Int) {
    used = Array(repeating: 0, count: files)
    duplicates = used
    excluded = used
    unassigned = used
  }

  mutating func use(_ event: EventRecord) { used[Int(event.file)] += 1 }
  mutating func drop(_ event: EventRecord) { duplicates[Int(event.file)] += 1 }
  mutating func exclude(_ event: EventRecord) { excluded[Int(event.file)] += 1 }
  mutating func leaveUnassigned(_ event: EventRecord) { unassigned[Int(event.file)] += 1 }
  mutating func rejectRateless(_ event: EventRecord) { rateless.append(Int(event.amountMicros)) }

  mutating func merge(_ other: EventTally) {
    for file in used.indices {
      used[file] += other.used[file]
      duplicates[file] += other.duplicates[file]
      excluded[file] += other.excluded[file]
      unassigned[file] += other.unassigned[file]
    }
    rateless += other.rateless
    orphanRefunds += other.orphanRefunds
  }
}
