import Foundation

/// What happened at one time to those still at risk.
public struct SurvivalCount: Sendable, Hashable {
  /// The time since each one's own start, in any unit.
  public var time: Int
  /// How many ended at this time.
  public var ended: Int
  /// How many were last seen at this time, not ended; they count as at risk at it.
  public var censored: Int

  /// Gathers one time's counts.
  public init(time: Int, ended: Int, censored: Int) {
    self.time = time
    self.ended = ended
    self.censored = censored
  }
}

/// The share that survives each time: Kaplan and Meier's estimate (1958).
public struct SurvivalCurve: Sendable, Hashable {
  /// The curve at one time.
  public struct Point: Sendable, Hashable {
    /// The time.
    public let time: Int
    /// How many were at risk just before.
    public let atRisk: Int
    /// How many ended.
    public let ended: Int
    /// How many were censored.
    public let censored: Int
    /// S, the share that survives beyond this time.
    public let survival: Double
    /// Greenwood's variance of S (1926): S²·Σ d/(n(n − d)); `nil` once S is 0.
    public let variance: Double?
    /// S^exp(± z·√(Σ d/(n(n − d)))/ln S), the interval on the scale of ln(−ln S) (Kalbfleisch & Prentice
    /// 1980); `nil` while S is 1 and once it is 0.
    public let interval: Interval?
  }

  /// The curve at every time given, ascending.
  public let points: [Point]

  /// Estimates the curve; `nil` for negative counts. Times given twice are added up.
  public init?(_ counts: [SurvivalCount], alpha: Double = 0.05) {
    guard let rows = SurvivalCurve.merged(counts), let z = Normal.upperQuantile(alpha / 2) else { return nil }
    var atRisk = rows.reduce(0) { $0 + $1.ended + $1.censored }
    var (survival, hazard) = (1.0, 0.0)
    var points: [Point] = []
    points.reserveCapacity(rows.count)
    for row in rows {
      let (n, d) = (Double(atRisk), Double(row.ended))
      if row.ended > 0 {
        survival *= (n - d) / n
        hazard += d / (n * (n - d))
      }
      points.append(
        Point(
          time: row.time,
          atRisk: atRisk,
          ended: row.ended,
          censored: row.censored,
          survival: survival,
          variance: survival > 0 ? (survival * survival * hazard).ifFinite : nil,
          interval: SurvivalCurve.interval(survival, hazard, z)
        )
      )
      atRisk -= row.ended + row.censored
    }
    self.points = points
  }

  /// The last point at or before a time; `nil` before the first.
  public func point(at time: Int) -> Point? {
    points.last { $0.time <= time }
  }

  private static func interval(_ survival: Double, _ hazard: Double, _ z: Double) -> Interval? {
    guard survival > 0, survival < 1 else { return nil }
    let reach = z * hazard.squareRoot() / log(survival)
    return Interval(pow(survival, exp(-reach)), pow(survival, exp(reach)))
  }

  /// One row a time, ascending; `nil` for negative counts.
  static func merged(_ counts: [SurvivalCount]) -> [SurvivalCount]? {
    var byTime: [Int: SurvivalCount] = [:]
    for count in counts {
      guard count.ended >= 0, count.censored >= 0 else { return nil }
      byTime[count.time, default: SurvivalCount(time: count.time, ended: 0, censored: 0)].ended += count.ended
      byTime[count.time]?.censored += count.censored
    }
    return byTime.values.sorted { $0.time < $1.time }
  }
}
