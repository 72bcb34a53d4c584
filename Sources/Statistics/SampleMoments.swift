/// Means, variances and covariances of one group, from its exact sums.
///
/// Each figure is a quotient of two exact integers divided once, so nothing cancels: n·Σy² − (Σy)² is formed
/// in as many bits as it needs (Chan, Golub & LeVeque 1983 show what happens otherwise). Variances are the
/// unbiased ones, with n − 1.
public struct SampleMoments: Sendable, Hashable {
  /// How the sums are read.
  public let kind: MetricKind
  /// The number of users.
  public let count: Int128
  /// The number of users as the formulas use it.
  public let n: Double
  /// Σy in the value's unit.
  public let totalY: Double
  /// Σx in its own unit: a ratio's denominator.
  public let totalX: Double
  /// ȳ; `nil` without users.
  public let meanY: Double?
  /// x̄; `nil` without users.
  public let meanX: Double?
  /// c̄; `nil` without users.
  public let meanC: Double?
  /// s_y² with n − 1; `nil` with fewer than two users.
  public let varianceY: Double?
  /// s_x² with n − 1.
  public let varianceX: Double?
  /// s_c² with n − 1.
  public let varianceC: Double?
  /// s_xy with n − 1.
  public let covarianceXY: Double?
  /// s_yc with n − 1.
  public let covarianceYC: Double?
  /// s_xc with n − 1.
  public let covarianceXC: Double?
  /// The number the metric is about: ȳ for a proportion or a mean, Σy/Σx for a ratio.
  public let value: Double?
  /// The variance, with n − 1, of the quantity whose mean is `value`: s_y², and for a ratio that of the
  /// linearised (y − R·x)/x̄ (delta method; Deng, Knoblich & Lu 2018, eq. 3).
  public let variance: Double?
  /// The covariance of that quantity with c.
  public let covarianceWithC: Double?

  /// How many equal values Σy rests on: (Σy)²/Σy², 0 where every y is 0. Of zeros and ones it is the number of
  /// ones; one big spender among many small ones brings it down (Kish 1965, section 8.2).
  public let effectiveY: Double
  /// The same of x: (Σx)²/Σx².
  public let effectiveX: Double

  /// The sums themselves, for merging and for exact tests.
  let sums: ExactSums

  /// Takes the moments of integer sums.
  ///
  /// - Throws: ``SumsError`` naming the sum that no users can have.
  public init(
    _ statistics: SufficientStatistics,
    kind: MetricKind,
    scale: SumScale = SumScale()
  ) throws(SumsError) {
    try self.init(ExactSums(statistics, scale: scale), kind: kind)
  }

  /// Takes the moments of sums written as decimals.
  ///
  /// - Throws: ``SumsError`` naming the text that cannot be read or the sum that no users can have.
  public init(_ decimals: DecimalSums, kind: MetricKind) throws(SumsError) {
    try self.init(try decimals.exact(kind: kind), kind: kind)
  }

  init(_ sums: ExactSums, kind: MetricKind) throws(SumsError) {
    let spread = try SumsOfSquares(sums, kind: kind)
    guard let count = sums.n.int128 else { throw .outOfRange(.n, text: "beyond 128 bits") }
    let n = sums.n
    let pairs = n * (n - .one)
    self.kind = kind
    self.sums = sums
    self.count = count
    self.n = n.double
    totalY = ExactInteger.ratio(sums.y, sums.unitY) ?? 0
    totalX = ExactInteger.ratio(sums.x, sums.unitX) ?? 0
    effectiveY = ExactInteger.ratio(sums.y * sums.y, sums.yy) ?? 0
    effectiveX = ExactInteger.ratio(sums.x * sums.x, sums.xx) ?? 0
    meanY = .ratio(sums.y, n * sums.unitY)
    meanX = .ratio(sums.x, n * sums.unitX)
    meanC = .ratio(sums.c, n * sums.unitC)
    varianceY = .ratio(spread.yy, pairs * sums.unitY * sums.unitY)
    varianceX = .ratio(spread.xx, pairs * sums.unitX * sums.unitX)
    varianceC = .ratio(spread.cc, pairs * sums.unitC * sums.unitC)
    covarianceXY = .ratio(spread.xy, pairs * sums.unitX * sums.unitY)
    covarianceYC = .ratio(spread.yc, pairs * sums.unitY * sums.unitC)
    covarianceXC = .ratio(spread.xc, pairs * sums.unitX * sums.unitC)
    if kind == .ratio {
      value = .ratio(sums.y * sums.unitX, sums.x * sums.unitY)
      variance = sums.linearisedVariance
      covarianceWithC = sums.linearisedCovariance
    } else {
      value = meanY
      variance = varianceY
      covarianceWithC = covarianceYC
    }
  }

