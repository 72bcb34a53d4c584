/// The probability that a test finds its difference at the planned last look, given what it has seen so far.
///
/// With t the share of the information that there is, B = z·√t has drift θ: 1 − Φ((c − B − θ(1 − t))/√(1 − t)) (Lan & Wittes
/// 1988, "The B-value: a tool for monitoring data").
public struct ConditionalPower: Sendable, Hashable {
  /// The statistic so far, in standard errors.
  public let statistic: Double
  /// The share of the planned information, in (0, 1).
  public let time: Double
  /// The bound at the last look.
  public let critical: Double

  /// Takes what was seen; `nil` unless some information is there and some is to come.
  public init?(statistic: Double, time: Double, critical: Double) {
    guard time > 0, time < 1, statistic.isFinite, critical.isFinite else { return nil }
    (self.statistic, self.time, self.critical) = (statistic, time, critical)
  }

  /// Where it goes on as it has so far: θ = z/√t.
  public var byTrend: Double { probability(drift: statistic / time.squareRoot()) }

  /// Where there is no difference.
  public var underNull: Double { probability(drift: 0) }

  /// Where the statistic's mean at the last look is θ: what the plan was made for.
  public func probability(drift theta: Double) -> Double {
    let seen = statistic * time.squareRoot()
    return Normal.upper((critical - seen - theta * (1 - time)) / (1 - time).squareRoot())
  }
}
