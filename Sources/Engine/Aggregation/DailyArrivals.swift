/// How many users begin to count on each night, gathered here so that the sums take them all at once.
///
/// Each user is counted as one who has nothing of any metric; a metric of which it has something corrects that in its own
/// sums. Metrics that wait equally long after a user's start, a length, count it from the same night on, so a user takes
/// an entry a length and not one a metric.
struct DailyArrivals: ~Copyable {
  private let nightCount: Int
  private let lengthCount: Int
  /// How many more or fewer users count: by cell, its nights, and a night's lengths.
  private var changes = RecordBuffer<Int32>()

  init(nights: Int, lengths: Int) {
    nightCount = nights
    lengthCount = lengths
  }

  /// A user counts in some cells, for the metrics of a length, from one night until another.
  mutating func add(_ cells: RecordSpan<Int>, from first: Int, until end: Int, length: Int) {
    guard first < end else { return }
    for cell in cells {
      while changes.count < (cell + 1) * nightCount * lengthCount { changes.append(0) }
      let changes = changes.span
      changes[(cell * nightCount + first) * lengthCount + length] += 1
      if end < nightCount { changes[(cell * nightCount + end) * lengthCount + length] -= 1 }
    }
  }

  /// Calls `body` with how many users came to count, or ceased to where negative, and forgets them.
  mutating func hand(to body: (_ users: Int, _ cell: Int, _ night: Int, _ length: Int) -> Void) {
    let changes = changes.span
    for position in changes.indices where changes[position] != 0 {
      let night = position / lengthCount
      body(Int(changes[position]), night / nightCount, night % nightCount, position % lengthCount)
    }
    self.changes.removeAll()
  }
}
