/// n times the centred sums of squares and products, exact, of sums that have been found possible.
///
/// `yy` is n·Σy² − (Σy)², which is n(n − 1) variances; `xy` is n·Σxy − Σx·Σy.
struct SumsOfSquares {
  let yy: ExactInteger
  let xx: ExactInteger
  let cc: ExactInteger
  let xy: ExactInteger
  let yc: ExactInteger
  let xc: ExactInteger

  init(_ sums: ExactSums, kind: MetricKind) throws(SumsError) {
    try Self.checkCount(sums)
    if kind == .proportion { try Self.checkZerosAndOnes(sums) }
    yy = try Self.squares(sums.n, sums.y, sums.yy, .sumYY)
    xx = try Self.squares(sums.n, sums.x, sums.xx, .sumXX)
    cc = try Self.squares(sums.n, sums.c, sums.cc, .sumCC)
    xy = try Self.products(sums.n, sums.x, sums.y, sums.xy, (sums.xx, sums.yy, xx, yy), .sumXY)
    yc = try Self.products(sums.n, sums.y, sums.c, sums.yc, (sums.yy, sums.cc, yy, cc), .sumYC)
    xc = try Self.products(sums.n, sums.x, sums.c, sums.xc, (sums.xx, sums.cc, xx, cc), .sumXC)
  }

  private static func checkCount(_ sums: ExactSums) throws(SumsError) {
    guard sums.n.signum >= 0 else { throw .negativeCount }
    guard sums.n.signum == 0 else { return }
    let all: [(ExactInteger, SumField)] = [
      (sums.y, .sumY), (sums.yy, .sumYY), (sums.x, .sumX), (sums.xx, .sumXX), (sums.xy, .sumXY),
      (sums.c, .sumC), (sums.cc, .sumCC), (sums.yc, .sumYC), (sums.xc, .sumXC),
    ]
    for (sum, field) in all where sum.signum != 0 { throw .sumWithoutUsers(field) }
  }

  private static func checkZerosAndOnes(_ sums: ExactSums) throws(SumsError) {
    let isInRange = sums.y.signum >= 0 && sums.y <= sums.n * sums.unitY
    guard isInRange, sums.successes != nil, sums.yy == sums.y * sums.unitY else { throw .notZerosAndOnes }
  }

  /// n·Σv² − (Σv)², zero when it is negative by no more than rounding.
  private static func squares(
    _ n: ExactInteger,
    _ sum: ExactInteger,
    _ squares: ExactInteger,
    _ field: SumField
  ) throws(SumsError) -> ExactInteger {
    if sum == .zero, squares == .zero { return .zero }
    guard squares.signum >= 0 else { throw .negativeSquares(field) }
    let whole = n * squares
    let centred = whole - sum * sum
    let isNegligible = isRounding(centred, of: whole)
    if centred.signum < 0 || n == .one {
      guard isNegligible else { throw n == .one ? .varianceOfOneUser(field) : .squaresTooSmall(field) }
      return .zero
    }
    return centred
  }

  /// n·Σuv − Σu·Σv, checked against the centred squares it goes with.
  private static func products(
    _ n: ExactInteger,
    _ sumU: ExactInteger,
    _ sumV: ExactInteger,
    _ sum: ExactInteger,
    _ squares: (rawU: ExactInteger, rawV: ExactInteger, u: ExactInteger, v: ExactInteger),
    _ field: SumField
  ) throws(SumsError) -> ExactInteger {
    let centred = n * sum - sumU * sumV
    if centred == .zero { return .zero }
    let excess = centred * centred - squares.u * squares.v
    guard excess.signum > 0 else { return centred }
    // Rounding of the typed-in sums is relative to the raw sums of squares, not to the small centred ones.
    let whole = n * n * squares.rawU * squares.rawV
    guard isRounding(excess, of: whole) else { throw .productTooLarge(field) }
    return centred
  }

  /// Tells whether `difference` is below 10⁻⁹ of `whole`.
  private static func isRounding(_ difference: ExactInteger, of whole: ExactInteger) -> Bool {
    difference.magnitude * .small(1_000_000_000) <= whole.magnitude
  }
}
