/// Rows on their way into a roster, which takes those of one partition of users together.
///
/// With a lock, and a wait for memory, a row the roster took 5 % of a run's processor time.
struct RosterQueue {
  private let roster: Roster
  private let width: Int
  private(set) var rows: [Waiting] = []
  /// Numbers of attribute values, `width` a row.
  private(set) var values: [UInt32] = []
  /// The rows' places, those of one partition side by side.
  private var positions: [Int] = []

  /// A row whose user has no number yet.
  struct Waiting {
    /// The user, which lives as long as the batch it was read from.
    var id: Text
    var hash: UInt64
    var row: Roster.Row
  }

  init(_ roster: Roster) {
    self.roster = roster
    width = roster.attributes.count
  }

  /// Adds a row, whose user is the one that its id stands for, and whose first values are those of the roster's
  /// attributes. A row for a disk goes there at once.
  mutating func add(_ row: AssignmentRow) {
    guard roster.disk == nil else { return roster.add(row) }
    let id = roster.identities.resolve(row.user)
    rows.append(
      Waiting(
        id: id, hash: ByteHash.hash64(id),
        row: Roster.Row(
          user: 0, offering: row.offering, group: row.group, file: row.file, time: row.time, attributes: 0)))
    for attribute in 0..<width { values.append(row.values[attribute]) }
  }

  /// Where the values of a row are.
  func values(of position: Int) -> Range<Int> { position * width..<(position + 1) * width }

  /// Hands the rows on, in the order they came in.
  mutating func finish() {
    guard !rows.isEmpty else { return }
    let ends = sortPositions()
    var start = 0
    for (partition, end) in ends.enumerated() where end > start {
      roster.add(positions[start..<end], of: self, to: partition)
      start = end
    }
    rows.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Sorts the rows' places by partition through counting, and returns where each partition's end.
  private mutating func sortPositions() -> [Int] {
    var next = [Int](repeating: 0, count: UserDirectory.partitionCount + 1)
    for row in rows { next[UserDirectory.partition(ofHash: row.hash) + 1] += 1 }
    for partition in 0..<UserDirectory.partitionCount { next[partition + 1] += next[partition] }
    if positions.count < rows.count { positions = [Int](repeating: 0, count: rows.count) }
    for (position, row) in rows.enumerated() {
      let partition = UserDirectory.partition(ofHash: row.hash)
      positions[next[partition]] = position
      next[partition] += 1
    }
    return next.dropLast()
  }
}
