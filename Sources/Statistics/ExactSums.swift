/// A group's sums as integers of any size, each variable in its own unit.
///
/// `unitY` says how many of the sums' units make one of y's: 1,000,000 for sums in millionths, 10^k for
/// decimals with k places. Σy² is then in `unitY²`, Σxy in `unitX·unitY`, and so on.
struct ExactSums: Sendable, Hashable {
  var n = ExactInteger.zero
  var y = ExactInteger.zero
  var yy = ExactInteger.zero
  var x = ExactInteger.zero
  var xx = ExactInteger.zero
  var xy = ExactInteger.zero
  var c = ExactInteger.zero
  var cc = ExactInteger.zero
  var yc = ExactInteger.zero
  var xc = ExactInteger.zero
  var unitY = ExactInteger.one
  var unitX = ExactInteger.one
  var unitC = ExactInteger.one

  init() {}

  init(_ sums: SufficientStatistics, scale: SumScale) {
    n = .small(sums.n)
    (y, yy) = (.small(sums.sumY), .small(sums.sumYY))
    (x, xx, xy) = (.small(sums.sumX), .small(sums.sumXX), .small(sums.sumXY))
    (c, cc) = (.small(sums.sumC), .small(sums.sumCC))
    (yc, xc) = (.small(sums.sumYC), .small(sums.sumXC))
    (unitY, unitX, unitC) = (.small(Int128(scale.y)), .small(Int128(scale.x)), .small(Int128(scale.c)))
  }

  /// Σy when it is a whole number that fits 128 bits: the ones among zeros and ones.
  var successes: Int128? {
    guard let y = y.int128, let unit = unitY.int128, y % unit == 0 else { return nil }
    return y / unit
  }

  /// The sums of both groups together, exact even when their units differ.
  func merging(_ other: ExactSums) -> ExactSums {
    let (a, b) = (rescaled(toFit: other), other.rescaled(toFit: self))
    var sum = a
    sum.n = a.n + b.n
    (sum.y, sum.yy) = (a.y + b.y, a.yy + b.yy)
    (sum.x, sum.xx, sum.xy) = (a.x + b.x, a.xx + b.xx, a.xy + b.xy)
    (sum.c, sum.cc) = (a.c + b.c, a.cc + b.cc)
    (sum.yc, sum.xc) = (a.yc + b.yc, a.xc + b.xc)
    return sum
  }

  /// The same sums in units that are multiples of another group's.
  private func rescaled(toFit other: ExactSums) -> ExactSums {
    scaled(
      y: unitY == other.unitY ? .one : other.unitY,
      x: unitX == other.unitX ? .one : other.unitX,
      c: unitC == other.unitC ? .one : other.unitC
    )
  }

  private func scaled(y fy: ExactInteger, x fx: ExactInteger, c fc: ExactInteger) -> ExactSums {
    if fy == .one, fx == .one, fc == .one { return self }
    var result = self
    (result.unitY, result.unitX, result.unitC) = (unitY * fy, unitX * fx, unitC * fc)
    (result.y, result.yy) = (y * fy, yy * fy * fy)
    (result.x, result.xx, result.xy) = (x * fx, xx * fx * fx, xy * fx * fy)
    (result.c, result.cc) = (c * fc, cc * fc * fc)
    (result.yc, result.xc) = (yc * fy * fc, xc * fx * fc)
    return result
  }
}

/// How many of the sums' units make one of the value's, for each variable.
public struct SumScale: Sendable, Hashable {
  /// Units of y: 1,000,000 when y was summed in millionths.
  public var y: Int
  /// Units of x.
  public var x: Int
  /// Units of c.
  public var c: Int

  /// Makes a scale; values below 1 count as 1.
  public init(y: Int = 1, x: Int = 1, c: Int = 1) {
    self.y = max(1, y)
    self.x = max(1, x)
    self.c = max(1, c)
  }
}
