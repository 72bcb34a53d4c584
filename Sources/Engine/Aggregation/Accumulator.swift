import Jobs
import Measurement
import Statistics

/// One metric's sums over one segment of one group, while they grow.
struct Accumulator: PlainSums {
  var statistics = SufficientStatistics()
  var immature = 0
  /// Of a metric whose cap depends on all users: how many users have each value that is not zero.
  var counts = QuantityCounts()
  /// How many users have each value, once settled.
  private(set) var values: [ValueCount] = []
  /// A sum has left 128 bits.
  var hasOverflowed = false

  /// Adds one user.
  @inline(__always)
  mutating func add(_ quantity: Quantity, deferring: Bool) {
    if quantity == .zero {
      statistics.addZero()
    } else {
      add(quantity, users: 1, deferring: deferring)
    }
  }

  /// Adds users who have one quantity, or takes them away where `users` is negative.
  mutating func add(_ quantity: Quantity, users: Int, deferring: Bool) {
    if deferring, quantity != .zero {
      counts.add(users, with: quantity)
    } else if !statistics.add(y: quantity.y, x: quantity.x, c: quantity.c, count: Int128(users)) {
      hasOverflowed = true
    }
  }

  mutating func merge(_ other: Accumulator) {
    if !statistics.merge(other.statistics) { hasOverflowed = true }
    immature += other.immature
    for (quantity, users) in other.counts { add(quantity, users: users, deferring: true) }
    if !other.values.isEmpty { values = Self.sum(values + other.values) }
    hasOverflowed = hasOverflowed || other.hasOverflowed
  }

  /// They are those of nobody.
  var areNothing: Bool {
    statistics == SufficientStatistics() && immature == 0 && counts.isEmpty && values.isEmpty && !hasOverflowed
  }

  /// One count for each value, by value.
  private static func sum(_ counts: [ValueCount]) -> [ValueCount] {
    let users = counts.reduce(into: [:]) { $0[ValueCount.Value(y: $1.y, x: $1.x), default: 0] += $1.users }
    return users.map { ValueCount(y: $0.key.y, x: $0.key.x, users: $0.value) }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// Adds the counted users, each cut at `cap`, to the sums, and keeps how many have each value.
  mutating func settle(cap: Int128?) {
    var users: [ValueCount.Value: Int] = [:]
    for (quantity, count) in counts {
      let cut = quantity.capped(at: cap)
      add(cut, users: count, deferring: false)
      users[ValueCount.Value(y: cut.y, x: cut.x), default: 0] += count
    }
    let zeros = Int(statistics.n) - users.values.reduce(0, +)
    if zeros > 0 { users[ValueCount.Value(y: 0, x: 0), default: 0] += zeros }
    values = users.map { ValueCount(y: $0.key.y, x: $0.key.x, users: $0.value) }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    counts = QuantityCounts()
  }
}

/// What has not been settled yet, and of that only what there is: most of a run's sums of segments and nights are of
/// few users.
extension Accumulator {
  private enum CodingKeys: CodingKey { case statistics, immature, counts, hasOverflowed }

  init(from decoder: any Decoder) throws {
    let reported = try decoder.container(keyedBy: CodingKeys.self)
    statistics = try reported.decodeIfPresent(SufficientStatistics.self, forKey: .statistics) ?? SufficientStatistics()
    immature = try reported.decodeIfPresent(Int.self, forKey: .immature) ?? 0
    counts = try reported.decodeIfPresent(QuantityCounts.self, forKey: .counts) ?? QuantityCounts()
    hasOverflowed = try reported.decodeIfPresent(Bool.self, forKey: .hasOverflowed) ?? false
  }

  func encode(to encoder: any Encoder) throws {
    var reported = encoder.container(keyedBy: CodingKeys.self)
    if statistics != SufficientStatistics() { try reported.encode(statistics, forKey: .statistics) }
    if immature != 0 { try reported.encode(immature, forKey: .immature) }
    if !counts.isEmpty { try reported.encode(counts, forKey: .counts) }
    if hasOverflowed { try reported.encode(hasOverflowed, forKey: .hasOverflowed) }
  }
}

/// All metrics over one segment of one group.
struct SegmentAccumulator: Tally {
  var users = 0
  /// Of them those of each phase, where weights are dated.
  var phases: [UInt32: Int] = [:]
  var metrics: [Accumulator]

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.users), TallyPart("phases", \.phases) { _, _ in true },
    TallyPart("metrics", \.metrics, count: \.metrics),
  ]

  init(metrics: Int) {
    self.metrics = Array(repeating: Accumulator(), count: metrics)
  }
}
