import Domain
import Statistics

/// How the sums of a run would have changed from night to night, had it been run every night.
struct DailySums: Sendable {
  private let nightCount: Int
  /// Changes a night: one for each metric, and one for the users who are there at all.
  private let width: Int
  /// By cell; a cell's changes lie night by night.
  private var changes: [[Accumulator]] = []
  /// The changes of those whose quantity is nothing, nearly everybody's, as counts of users: cell by cell, as `changes`.
  private var idle: [Int] = []
  private var cells = KeyNumbers<Cell>()

  /// Whose changes: a group's, or those of its users with one value of an attribute.
  struct Cell: Hashable {
    var group: GroupKey
    /// Number of the attribute; nil is everybody.
    var attribute: Int?
    var value: UInt32 = Interner.none
  }

  init(nights: Int, metrics: Int) {
    nightCount = nights
    width = metrics + 1
  }

  /// The number of a cell, a new one at its first mention.
  mutating func number(of cell: Cell) -> Int {
    if let number = cells.find(cell) { return number }
    changes.append(Array(repeating: Accumulator(), count: nightCount * width))
    idle += Array(repeating: 0, count: nightCount * width)
    return cells.add(cell)
  }

  /// Adds users (or takes them away, where negative) with one quantity on one night.
  @inline(__always)
  mutating func add(_ quantity: Quantity, users: Int, cells: [Int], night: Int, metric: Int, deferring: Bool) {
    let place = night * width + metric
    for cell in cells {
      if quantity == .zero {
        idle[cell * nightCount * width + place] += users
      } else {
        changes[cell][place].add(quantity, users: users, deferring: deferring)
      }
    }
  }

  /// Each cell's changes on one night: by metric, and last the users.
  func changes(onNight night: Int) -> [(cell: Cell, metrics: [Accumulator])] {
    cells.keys.enumerated().map { number, cell in
      let metrics = (night * width..<(night + 1) * width).map { place in
        var change = changes[number][place]
        change.add(.zero, users: idle[number * nightCount * width + place], deferring: false)
        return change
      }
      return (cell, metrics)
    }
  }

  mutating func merge(_ other: DailySums) {
    let size = nightCount * width
    for (theirs, cell) in other.cells.keys.enumerated() {
      let mine = number(of: cell)
      for place in 0..<size {
        changes[mine][place].merge(other.changes[theirs][place])
        idle[mine * size + place] += other.idle[theirs * size + place]
      }
    }
  }
}

/// The nights a run looks back on: the ends of the UTC days from the first assignment up to the cut-off.
struct Nights: Sendable {
  /// UTC day of the first one, in days since 1970.
  let firstDay: Int64
  let count: Int

  init(from first: Instant?, to cutoff: Instant) {
    guard let first else {
      firstDay = 0
      count = 0
      return
    }
    firstDay = first.utcDay
    // A day counts once it has ended: the cut-off itself is the end of the day before it.
    count = Int(max(0, cutoff.utcDay - firstDay))
  }

  /// The cut-off of a night, in milliseconds.
  func cutoff(_ night: Int) -> Int64 { (firstDay + Int64(night) + 1) * Instant.millisecondsPerDay }

  /// The first night whose cut-off lies after `time`.
  func firstAfter(_ time: Int64) -> Int {
    clamped(time.dividedRoundingDown(by: Instant.millisecondsPerDay) - firstDay)
  }

  /// The first night whose cut-off is `time` or later.
  func firstAt(_ time: Int64) -> Int {
    clamped((time - 1).dividedRoundingDown(by: Instant.millisecondsPerDay) - firstDay)
  }

  private func clamped(_ night: Int64) -> Int { Int(min(max(night, 0), Int64(count))) }
}
