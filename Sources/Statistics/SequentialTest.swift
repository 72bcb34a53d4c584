import Foundation

/// The always-valid test and interval: an asymptotic confidence sequence, right at every look at once.
///
/// Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2023, "Time-uniform central limit theory and asymptotic
/// confidence sequences", the normal mixture in the form GrowthBook uses for the difference of two means:
/// ρ² = (−2 ln α + ln(−2 ln α + 1))/N*, and with N users so far
/// half-width = SE·√(2(Nρ² + 1)/(Nρ²)·ln(√(Nρ² + 1)/α)).
public struct SequentialTest: Sendable, Hashable {
  /// The level α.
  public let alpha: Double
  /// N*, the number of users at which the interval is tightest.
  public let tuning: Double
  /// ρ² of the mixture.
  let rhoSquared: Double

  /// Makes the test; `nil` unless 0 < α < 1 and N* > 0.
  public init?(alpha: Double = 0.05, tuning: Double = 5000) {
    guard alpha > 0, alpha < 1, tuning > 0, tuning.isFinite else { return nil }
    let budget = -2 * log(alpha)
    self.alpha = alpha
    self.tuning = tuning
    rhoSquared = (budget + log(budget + 1)) / tuning
  }

  /// c, the half-width of the interval in standard errors, after N users.
  ///
  /// - Parameter level: the level to leave out with, when that is not α: the mixture stays tuned for α, so that
  ///   p < `level` and an interval without 0 are one event at every level.
  public func multiplier(users: Double, level: Double? = nil) -> Double? {
    let level = level ?? alpha
    guard users > 0, level > 0, level < 1 else { return nil }
    let information = users * rhoSquared
    let boundary = 0.5 * log1p(information) - log(level)
    return (2 * (information + 1) / information * boundary).squareRoot().ifFinite
  }

  /// min(1, √(Nρ² + 1)·exp(−Nρ²·z²/(2(Nρ² + 1)))), for z = d/SE after N users.
  public func pValue(statistic z: Double, users: Double) -> Double? {
    guard users > 0, z.isFinite else { return nil }
    let information = users * rhoSquared
    let exponent = 0.5 * log1p(information) - information / (information + 1) * (z * z / 2)
    return min(1, exp(exponent)).ifFinite
  }
}
