import Domain
import Jobs
import Measurement

/// One user's rows, sent through the run's own steps, each as if it were a file of its own: so whatever the run counts by
/// file is known by row.
struct UserReading {
  let rows: [CapturedRow]
  /// The rows, those that pack several of the user's events once for each.
  private(set) var units: [Unit] = []
  let roster: Roster
  /// The user's events that reach attribution.
  private(set) var events: [PurchaseEvent] = []
  /// The user's place in the roster; nil where no assignment counts.
  private(set) var position: (partition: Int, user: UInt32)?
  /// Charges and refunds without an exchange rate, by number.
  private(set) var unpriced: [UInt32: Reject] = [:]
  /// Why rows do not count that say something; by row, nil where they do.
  private(set) var refusals: [RowRefusal?]
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

  init(_ rows: [CapturedRow], roster: Roster) {
    self.rows = rows
    self.roster = roster
    refusals = rows.map(\.refusal)
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
  func routedOutcome(_ unit: Int) -> SetAsideReason? { routed[unit].setAside.keys.first }

  // MARK: - The steps of a run

  /// Takes the user's assignments: of the tables, or of the events where these assign.
  mutating func readAssignments(
    _ job: Job, _ logs: PurchaseLogs, cutoff: Instant, ids: UserIDs, table: (Int) -> AssignmentTable
  ) {
    for row in rows.indices where !rows[row].isOfDamagedFile {
      switch rows[row].source {
      case .assignments(let input):
        guard let assignment = rows[row].assignment else { continue }
        refusals[row] = table(input).accept(assignment, number: firsts[row])
      case .purchases where job.population == .logged:
        readAssignments(
          of: rows[row], ids: ids,
          into: LoggedAssignments(
            roster: roster, cutoff: cutoff, wanted: logs.wantedOfferings, file: firsts[row]))
      default: break
      }
    }
    position = ids.user.utf8.withText { user in
      let hash = ByteHash.hash64(user)
      let partition = UserDirectory.partition(ofHash: hash)
      return roster.users.find(user, hash: hash, partition: partition).map { (partition, $0) }
    }
  }

  private func readAssignments(of row: CapturedRow, ids: UserIDs, into assignments: LoggedAssignments) {
    var assignments = assignments
    for enrolment in row.enrolments { enrolment.withEnrolment { assignments.receive($0) } }
    for event in row.events.flatMap(\.routed) {
      event.withEvent { if ids.contains($0.user) { assignments.receive($0) } }
    }
  }

  /// Sends the user's events through the run's router.
  mutating func readEvents(
    _ logs: PurchaseLogs, rates: ExchangeRates, cutoff: Instant, ids: UserIDs, charges: TracedCharges
  ) throws {
    let chunks = EventChunks(partitions: UserDirectory.partitionCount)
    let rejects = UnpricedRejects(in: RejectSpool(nil))
    var router = EventRouter(
      users: roster.users, identities: roster.identities, rates: rates, cutoff: cutoff, chunks: chunks,
      unpriced: rejects)
    for row in rows.indices where !rows[row].isOfDamagedFile {
      for event in rows[row].voids { route(event, as: firsts[row], with: &router, ids, charges) }
      for (part, event) in rows[row].events.enumerated() {
        for event in event.routed { route(event, as: firsts[row] + part, with: &router, ids, charges) }
      }
    }
    try rejects.forEach { number, _, line in unpriced[number] = Reject(line: line.dropLast()) }
    guard let position else { return }
    let index = PartitionEventIndex(
      [chunks], partition: position.partition, userCount: roster.users.count(partition: position.partition))
    events = index.withEvents(ofUser: Int(position.user)) { $0.events() }
  }

  private mutating func route(
    _ event: RoutedEvent, as unit: Int, with router: inout EventRouter, _ ids: UserIDs, _ charges: TracedCharges
  ) {
    let isAccepted = event.withEvent { event in charges.isUsers(event) || event.user.isEmpty }
    guard isAccepted else {
      ofOthers.insert(unit)
      return
    }
    router.file = UInt32(unit)
    ids.user.utf8.withText { user in
      event.withEvent { reported in
        var reported = reported
        // A row that follows the user's charge may name another, or nobody.
        if !ids.contains(reported.user) { reported.user = user }
        router.receive(reported) { event.reject }
        router.finishBatch()
      }
    }
    router.finishFile()
    routed[unit].merge(router.finished.outcomes)
  }
}
