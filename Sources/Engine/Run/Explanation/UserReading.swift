import Domain
import Jobs
import Measurement

/// The rows that name a user, read by the code of the run, each as if it were a file of its own.
struct UserReading {
  let rows: [NamingRow]
  /// The rows, those that pack several of the user's events once for each.
  private(set) var units: [Unit] = []
  let roster: Roster
  /// The user's events that reach attribution.
  private(set) var events: [PurchaseEvent] = []
  /// The user's place in the roster; nil where no assignment counts.
  private(set) var place: (partition: Int, user: UInt32)?
  /// Charges and refunds without an exchange rate, by number.
  private(set) var unpriced: [UInt32: Reject] = [:]
  /// What came of reading each row; nil where the run does not read it.
  private(set) var readings: [FileReading?]
  /// What became of the units that went no further than the router.
  private var routed: [RowOutcomes] = []
  /// Units that name the user and follow another's charge.
  private(set) var ofOthers: Set<Int> = []
  /// The number of each row's first unit.
  private var firsts: [Int] = []

  /// A row, or one event of several that it packs.
  struct Unit {
    /// Index among the rows.
    var row: Int
    /// Place among the user's events of the row, from 0.
    var part: Int
  }

  init(_ rows: [NamingRow], roster: Roster) {
    self.rows = rows
    self.roster = roster
    readings = rows.map { _ in nil }
    for (index, row) in rows.enumerated() {
      firsts.append(units.count)
      for part in 0..<max(1, row.events.count) { units.append(Unit(row: index, part: part)) }
    }
    routed = units.map { _ in RowOutcomes() }
  }

  /// Which feed each unit belongs to.
  func feeds(_ logs: PurchaseLogs) -> FeedIndex {
    let ofUnits = units.map { unit in
      if case .purchases(let file) = rows[unit.row].source { logs.files[file].log.feed } else { UInt8(0) }
    }
    return FeedIndex(ofFiles: ofUnits, of: logs.feeds)
  }

  /// What became of a unit whose event went no further than the router.
  func routedFate(_ unit: Int) -> SetAsideReason? { routed[unit].setAside.keys.first }

  // MARK: - The steps of a run

  mutating func readIdentities(_ job: Job) throws {
    guard let input = job.identities else { return }
    for row in rows.indices where rows[row].source == .identities && !rows[row].isOfDamagedFile {
      readings[row] = try IdentityTable(input: input, job: job).read(rows[row].alone, into: IdentityLinks())
    }
  }

  mutating func readAssignments(_ job: Job, _ catalog: Catalog, _ logs: PurchaseLogs, cutoff: Instant, ids: UserIDs)
    throws
  {
    for row in rows.indices where !rows[row].isOfDamagedFile {
      switch rows[row].source {
      case .assignments(let input) where job.population != .logged:
        let table = AssignmentTable(
          input: job.assignments[input], job: job, catalog: catalog, cutoff: cutoff, roster: roster)
        readings[row] = try table.read(rows[row].alone, number: firsts[row]).reading
      case .purchases(let file) where job.population == .logged:
        var sink = TracedAssignments(
          ids: ids,
          assignments: LoggedAssignments(
            roster: roster, cutoff: cutoff, wanted: logs.wantedOfferings, file: firsts[row]))
        _ = try logs.files[file].log.read(rows[row].alone, into: &sink)
      default: break
      }
    }
    place = ids.user.utf8.withText { user in
      let hash = ByteHash.hash64(user)
      let partition = UserDirectory.partition(ofHash: hash)
      return roster.users.find(user, hash: hash, partition: partition).map { (partition, $0) }
    }
  }

  mutating func readEvents(
    _ logs: PurchaseLogs, rates: ExchangeRates, cutoff: Instant, ids: UserIDs, charges: TracedCharges
  ) throws {
    let chunks = EventChunks(partitions: UserDirectory.partitionCount)
    let rejects = UnpricedRejects()
    let router = EventRouter(
      users: roster.users, identities: roster.identities, rates: rates, cutoff: cutoff, chunks: chunks,
      unpriced: rejects)
    for row in rows.indices where !rows[row].isOfDamagedFile {
      guard case .purchases(let file) = rows[row].source else { continue }
      var sink = TracedEvents(ids: ids, charges: charges, router: router, first: firsts[row])
      readings[row] = try logs.files[file].log.read(rows[row].alone, into: &sink)
      for (part, fates) in sink.fates.enumerated() where firsts[row] + part < units.count {
        routed[firsts[row] + part].merge(fates)
      }
      ofOthers.formUnion(sink.ofOthers.map { firsts[row] + $0 })
    }
    try rejects.forEach { number, _, line in unpriced[number] = Reject(line: line.dropLast()) }
    guard let place else { return }
    let index = PartitionEventIndex(
      [chunks], partition: place.partition, userCount: roster.users.count(partition: place.partition))
    events = index.withEvents(ofUser: Int(place.user)) { $0.events() }
  }
}
