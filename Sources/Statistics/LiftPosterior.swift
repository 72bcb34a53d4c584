import Foundation

/// What is to be expected of a lift r: its posterior with a normal prior of mean 0.
///
/// The likelihood of r is that of m_B − (1 + r)·m_A, which is normal about 0 with variance V_B + (1 + r)²·V_A (Fieller
/// 1954). The delta method takes that variance at the measured lift, where it is too large just when chance has made the
/// lift large: who ships what is shown to be better would be told too little of it.
public struct LiftPosterior: Sendable, Hashable {
  /// The posterior mean.
  public let mean: Double
  /// The posterior's interval at 1 − α, as much beyond the one end as beyond the other.
  public let interval: Interval

  /// The grid's half-width in standard deviations, and its steps to either side.
  private static let (reach, steps) = (8.0, 200)

  /// Integrates on a grid about the mode; `nil` without errors, for a baseline of zero and unless τ is positive.
  ///
  /// - Parameter deviation: τ, the prior's standard deviation.
  init?(_ pair: MeanDifference, deviation: Double, alpha: Double) {
    guard let lift = pair.lift, let variance = pair.deltaVariance, variance > 0, deviation > 0 else { return nil }
    let density = Density(pair: pair, deviation: deviation)
    // The likelihood is largest at the measured lift, the prior at 0.
    let mode = density.mode(between: min(0, lift), and: max(0, lift))
    let scale = min(deviation, variance.squareRoot())
    guard let width = density.width(at: mode, step: scale * 1e-3) else { return nil }
    let step = Self.reach * width / Double(Self.steps)
    let grid = (-Self.steps...Self.steps).map { mode + Double($0) * step }
    let top = density.logarithm(mode)
    let weights = grid.map { exp(density.logarithm($0) - top) }
    let total = weights.reduce(0, +)
    let mean = zip(grid, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
    guard mean.isFinite, let low = Self.quantile(alpha / 2, grid, weights, total),
      let high = Self.quantile(1 - alpha / 2, grid, weights, total), let interval = Interval(low, high)
    else { return nil }
    self.mean = mean
    self.interval = interval
  }

  /// Where the weights up to a point are a share of all, each spread evenly over its step.
  private static func quantile(_ share: Double, _ grid: [Double], _ weights: [Double], _ total: Double) -> Double? {
    var sum = 0.0
    let step = grid[1] - grid[0]
    for (point, weight) in zip(grid, weights) {
      if sum + weight >= share * total { return point + step * ((share * total - sum) / weight - 0.5) }
      sum += weight
    }
    return nil
  }

  /// Likelihood times prior.
  private struct Density {
    let pair: MeanDifference
    let deviation: Double

    /// Up to a constant.
    func logarithm(_ lift: Double) -> Double {
      let ratio = 1 + lift
      let rest = pair.b.mean - ratio * pair.a.mean
      let variance = pair.varianceB + ratio * ratio * pair.varianceA
      return -rest * rest / (2 * variance) - lift * lift / (2 * deviation * deviation)
    }

    /// By golden section (Kiefer 1953).
    func mode(between low: Double, and high: Double) -> Double {
      let golden = (5.0.squareRoot() - 1) / 2
      var (low, high) = (low, high)
      for _ in 0..<80 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low))
        if logarithm(left) < logarithm(right) { low = left } else { high = right }
      }
      return (low + high) / 2
    }

    /// The standard deviation of the normal density that is as curved; `nil` where it is not curved downwards.
    func width(at mode: Double, step: Double) -> Double? {
      let bend = logarithm(mode + step) - 2 * logarithm(mode) + logarithm(mode - step)
      return bend < 0 ? step / (-bend).squareRoot() : nil
    }
  }
}

extension Comparison {
  /// What is to be expected of the lift where lifts have mean 0 and standard deviation τ; `nil` where it cannot be computed.
  public func expectedLift(deviation: Double, alpha: Double) -> LiftPosterior? {
    pair.flatMap { LiftPosterior($0, deviation: deviation, alpha: alpha) }
  }
}
