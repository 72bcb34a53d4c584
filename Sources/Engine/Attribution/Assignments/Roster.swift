import Domain
import Jobs
import Synchronization

/// Who is in which group of which offering since when: the assignment rows, by partition of users.
package final class Roster: Sendable {
  package let users: UserDirectory
  /// Who each user id stands for.
  package let identities: Identities
  package let names: EventNames
  /// Attributes carried for segments, and their values' names.
  package let attributes: [String]
  package let values: [Interner]

  private let partitions = (0..<UserDirectory.partitionCount).map { _ in Partition() }
  /// Where rows go that have no room in memory; nil where all of them have.
  let disk: AssignmentPartitions?
  private let seen = Mutex(GroupsSeen())
  /// The attributes that rows tell, by the line of the job file that names their input.
  private let reported = Mutex<[Int: Set<String>]>([:])

  /// One assignment row of one user.
  package struct Row {
    package var user: UInt32
    package var offering: UInt32
    package var group: UInt32
    /// Index of the file it was read from.
    package var file: UInt32
    package var time: Int64
    /// Where its attribute values begin in `State.values`.
    package var attributes: Int
  }

  struct State {
    var rows: [Row] = []
    /// When the earliest row was assigned.
    var earliest: Int64?
    /// When the latest row was.
    var latest: Int64?
    /// Numbers of attribute values, as many a row as there are attributes.
    var values: [UInt32] = []

    fileprivate mutating func note(_ time: Int64) {
      earliest = min(earliest ?? time, time)
      latest = max(latest ?? time, time)
    }
  }

  private final class Partition: Sendable {
    let state = Mutex(State())
  }

  package convenience init(names: EventNames, attributes: [String], identities: Identities = .none) {
    self.init(names: names, attributes: attributes, identities: identities, onto: nil)
  }

  /// - Parameters:
  ///   - partitions: where its rows are to go, as to a disk; nil keeps them in memory.
  ///   - source: number of the file that all its rows are of, for whoever takes them.
  init(
    names: EventNames, attributes: [String], identities: Identities, onto partitions: (any PartitionedBlocks)?,
    of source: UInt32 = 0
  ) {
    users = UserDirectory()
    self.names = names
    self.identities = identities
    self.attributes = attributes
    let values = attributes.map { _ in Interner() }
    self.values = values
    disk = partitions.map {
      AssignmentPartitions($0, names: names, attributes: attributes, values: values, source: source)
    }
  }

  /// A roster for some of the users of another, whose rows are on a disk.
  init(someOf whole: Roster) {
    (names, attributes, values) = (whole.names, whole.attributes, whole.values)
    users = UserDirectory()
    // What is on the disk are users, no ids that stand for others.
    (identities, disk) = (.none, nil)
  }

  /// Adds a row, whose user is the one that its id stands for, and whose first values are those of the roster's
  /// attributes.
  func add(_ row: AssignmentRow) {
    let user = identities.resolve(row.user)
    let hash = ByteHash.hash64(user)
    let partition = UserDirectory.partition(ofHash: hash)
    let number = disk == nil ? users.add(user, hash: hash, partition: partition) : 0
    partitions[partition].state.withLock { state in
      state.note(row.time)
      guard disk == nil else { return }
      state.rows.append(
        Row(
          user: number, offering: row.offering, group: row.group, file: row.file, time: row.time,
          attributes: state.values.count))
      state.values.append(contentsOf: row.values.prefix(attributes.count))
    }
    guard let disk else { return }
    var row = row
    row.user = user
    disk.append(row, hash: hash)
  }

  /// Adds rows of users of one partition, at one taking of its locks.
  ///
  /// - Parameter positions: those of the rows among the queue's.
  func add(_ positions: ArraySlice<Int>, of queue: RosterQueue, to partition: Int) {
    users.withTable(of: partition) { table in
      partitions[partition].state.withLock { state in
        for position in positions { table.prefetchSlot(hash: queue.rows[position].hash) }
        for position in positions {
          let waiting = queue.rows[position]
          var row = waiting.row
          row.user = UInt32(table.insert(waiting.id, hash: waiting.hash))
          row.attributes = state.values.count
          state.note(row.time)
          state.rows.append(row)
          for attribute in queue.values(of: position) { state.values.append(queue.values[attribute]) }
        }
      }
    }
  }

  /// Takes what a file's rows name, whoever counts.
  package func note(_ groups: GroupsSeen) { seen.withLock { $0.merge(groups) } }

  /// Takes the attributes that some row of a file tells, even if they are none.
  package func note(attributes: Set<String>, inputLine: Int) {
    reported.withLock { $0[inputLine, default: []].formUnion(attributes) }
  }

  /// What a file's rows say beside who is in which group.
  func report() -> RosterReport {
    RosterReport(
      first: firstAssignment?.milliseconds, groups: seen.withLock { $0.groups(names) },
      attributes: reported.withLock { $0 }
    )
  }

  /// Takes what rows say that are not among the roster's own.
  func accept(_ report: RosterReport) {
    if let first = report.first {
      partitions[0].state.withLock { $0.earliest = min($0.earliest ?? first, first) }
    }
    seen.withLock { $0.see(report.groups, names) }
    reported.withLock { reported in
      for (line, attributes) in report.attributes { reported[line, default: []].formUnion(attributes) }
    }
  }

  /// All rows, in no order. Before the memberships are taken.
  var rows: [Row] { partitions.flatMap { $0.state.withLock { $0.rows } } }

  /// The attributes that rows of an input tell; nil where it has no rows.
  func attributesReported(inputLine: Int) -> Set<String>? { reported.withLock { $0[inputLine] } }

  /// The offerings to measure that some row names, each with its groups: those of the rows, of the catalog and of the
  /// job's weights.
  package func groups(toMeasureBy job: Job, catalog: Catalog) -> [Identifier: Set<Identifier>] {
    let weighted = job.weightedGroups
    var groups = groupsThere(for: job, catalog)
    for offering in groups.keys {
      groups[offering]?.formUnion(weighted[offering, default: []])
      groups[offering] = groups[offering]?.filter { !job.excludedGroups.contains($0, of: offering) }
    }
    return groups.filter { !$0.value.isEmpty }
  }

  /// Refuses a job whose baseline or weights name groups that are not there.
  ///
  /// - Throws: `OfferliftError`, exit 78.
  package func refuseUnknownGroups(of job: Job, catalog: Catalog) throws {
    try BaselineRule(job: job).verify(groups(toMeasureBy: job, catalog: catalog))
    try WeightRule(job: job).verify(groupsThere(for: job, catalog))
  }

  /// The offerings to measure, each with the groups of its rows and of the catalog.
  private func groupsThere(for job: Job, _ catalog: Catalog) -> [Identifier: Set<Identifier>] {
    var groups = seen.withLock { $0.groups(names) }
    if let wanted = job.offerings { groups = groups.filter { wanted.contains($0.key) } }
    for offering in groups.keys { groups[offering]?.formUnion(catalog.groups(of: offering)) }
    return groups
  }

  /// When the first user was assigned; nil where nobody was. Before the memberships are taken.
  package var firstAssignment: Instant? {
    partitions.compactMap { $0.state.withLock { $0.earliest } }.min().map { Instant(milliseconds: $0) }
  }

  /// When the last row was assigned; nil where there is none. Before the memberships are taken.
  package var lastAssignment: Instant? {
    partitions.compactMap { $0.state.withLock { $0.latest } }.max().map { Instant(milliseconds: $0) }
  }

  /// The memberships of one partition's users. Call it once: the rows are given back.
  ///
  /// - Parameter abandoned: files whose rows do not count, because they turned out to be damaged.
  func memberships(
    partition: Int, retaining rule: Job.MultipleGroups, order: RosterOrder, abandoned: Set<Int>,
    lateFile: LateFileOfRows? = nil
  ) -> RosterPartition {
    let state = partitions[partition].state.withLock { state in
      defer { state = State() }
      return state
    }
    return RosterPartition(
      state, userCount: users.count(partition: partition), width: attributes.count, rule: rule, order: order,
      abandoned: abandoned, lateFile: lateFile)
  }

  /// The file that came late and alone tells of a user in an offering, by the user's rows there; nil where there is none.
  typealias LateFileOfRows = (ArraySlice<Row>) -> UInt32?
}
