import Foundation

/// The density of a test's score at one look, inside its bounds so far, where there is no difference: as masses at nodes.
///
/// The score S_k = Z_k·√I_k grows by independent normal steps of variance I_k − I_(k−1) (Armitage, McPherson & Rowe 1969;
/// Jennison & Turnbull 2000, chapter 19). With a drift of δ a unit of information every path up to the score s weighs
/// e^(δs − δ²I/2) as much: one density does for all drifts.
struct ScoreDensity {
  let information: Double
  let scores: [Double]
  let masses: [Double]

  /// Before the first look: all of it at 0.
  static let start = ScoreDensity(information: 0, scores: [0], masses: [1])

  var mass: Double { masses.reduce(0, +) }

  func step(to information: Double) -> Step {
    Step(from: self, information: information, deviation: (information - self.information).squareRoot())
  }

  /// The same one step later, before its bounds are known.
  struct Step {
    let from: ScoreDensity
    let information: Double
    /// Of the step.
    let deviation: Double

    /// How much of the density lies beyond ±score, and what that falls by.
    func outside(_ score: Double, isTwoSided: Bool) -> (value: Double, slope: Double) {
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

    /// How much lies above a score with a drift.
    func above(_ score: Double, drift: Double) -> Double {
      weighed(drift) { Normal.upper((score - $0) / deviation) }
    }

    /// How much lies below a score with a drift.
    func below(_ score: Double, drift: Double) -> Double {
      weighed(drift) { Normal.upper(($0 - score) / deviation) }
    }

    /// - Parameter share: of what stands at a score, moved by the step's drift.
    private func weighed(_ drift: Double, _ share: (Double) -> Double) -> Double {
      let moved = drift * (information - from.information)
      let fall = drift * drift * from.information / 2
      return zip(from.scores, from.masses).reduce(0) { sum, node in
        sum + node.1 * exp(drift * node.0 - fall) * share(node.0 + moved)
      }
    }

    /// What lies inside a range of scores, at the nodes of Gauss and Legendre's rule.
    func inside(low: Double, high: Double) -> ScoreDensity {
      // Beyond nine standard deviations nothing is left.
      let edge = 9 * information.squareRoot()
      let (low, high) = (max(low, -edge), min(high, edge))
      let rule = GaussLegendre.rule(atLeast: 24 + Int(2 * max(0, high - low) / deviation))
      let points = rule.points(in: Interval(min(low, high), high) ?? Interval(0, 0)!)
      let scale = 0.398_942_280_401_432_7 / deviation
      let masses = points.map { point in
        var sum = 0.0
        for index in from.scores.indices {
          let step = (point.x - from.scores[index]) / deviation
          if step * step < 160 { sum += from.masses[index] * exp(-0.5 * step * step) }
        }
        return point.weight * scale * sum
      }
      return ScoreDensity(information: information, scores: points.map(\.x), masses: masses)
    }
  }
}
