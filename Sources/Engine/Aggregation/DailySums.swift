import Domain
import Statistics

/// How the sums of a run would have changed from night to night, had it been run every night.
///
/// What did not change takes eight bytes a cell, night and metric; what did takes its sums beside.
struct DailySums: Mergeable {
  private let nightCount: Int
  /// Changes a night: one for each metric, and one for the users who are there at all.
  private let width: Int
  private var changes: [Accumulator] = []
  /// Where a change lies among `changes`, from 1; 0 is none. Cell by cell, a cell's night by night.
  private var positions: [UInt32] = []
  /// The changes of those whose quantity is nothing, nearly everybody's, as counts of users; as `places`.
  private var idle: [Int32] = []
  /// The changes of those whose quantity is one, as counts of users; as `places`.
  private var ones: [Int32] = []
  private var cells = KeyNumbers<Cell>()

  /// Whose changes: a group's, or those of its users with one value of an attribute.
  struct Cell: Hashable, Codable {
    var group: GroupKey
    /// Number of the attribute; nil is everybody.
    var attribute: Int?
    var value: UInt32 = Interner.none

    func isKnown(to shape: SumsShape) -> Bool {
      guard shape.knows(group) else { return false }
      guard let attribute else { return value == Interner.none }
      return shape.knows(value: value, of: attribute)
    }
  }

  init(nights: Int, metrics: Int) {
    nightCount = nights
    width = metrics + 1
  }

  /// The cells, by number.
  var keys: [Cell] { cells.keys }

  /// The number of a cell, a new one at its first mention.
  mutating func number(of cell: Cell) -> Int {
    if let number = cells.find(cell) { return number }
    positions += Array(repeating: 0, count: nightCount * width)
    idle += Array(repeating: 0, count: nightCount * width)
    ones += Array(repeating: 0, count: nightCount * width)
    return cells.add(cell)
  }

  /// Adds users (or takes them away, where negative) with one quantity on one night.
  @inline(__always)
  mutating func add(_ quantity: Quantity, users: Int, cells: RecordSpan<Int>, night: Int, metric: Int, deferring: Bool)
  {
    for cell in cells {
      let position = (cell * nightCount + night) * width + metric
      if quantity == .zero {
        idle[position] += Int32(users)
      } else if quantity == .one, !deferring {
        ones[position] += Int32(users)
      } else {
        changes[change(at: position)].add(quantity, users: users, deferring: deferring)
      }
    }
  }

  /// Adds users who have nothing.
  mutating func addIdle(_ users: Int, cell: Int, night: Int, metric: Int) {
    idle[(cell * nightCount + night) * width + metric] += Int32(users)
  }

  private mutating func change(at position: Int) -> Int {
    if positions[position] == 0 {
      changes.append(Accumulator())
      positions[position] = UInt32(changes.count)
    }
    return Int(positions[position]) - 1
  }

  /// Whether a cell stood at the end of a night as the night before.
  func isQuiet(cell: Int, night: Int) -> Bool {
    let own = (cell * nightCount + night) * width..<(cell * nightCount + night + 1) * width
    return idle[own].allSatisfy { $0 == 0 } && ones[own].allSatisfy { $0 == 0 }
      && positions[own].allSatisfy { $0 == 0 || changes[Int($0) - 1].areNothing }
  }

  /// The last night on which a cell had more or fewer users than the night before; nil where there is none.
  func lastArrival(cell: Int) -> Int? {
    (0..<nightCount).last { idle[(cell * nightCount + $0) * width + width - 1] != 0 }
  }

  /// Brings a cell's sums to the end of a night from the night before: by metric, and last the users.
  func advance(_ sums: inout [Accumulator], cell: Int, night: Int) {
    if sums.isEmpty { sums = Array(repeating: Accumulator(), count: width) }
    for index in 0..<width {
      let position = (cell * nightCount + night) * width + index
      if positions[position] > 0 { sums[index].merge(changes[Int(positions[position]) - 1]) }
      if idle[position] != 0 { sums[index].add(.zero, users: Int(idle[position]), deferring: false) }
      if ones[position] != 0 { sums[index].add(.one, users: Int(ones[position]), deferring: false) }
    }
  }

