import Foundation

/// The probability that a statistic looked at again and again leaves its bounds at one look or another.
///
/// With θ the drift, the score S_k after a share t_k of all information grows by independent normal steps of mean θ·Δt
/// and variance Δt; its density inside the bounds is carried from look to look (Armitage, McPherson & Rowe 1969;
/// Jennison & Turnbull 2000, section 19.2).
struct RepeatedLooks {
  /// θ: the mean of the statistic at the last look.
  let drift: Double
  /// c_k, beyond which ±Z_k is found at look k.
  let bounds: [Double]
  /// The share of all information at each look, the last one's 1; looks equally far apart where nothing is said.
  let information: [Double]

  init(drift: Double, bounds: [Double], information: [Double]? = nil) {
    (self.drift, self.bounds) = (drift, bounds)
    self.information = information ?? bounds.indices.map { Double($0 + 1) / Double(bounds.count) }
  }

  /// The probability to have been outside at any look.
  var crossing: Double {
    let rule = GaussLegendre(nodes)
    // The density of S_k inside its bounds, at the nodes of look k: first all of it at 0.
    var density = [Point(score: 0, mass: 1)]
    for (index, bound) in bounds.enumerated() {
      let step = information[index] - (index > 0 ? information[index - 1] : 0)
      guard let inside = interior(at: information[index], bound: bound) else { return 1 }
      density = rule.points(in: inside).map { x, weight in
        Point(score: x, mass: weight * carried(density, to: x, step: step))
      }
    }
    return min(1, max(0, 1 - density.reduce(0) { $0 + $1.mass }))
  }

  /// A node: the score, and the probability that it stands for.
  private struct Point {
    var score: Double
    var mass: Double
  }

  /// Enough nodes for two and a half to a step's standard deviation where the bounds lie farthest apart.
  private var nodes: Int {
    let widest =
      bounds.indices.compactMap { interior(at: information[$0], bound: bounds[$0]) }
      .map { $0.high - $0.low }.max() ?? 0
    let steps = zip(information, [0] + information).map { $0 - $1 }
    return 32 + Int(2.5 * widest / (steps.min() ?? 1).squareRoot())
  }

  /// Where S_k lies while it is inside its bounds: beyond ten standard deviations from its mean nothing is left.
  private func interior(at information: Double, bound: Double) -> Interval? {
    let deviation = information.squareRoot()
    let (mean, edge) = (drift * information, bound * deviation)
    return Interval(max(-edge, mean - 10 * deviation), min(edge, mean + 10 * deviation))
  }

  /// Σ mass·φ: the density at a score one step later; steps beyond ten standard deviations are nil.
  private func carried(_ points: [Point], to score: Double, step: Double) -> Double {
    let deviation = step.squareRoot()
    let mean = score - drift * step
    let first = points.firstIndex { $0.score > mean - 10 * deviation } ?? points.endIndex
    return points[first...].prefix { $0.score < mean + 10 * deviation }
      .reduce(0) { $0 + $1.mass * Normal.density((mean - $1.score) / deviation) / deviation }
  }
}
