/// The sums of a partition's users while they are added: a cell for those of a group whose attributes have the same values.
///
/// Every user is added once, to a cell; segments, of which a user is in many, are merged from the cells. And users whose
/// quantity of a metric is 0 or 1, as nearly all are, wait as counts until they are added at once.
final class SegmentCells {
  private let metrics: [CompiledMetric]
  private let attributes: Int
  /// Which of the attributes are the phases of dated weights; nil where there are none.
  private let phaseSplit: Int?
  /// So many cells are kept before they are merged.
  private let mostCells: Int
  /// Of each cell the group's number and then those of the attributes' values.
  private var keys = RecordBuffer<UInt32>()
  /// The same of the user at hand.
  private var key = RecordBuffer<UInt32>()
  /// Where a key's cell is found: its number, from 1; 0 is free.
  private var slots = RecordBuffer<Int32>()
  /// Of each cell the users, the idle ones among them, and by metric how many wait.
  private var counts = RecordBuffer<Int>()
  private var sums: [Accumulator] = []

  /// How many of a cell's users have a metric's quantity.
  private enum Waiting: Int, CaseIterable {
    /// One.
    case ones
    /// Neither zero nor one: they do not wait.
    case others
    /// Their window has not ended.
    case immature
  }

  /// Cells hold no more sums than these, some four megabytes.
  private static let mostSums = 1 << 14

  /// - Parameters:
  ///   - attributes: how many there are, phases and days of assignment included.
  ///   - phaseSplit: which of them the phases are.
  ///   - mostCells: how many are kept at once; nil lets the number of metrics decide.
  init(_ metrics: [CompiledMetric], attributes: Int, phaseSplit: Int? = nil, mostCells: Int? = nil) {
    self.metrics = metrics
    self.attributes = attributes
    self.phaseSplit = phaseSplit
    let mostCells = mostCells ?? max(64, Self.mostSums / max(1, metrics.count))
    self.mostCells = mostCells
    slots.fill(with: 0, count: mostCells.nextPowerOfTwo * 2)
  }

  private var keyWidth: Int { attributes + 1 }
  private var countWidth: Int { 2 + metrics.count * Waiting.allCases.count }
  private var cellCount: Int { keys.count / keyWidth }

  /// There is no room for another cell: they have to be merged first.
  var isFull: Bool { cellCount == mostCells }

  /// Adds a user of a group to its cell.
  ///
  /// - Parameters:
  ///   - group: the group's number.
  ///   - values: by attribute the number of the user's value.
  ///   - strata: the numbers of the user's phase and day of assignment, as far as users are parted so.
  @inline(__always)
  func add(
    _ quantities: MetricQuantities, group: Int, values: some Collection<UInt32>,
    strata: RecordSpan<UInt32> = RecordSpan()
  ) {
    key.removeAll()
    key.append(UInt32(group))
    for value in values { key.append(value) }
    for stratum in strata { key.append(stratum) }
    let cell = cell(of: key.span)
    let counts = counts.span[cell * countWidth..<(cell + 1) * countWidth]
    var position = counts.startIndex
    counts[position] += 1
    if quantities.areIdle {
      counts[position + 1] += 1
      return
    }
    position += 2
    for metric in quantities.ones { counts[position + metric * 3 + Waiting.ones.rawValue] += 1 }
    for metric in quantities.immature { counts[position + metric * 3 + Waiting.immature.rawValue] += 1 }
    let values = quantities.values
    for metric in quantities.others {
      counts[position + metric * 3 + Waiting.others.rawValue] += 1
      sums[cell * metrics.count + metric].add(
        values[metric] ?? .zero, users: 1, deferring: quantities.isDeferred[metric])
    }
  }

  // MARK: - Cells

  @inline(__always)
  private func cell(of key: RecordSpan<UInt32>) -> Int {
    var hash: UInt64 = 0
    for number in key { hash = (hash ^ UInt64(number)) &* Spread.multiplier }
    let slots = slots.span
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      let cell = Int(slots[slot]) - 1
      if isKey(of: cell, key) { return cell }
      slot = (slot + 1) & mask
    }
    slots[slot] = Int32(cellCount + 1)
    return addCell(key)
  }

  @inline(__always)
  private func isKey(of cell: Int, _ key: RecordSpan<UInt32>) -> Bool {
    let (keys, first) = (keys.span, cell * keyWidth)
    for position in key.indices where keys[first + position] != key[position] { return false }
    return true
  }

  private func addCell(_ key: RecordSpan<UInt32>) -> Int {
    keys.append(contentsOf: key)
    for _ in 0..<countWidth { counts.append(0) }
    for _ in metrics { sums.append(Accumulator()) }
    return cellCount - 1
  }

  // MARK: - Segments

  /// Merges the cells into their groups' segments, and begins anew.
  func merge(into groups: inout [GroupAccumulator]) {
    for cell in 0..<cellCount {
      settle(cell)
      let key = keys.span[cell * keyWidth..<(cell + 1) * keyWidth]
      let group = Int(key[key.startIndex])
      let users = counts.span[cell * countWidth]
      let own = sums[cell * metrics.count..<(cell + 1) * metrics.count]
      let phase = phaseSplit.map { key[key.startIndex + 1 + $0] }
      groups[group].all.merge(own, users: users, of: phase) { _ in true }
      for attribute in 0..<attributes {
        groups[group].bySegment[attribute][
          key[key.startIndex + 1 + attribute], default: SegmentAccumulator(metrics: metrics.count)
        ]
        .merge(own, users: users, of: phase) { metrics[$0].isSplitBy[attribute] }
      }
    }
    keys.removeAll()
    counts.removeAll()
    sums.removeAll(keepingCapacity: true)
    slots.fill(with: 0, count: slots.count)
  }

  /// Adds a cell's users who wait.
  private func settle(_ cell: Int) {
    let counts = counts.span[cell * countWidth..<(cell + 1) * countWidth]
    let (users, idle) = (counts[counts.startIndex], counts[counts.startIndex + 1])
    for metric in metrics.indices {
      let own = Waiting.allCases.map { counts[counts.startIndex + 2 + metric * 3 + $0.rawValue] }
      let position = cell * metrics.count + metric
      sums[position].immature += own[Waiting.immature.rawValue]
      let ones = own[Waiting.ones.rawValue]
      if ones > 0 { sums[position].add(.one, users: ones, deferring: false) }
      let zeros = users - idle - own.reduce(0, +)
      if zeros > 0 { sums[position].add(.zero, users: zeros, deferring: false) }
      guard idle > 0 else { continue }
      sums[position].add(metrics[metric].idleQuantity, users: idle, deferring: metrics[metric].countsValues)
    }
  }
}

extension SegmentAccumulator {
  /// Adds users and their sums, by metric, of those metrics that the segment splits.
  fileprivate mutating func merge(
    _ sums: ArraySlice<Accumulator>, users: Int, of phase: UInt32?, where isSplit: (Int) -> Bool
  ) {
    self.users += users
    if let phase { phases[phase, default: 0] += users }
    for metric in metrics.indices where isSplit(metric) { metrics[metric].merge(sums[sums.startIndex + metric]) }
  }
}

extension Int {
  /// The smallest power of two that is not smaller.
  fileprivate var nextPowerOfTwo: Int {
    var power = 1
    while power < self { power *= 2 }
    return power
  }
}