  func misfit(_ shape: SumsShape) -> String? {
    keys.allSatisfy { $0.isKnown(to: shape) } ? nil : "nights"
  }

  mutating func merge(_ other: DailySums) {
    let size = nightCount * width
    for (theirs, cell) in other.cells.keys.enumerated() {
      let mine = number(of: cell)
      for position in 0..<size {
        let change = other.positions[theirs * size + position]
        if change > 0 { changes[self.change(at: mine * size + position)].merge(other.changes[Int(change) - 1]) }
        add(other.idle[theirs * size + position], to: \.idle, .zero, at: mine * size + position)
        add(other.ones[theirs * size + position], to: \.ones, .one, at: mine * size + position)
      }
    }
  }
}

extension DailySums {
  /// Adds a count of users who have a quantity to another, and where those are too many to the sums beside.
  private mutating func add(
    _ users: Int32, to counts: WritableKeyPath<Self, [Int32]>, _ quantity: Quantity, at position: Int
  ) {
    let (sum, isTooLarge) = self[keyPath: counts][position].addingReportingOverflow(users)
    if isTooLarge {
      changes[change(at: position)].add(quantity, users: Int(users), deferring: false)
    } else {
      self[keyPath: counts][position] = sum
    }
  }
}

/// Only what changed, by place.
extension DailySums {
  private struct Encoded: Codable {
    var nightCount: Int
    var width: Int
    var cells: [EncodedCell] = []
  }

  private struct EncodedCell: Codable {
    var cell: Cell
    var changes: [Int: Accumulator] = [:]
    var idle: [Int: Int32] = [:]
    var ones: [Int: Int32] = [:]
  }

  /// Needs the shape of the run's sums, so that it sets no more memory aside than the run's nights need.
  init(from decoder: any Decoder) throws {
    let reported = try Encoded(from: decoder)
    guard let shape = decoder.userInfo[.shape] as? SumsShape else {
      throw DecodingError.misplaced("nights of no run", decoder)
    }
    self.init(nights: shape.nights, metrics: shape.metrics)
    guard reported.nightCount == nightCount, reported.width == width else {
      throw DecodingError.misplaced("\(reported.nightCount) nights of \(reported.width) sums", decoder)
    }
    let positions = 0..<nightCount * width
    for own in reported.cells {
      let first = number(of: own.cell) * positions.count
      for (position, change) in own.changes {
        guard positions.contains(position) else { throw DecodingError.misplaced("a change at \(position)", decoder) }
        changes[self.change(at: first + position)].merge(change)
      }
      for (position, users) in own.idle {
        guard positions.contains(position) else { throw DecodingError.misplaced("users at \(position)", decoder) }
        idle[first + position] = users
      }
      for (position, users) in own.ones {
        guard positions.contains(position) else { throw DecodingError.misplaced("users at \(position)", decoder) }
        ones[first + position] = users
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var reported = Encoded(nightCount: nightCount, width: width)
    let size = nightCount * width
    for (number, cell) in cells.keys.enumerated() {
      var own = EncodedCell(cell: cell)
      for position in 0..<size {
        let at = number * size + position
        if positions[at] > 0 { own.changes[position] = changes[Int(positions[at]) - 1] }
        if idle[at] != 0 { own.idle[position] = idle[at] }
        if ones[at] != 0 { own.ones[position] = ones[at] }
      }
      reported.cells.append(own)
    }
    try reported.encode(to: encoder)
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

  /// The last one's cut-off, in milliseconds; nil where there is none.
  var last: Int64? { count > 0 ? cutoff(count - 1) : nil }

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
