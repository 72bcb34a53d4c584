import Foundation

/// Below which statistic, at each look, it is of little use to go on: a β of wrong endings is spent as the level is.
///
/// Non-binding: the bounds above are reckoned as if there were none of these, so that whoever goes on all the same calls no
/// more wrongly (Pampallona, Tsiatis & Kim 2001, "Interim monitoring of group sequential trials using spending functions for
/// the type I and type II error probabilities"). They are those of a difference that is found with the power 1 − β, which
/// is so large that both bounds meet at the planned last look.
struct Futility {
  /// Of each look, in standard errors towards the better side; −∞ where nothing is spent.
  private(set) var bounds: [Double] = []
  /// The mean of the statistic at the last look that they are made for.
  private(set) var drift = 0.0

  private let beta: Double
  private let times: [Double]
  /// 1 at the last look.
  private let information: [Double]
  private let upper: [Double]
  private let spending: SpendingFunction

  /// The power that plans are made for.
  static let usualPower = 0.8

  /// Reckons; `nil` without information at the last look.
  ///
  /// - Parameters:
  ///   - points: of all looks, those still to come as they are planned.
  ///   - upper: the bounds that call a difference.
  init?(_ points: [PlannedLooks.Point], upper: [Double], spending: SpendingFunction, beta: Double = 1 - usualPower) {
    guard let all = points.last?.information, all > 0, points.count == upper.count else { return nil }
    (self.upper, self.spending, self.beta) = (upper, spending, beta)
    (times, information) = (points.map(\.time), points.map { $0.information / all })
    var (low, high) = (0.0, 12.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      // The larger the difference, the later both bounds meet.
      if missed(middle) > beta { low = middle } else { high = middle }
    }
    drift = (low + high) / 2
    bounds = walk(drift).bounds
    if let last = upper.last { bounds[bounds.count - 1] = last }
  }

  /// How often a difference is missed whose bounds below spend β up to the last look, and there end at the bound above.
  private func missed(_ drift: Double) -> Double { walk(drift).missed }

  private func walk(_ drift: Double) -> (bounds: [Double], missed: Double) {
    var (density, bounds, spent): (ScoreDensity, [Double], Double) = (.start, [], 0)
    for index in upper.indices {
      guard information[index] > density.information * (1 + 1e-9) else {
        bounds.append(bounds.last ?? -.infinity)
        continue
      }
      let step = density.step(to: information[index])
      let root = information[index].squareRoot()
      if index == upper.count - 1 {
        return (bounds + [upper[index]], spent + step.below(upper[index] * root, drift: drift))
      }
      let left = spending.spent(level: beta, at: times[index]) - spent
      let bound = Self.bound(of: step, spending: left, below: upper[index], drift: drift)
      spent += bound.map { step.below($0 * root, drift: drift) } ?? 0
      bounds.append(bound ?? -.infinity)
      density = step.inside(low: (bound ?? -9) * root, high: upper[index] * root)
    }
    return (bounds, spent)
  }

  /// The statistic below which so much lies; nil where nothing is to be spent.
  private static func bound(
    of step: ScoreDensity.Step, spending probability: Double, below upper: Double, drift: Double
  ) -> Double? {
    let root = step.information.squareRoot()
    var (low, high) = (-9.0, min(upper, 9))
    guard probability > 0, step.below(low * root, drift: drift) < probability else { return nil }
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if step.below(middle * root, drift: drift) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
