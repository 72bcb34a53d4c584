import Foundation

/// The bounds of a test that is read several times and ends at the first look that leaves them.
///
/// The score S_k = Z_k·√I_k grows by independent normal steps of variance I_k − I_(k−1) where there is no difference. Its
/// density inside the bounds is carried from look to look, and each bound leaves as much outside as may be spent by then
/// (Armitage, McPherson & Rowe 1969; Jennison & Turnbull 2000, chapters 7 and 19). A look that brings next to no
/// information has the bound of the look before it, with what may be spent by now.
struct SequentialBounds {
  /// ±c_k, or c_k above alone.
  let isTwoSided: Bool
  /// Of look k, in standard errors; infinite where nothing may be spent yet.
  private(set) var bounds: [Double] = []

  /// What is inside the bounds at the last look that brought information, and at the one before that.
  private var last = Density.start
  private var before = Density.start
  /// What had been spent before the last look that brought information, and with it.
  private var spentBefore = 0.0
  private var spent = 0.0

  /// Less information than this share of what there was is none: the carrying would take many steps for it.
  private static let leastGain = 1.0 / 400

  init(isTwoSided: Bool = true) {
    self.isTwoSided = isTwoSided
  }

  /// Adds the next look.
  ///
  /// - Parameters:
  ///   - information: I_k, not less than at the look before.
  ///   - spent: what may be spent by then in all, on both sides together.
  mutating func add(information: Double, spent: Double) {
    guard information > 0 else { return bounds.append(.infinity) }
    if information > last.information * (1 + Self.leastGain) {
      before = last
      spentBefore = self.spent
    }
    self.spent = max(self.spent, spent)
    let carried = before.carried(to: max(information, last.information), isTwoSided: isTwoSided)
    let bound = carried.bound(leaving: self.spent - spentBefore)
    last = carried.inside(bound)
    bounds.append(bound)
  }

  /// The probability that stays inside the bounds: what they leave, of a statistic without drift.
  var inside: Double { last.mass }

  /// The density of the score at one look, as masses at its nodes.
  private struct Density {
    let information: Double
    let scores: [Double]
    let masses: [Double]

    static let start = Density(information: 0, scores: [0], masses: [1])

    var mass: Double { masses.reduce(0, +) }

    func carried(to information: Double, isTwoSided: Bool) -> Carried {
      Carried(
        from: self, information: information, deviation: (information - self.information).squareRoot(),
        isTwoSided: isTwoSided)
    }
  }

  /// A density one step later, before its bound is known.
  private struct Carried {
    let from: Density
    let information: Double
    /// Of the step.
    let deviation: Double
    let isTwoSided: Bool

    /// The bound with so much of the density outside.
    func bound(leaving probability: Double) -> Double {
      guard probability > 0 else { return .infinity }
      let root = information.squareRoot()
      let bound = Inversion.root(start: 3, low: 0, high: 40, isIncreasing: true) { bound in
        let (value, slope) = outside(bound * root)
        // In logarithms: what is left falls as a normal tail does.
        return value > 0 ? (log(probability) - log(value), slope * root / value) : (1, 0)
      }
      return bound.map { $0 >= 40 ? .infinity : $0 } ?? .infinity
    }

    /// How much of the density lies beyond a score, and what that falls by.
    private func outside(_ score: Double) -> (value: Double, slope: Double) {
      var (value, slope) = (0.0, 0.0)
      for (origin, mass) in zip(from.scores, from.masses) {
        let above = (score - origin) / deviation
        value += mass * Normal.upper(above)
        slope += mass * Normal.density(above)
        guard isTwoSided else { continue }
        let below = (score + origin) / deviation
        value += mass * Normal.upper(below)
        slope += mass * Normal.density(below)
      }
      return (value, slope / deviation)
    }

    /// What of the density lies inside the bound, at the nodes of Gauss and Legendre's rule.
    func inside(_ bound: Double) -> Density {
      let root = information.squareRoot()
      // Beyond nine standard deviations nothing is left.
      let edge = min(bound, 9) * root
      let range = (low: isTwoSided ? -edge : -9 * root, high: edge)
      let width = (range.high - range.low) / deviation
      let rule = GaussLegendre.rule(atLeast: 24 + Int(2 * width))
      let points = rule.points(in: Interval(min(range.low, range.high), range.high) ?? Interval(0, 0)!)
      let scale = 0.398_942_280_401_432_7 / deviation
      let masses = points.map { point in
        var sum = 0.0
        for index in from.scores.indices {
          let step = (point.x - from.scores[index]) / deviation
          if step * step < 160 { sum += from.masses[index] * exp(-0.5 * step * step) }
        }
        return point.weight * scale * sum
      }
      return Density(information: information, scores: points.map(\.x), masses: masses)
    }
  }
}