  /// The moments of both groups' users together.
  ///
  /// - Throws: ``SumsError/outOfRange(_:text:)`` when the users outgrow 128 bits.
  public func merging(_ other: SampleMoments) throws(SumsError) -> SampleMoments {
    try SampleMoments(sums.merging(other.sums), kind: kind)
  }

  /// Tells whether Σy, and for a ratio Σx, rest on at least so many equal values; exact, without a division.
  public func hasEffectiveEvents(atLeast minimum: Int) -> Bool {
    let wanted = ExactInteger.small(Int128(minimum))
    func isEnough(_ sum: ExactInteger, _ squares: ExactInteger) -> Bool {
      squares.signum > 0 && sum * sum >= wanted * squares
    }
    return isEnough(sums.y, sums.yy) && (kind != .ratio || isEnough(sums.x, sums.xx))
  }

  /// Tells whether a ratio's sums are those of zeros and ones, no y = 1 without its x: a share of the users with x = 1.
  public var isShareOfUsers: Bool {
    kind == .ratio && sums.yy == sums.y * sums.unitY && sums.xx == sums.x * sums.unitX && sums.xy == sums.y * sums.unitX
  }

  /// Tells whether every y is 0 or 1.
  public var isOfZerosAndOnes: Bool { sums.yy == sums.y * sums.unitY }

  /// The moments of a ratio's numerator over all users, as a share of them or a mean.
  ///
  /// - Throws: ``SumsError`` naming the sum that no users can have: a share of what is not 0 or 1.
  public func ofNumerator(_ kind: MetricKind) throws(SumsError) -> SampleMoments {
    try SampleMoments(sums, kind: kind)
  }

  /// This value less the baseline's, from the sums: two values alike in their first digits cost none.
  func difference(from baseline: SampleMoments) -> Double? {
    let (top, bottom) = fraction
    let (baseTop, baseBottom) = baseline.fraction
    return .ratio(top * baseBottom - baseTop * bottom, bottom * baseBottom)
  }

  /// The value as numerator and denominator.
  private var fraction: (ExactInteger, ExactInteger) {
    kind == .ratio ? (sums.y * sums.unitX, sums.x * sums.unitY) : (sums.y, sums.n * sums.unitY)
  }

  /// The number of users with y = 1, of a proportion.
  var successes: Int128? {
    kind == .proportion ? sums.successes : nil
  }
}

extension Double? {
  fileprivate static func ratio(_ numerator: ExactInteger, _ denominator: ExactInteger) -> Double? {
    ExactInteger.ratio(numerator, denominator)
  }
}

extension ExactSums {
  /// Σ(y − R·x)²/((n − 1)·x̄²) with R = Σy/Σx; as the residuals add up to zero, no mean is taken off.
  fileprivate var linearisedVariance: Double? {
    guard x.signum != 0 else { return nil }
    let residual = yy * x * x - .small(2) * x * y * xy + y * y * xx
    let top = residual.signum < 0 ? .zero : residual * n * n * unitX * unitX
    return ExactInteger.ratio(top, (n - .one) * x * x * x * x * unitY * unitY)
  }

  /// Cov((y − R·x)/x̄, c) = n·(Σyc·Σx − Σxc·Σy)/((n − 1)·(Σx)²).
  fileprivate var linearisedCovariance: Double? {
    guard x.signum != 0 else { return nil }
    let top = n * (yc * x - xc * y) * unitX
    return ExactInteger.ratio(top, (n - .one) * x * x * unitY * unitC)
  }
}
