/// A group's sums as decimal texts, the way they are typed in or come from another engine.
///
/// Every text is read exactly, digit by digit, so that `12.345` is 12345/1000 and not the nearest binary
/// fraction. Exponents (`1e-05`) and signs are understood; separators of thousands are not.
///
///     let sums = DecimalSums(n: "3", sumY: "0.6", sumYY: "0.14")
///     let moments = try SampleMoments(sums, kind: .mean)   // mean 0.2, variance 0.01
public struct DecimalSums: Sendable, Hashable {
  /// The number of users.
  public var n: String
  /// Σy.
  public var sumY: String
  /// Σy²; may be left out for a proportion, where it equals Σy.
  public var sumYY: String?
  /// Σx; left out counts as 0, like all below.
  public var sumX: String?
  /// Σx².
  public var sumXX: String?
  /// Σxy.
  public var sumXY: String?
  /// Σc.
  public var sumC: String?
  /// Σc².
  public var sumCC: String?
  /// Σyc.
  public var sumYC: String?
  /// Σxc.
  public var sumXC: String?

  /// Gathers the texts; nothing is read yet.
  public init(
    n: String,
    sumY: String,
    sumYY: String? = nil,
    sumX: String? = nil,
    sumXX: String? = nil,
    sumXY: String? = nil,
    sumC: String? = nil,
    sumCC: String? = nil,
    sumYC: String? = nil,
    sumXC: String? = nil
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

  /// Reads every text and brings each variable to one power of ten.
  func exact(kind: MetricKind) throws(SumsError) -> ExactSums {
    let count = try SumDecimal(n, .n)
    let y = try SumDecimal(sumY, .sumY)
    let yy = try SumDecimal(sumYY ?? (kind == .proportion ? sumY : "0"), .sumYY)
    let (x, xx) = (try SumDecimal(sumX, .sumX), try SumDecimal(sumXX, .sumXX))
    let (c, cc) = (try SumDecimal(sumC, .sumC), try SumDecimal(sumCC, .sumCC))
    let xy = try SumDecimal(sumXY, .sumXY)
    let (yc, xc) = (try SumDecimal(sumYC, .sumYC), try SumDecimal(sumXC, .sumXC))

    guard count.positions == 0 else { throw .countNotWhole(text: n) }
    guard count.digits.int128 != nil else { throw .outOfRange(.n, text: n) }
    let placesX = max(x.positions, (xx.positions + 1) / 2)
    let placesY = max(y.positions, (yy.positions + 1) / 2, xy.positions - placesX)
    let placesC = max(c.positions, (cc.positions + 1) / 2, yc.positions - placesY, xc.positions - placesX)

    var sums = ExactSums()
    sums.n = count.digits
    (sums.y, sums.yy) = (y.shifted(to: placesY), yy.shifted(to: 2 * placesY))
    (sums.x, sums.xx) = (x.shifted(to: placesX), xx.shifted(to: 2 * placesX))
    sums.xy = xy.shifted(to: placesX + placesY)
    (sums.c, sums.cc) = (c.shifted(to: placesC), cc.shifted(to: 2 * placesC))
    (sums.yc, sums.xc) = (yc.shifted(to: placesY + placesC), xc.shifted(to: placesX + placesC))
    (sums.unitY, sums.unitX) = (.powerOfTen(placesY), .powerOfTen(placesX))
    sums.unitC = .powerOfTen(placesC)
    return sums
  }
}
