/// The exact sums of one group of users: everything an estimate or a comparison needs, and no rows.
///
/// Every user brings a triple of integers: `y` (the quantity, or a ratio's numerator), `x` (a ratio's
/// denominator) and `c` (a covariate known beforehand). Integers make the sums independent of order,
/// threads and engine; how many units make one of the value's is given later, to ``SampleMoments``.
///
///     var sums = SufficientStatistics()
///     _ = sums.add(y: 9_990_000)
///     sums.addZero()
///     // sums.n == 2, sums.sumY == 9_990_000
///
/// Adding and merging report overflow of 128 bits instead of wrapping.
@frozen public struct SufficientStatistics: Sendable, Hashable {
  /// The number of users.
  public var n: Int128
  /// Σy.
  public var sumY: Int128
  /// Σy².
  public var sumYY: Int128
  /// Σx.
  public var sumX: Int128
  /// Σx².
  public var sumXX: Int128
  /// Σxy.
  public var sumXY: Int128
  /// Σc.
  public var sumC: Int128
  /// Σc².
  public var sumCC: Int128
  /// Σyc.
  public var sumYC: Int128
  /// Σxc.
  public var sumXC: Int128

  /// Makes a group from sums already known; whatever is left out is zero.
  @inlinable public init(
    n: Int128 = 0,
    sumY: Int128 = 0,
    sumYY: Int128 = 0,
    sumX: Int128 = 0,
    sumXX: Int128 = 0,
    sumXY: Int128 = 0,
    sumC: Int128 = 0,
    sumCC: Int128 = 0,
    sumYC: Int128 = 0,
    sumXC: Int128 = 0
  ) {
    self.n = n
    self.sumY = sumY
    self.sumYY = sumYY
    self.sumX = sumX
    self.sumXX = sumXX
    self.sumXY = sumXY
    self.sumC = sumC
    self.sumCC = sumCC
    self.sumYC = sumYC
    self.sumXC = sumXC
  }

  /// Adds `count` users who all bring the same triple.
  ///
  /// - Returns: `false` when a sum left 128 bits; the sums are then meaningless.
  @inlinable public mutating func add(y: Int128, x: Int128 = 0, c: Int128 = 0, count: Int128 = 1) -> Bool {
    var overflow = SufficientStatistics.accumulate(&n, count)
    overflow = overflow || SufficientStatistics.accumulate(&sumY, y, count)
    overflow = overflow || SufficientStatistics.accumulate(&sumYY, y, y, count)
    if x != 0 {
      overflow = overflow || SufficientStatistics.accumulate(&sumX, x, count)
      overflow = overflow || SufficientStatistics.accumulate(&sumXX, x, x, count)
      overflow = overflow || SufficientStatistics.accumulate(&sumXY, x, y, count)
    }
    if c != 0 {
      overflow = overflow || SufficientStatistics.accumulate(&sumC, c, count)
      overflow = overflow || SufficientStatistics.accumulate(&sumCC, c, c, count)
      overflow = overflow || SufficientStatistics.accumulate(&sumYC, y, c, count)
      overflow = overflow || SufficientStatistics.accumulate(&sumXC, x, c, count)
    }
    return !overflow
  }

  /// Adds one user whose `y`, `x` and `c` are all zero.
  @inlinable public mutating func addZero() {
    n &+= 1
  }

  /// Adds the sums of another group of users.
  ///
  /// - Returns: `false` when a sum left 128 bits; the sums are then meaningless.
  @inlinable public mutating func merge(_ other: Self) -> Bool {
    var overflow = SufficientStatistics.accumulate(&n, other.n)
    overflow = SufficientStatistics.accumulate(&sumY, other.sumY) || overflow
    overflow = SufficientStatistics.accumulate(&sumYY, other.sumYY) || overflow
    overflow = SufficientStatistics.accumulate(&sumX, other.sumX) || overflow
    overflow = SufficientStatistics.accumulate(&sumXX, other.sumXX) || overflow
    overflow = SufficientStatistics.accumulate(&sumXY, other.sumXY) || overflow
    overflow = SufficientStatistics.accumulate(&sumC, other.sumC) || overflow
    overflow = SufficientStatistics.accumulate(&sumCC, other.sumCC) || overflow
    overflow = SufficientStatistics.accumulate(&sumYC, other.sumYC) || overflow
    overflow = SufficientStatistics.accumulate(&sumXC, other.sumXC) || overflow
    return !overflow
  }

  /// Adds `term` to `sum`; `true` when that overflowed.
  @inlinable static func accumulate(_ sum: inout Int128, _ term: Int128) -> Bool {
    let (total, overflow) = sum.addingReportingOverflow(term)
    sum = total
    return overflow
  }

  /// Adds `a·b` to `sum`; `true` when that overflowed.
  @inlinable static func accumulate(_ sum: inout Int128, _ a: Int128, _ b: Int128) -> Bool {
    let (product, overflow) = multiplied(a, b)
    return accumulate(&sum, product) || overflow
  }

  /// `a·b`, and whether that overflowed. Two factors of 64 bits, as nearly all are, cannot: their product takes one
  /// instruction, where the check of 128 takes a call.
  @inlinable static func multiplied(_ a: Int128, _ b: Int128) -> (Int128, Bool) {
    if let a = Int64(exactly: a), let b = Int64(exactly: b) {
      let product = a.multipliedFullWidth(by: b)
      return (Int128(product.high) << 64 | Int128(product.low), false)
    }
    return a.multipliedReportingOverflow(by: b)
  }

  /// Adds `a·b·count` to `sum`; `true` when that overflowed.
  @inlinable static func accumulate(_ sum: inout Int128, _ a: Int128, _ b: Int128, _ count: Int128) -> Bool {
    let (product, overflow) = multiplied(a, b)
    return (count == 1 ? accumulate(&sum, product) : accumulate(&sum, product, count)) || overflow
  }
}
