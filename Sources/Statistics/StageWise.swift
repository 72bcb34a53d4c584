import Foundation

/// What a test says that ended at one of its looks, outcomes in the order of the looks: whatever crossed a bound earlier is
/// farther out, and of the same look the larger statistic is (Tsiatis, Rosner & Mehta 1984, "Exact confidence intervals
/// following a group sequential test"; Jennison & Turnbull 2000, section 8.4).
///
/// A statistic at the bound is no chance find of one look, and the difference measured there overstates: the estimate is the
/// one of which as much lies above as below.
public struct StageWise: Sendable, Hashable {
  /// Two-sided.
  public let pValue: Double
  /// In standard errors of the last look.
  public let estimate: Double
  /// At 1 − α, in the same unit.
  public let interval: Interval

  /// Reckons; `nil` without a look or information.
  ///
  /// - Parameters:
  ///   - z: the statistic at the look.
  ///   - look: from 0.
  ///   - alpha: that of the interval and of the bounds of the looks before.
  init?(statistic z: Double, look: Int, of looks: PlannedLooks, alpha: Double) {
    guard z.isFinite, looks.points.indices.contains(look), case let all = looks.points[look].information, all > 0
    else { return nil }
    let paths = Paths(statistic: z, points: looks.points[...look], bounds: looks.bounds(level: alpha), all: all)
    let above = paths.above(drift: 0)
    pValue = min(1, 2 * min(above, 1 - above))
    func drift(_ share: Double) -> Double {
      var (low, high) = (z - 12, z + 12)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if paths.above(drift: middle) < share { low = middle } else { high = middle }
      }
      return (low + high) / 2
    }
    estimate = drift(0.5)
    guard let interval = Interval(drift(alpha / 2), drift(1 - alpha / 2)) else { return nil }
    self.interval = interval
  }

  /// The steps from look to look; information is 1 at the last one.
  private struct Paths {
    /// Each with the score above which it leaves the bounds.
    private var steps: [(step: ScoreDensity.Step, edge: Double)] = []

    init(statistic z: Double, points: ArraySlice<PlannedLooks.Point>, bounds: [Double], all: Double) {
      var density = ScoreDensity.start
      for (index, point) in points.enumerated() where point.information > 0 {
        let information = point.information / all
        let isLast = index == points.count - 1
        // What brings nothing new is no look of its own, but the last one is where the test ends.
        guard information > density.information * (1 + 1e-9), isLast || information < 1 else { continue }
        let step = density.step(to: information)
        let edge = (isLast ? z : bounds[index]) * information.squareRoot()
        steps.append((step, edge))
        if !isLast { density = step.inside(low: -edge, high: edge) }
      }
    }

    /// The probability of what is as far up as the statistic, or farther.
    func above(drift: Double) -> Double { steps.reduce(0) { $0 + $1.step.above($1.edge, drift: drift) } }
  }
}

extension Comparison {
  /// What it says if the test ends at this look, in the unit of the difference; `nil` where the night is no planned look.
  public func stageWise() -> (pValue: Double, difference: Double, interval: Interval)? {
    guard let tested = tested as? any GroupDifference, let (looks, index) = options.look.inPlan,
      let found = StageWise(statistic: tested.statistic, look: index, of: looks, alpha: options.alpha),
      let interval = Interval(found.interval.low * tested.error, found.interval.high * tested.error)
    else { return nil }
    return (found.pValue, found.estimate * tested.error, interval)
  }
}
