/// How many users have each value: a whole sample without its rows.
public struct ValueCounts: Sendable, Hashable {
  /// The distinct values, ascending, in the value's unit.
  public let values: [Double]
  /// The users with each value, all above zero.
  public let counts: [Int]
  /// The number of users.
  public let total: Int

  /// The values as they were counted, for comparing samples exactly.
  let keys: [Int128]
  /// How many of the keys' units make one of the values'.
  let unit: Int

  /// Gathers counts; values given twice are added up, counts of zero left out.
  ///
  /// - Parameters:
  ///   - counts: users by value; negative counts make the whole `nil`, as does a total beyond 2⁵².
  ///   - unit: how many units of the given values make one of the value's.
  public init?(_ counts: some Sequence<(key: Int128, value: Int)>, unit: Int = 1) {
    var merged: [Int128: Int] = [:]
    var total = 0
    for (value, count) in counts {
      guard count >= 0, count <= 1 << 52 - total, unit > 0 else { return nil }
      total += count
      if count > 0 { merged[value, default: 0] += count }
    }
    keys = merged.keys.sorted()
    values = keys.compactMap { ExactInteger.ratio(.small($0), .small(Int128(unit))) }
    self.counts = keys.map { merged[$0] ?? 0 }
    self.total = total
    self.unit = unit
  }

  /// The users whose value is not 0.
  public var nonzero: Int { zip(keys, counts).reduce(0) { $0 + ($1.0 == 0 ? 0 : $1.1) } }

  /// The mean; `nil` without users.
  public var mean: Double? {
    let sum = zip(keys, counts).reduce(ExactInteger.zero) { $0 + .small($1.0) * .small(Int128($1.1)) }
    return ExactInteger.ratio(sum, .small(Int128(total)) * .small(Int128(unit)))
  }

  /// The value of the given rank, counted from 1.
  func value(rank: Double) -> Double? {
    guard rank >= 1 else { return nil }
    var seen = 0.0
    for (value, count) in zip(values, counts) {
      seen += Double(count)
      if rank <= seen { return value }
    }
    return nil
  }
}
