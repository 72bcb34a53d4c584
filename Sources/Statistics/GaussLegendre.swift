import Foundation
import Synchronization

/// Gauss and Legendre's rule: ∫ f over an interval as Σ wᵢ·f(xᵢ), exact for polynomials below degree 2n.
///
///     let rule = GaussLegendre(20)
///     rule.points(in: Interval(0, 1)!).reduce(0) { $0 + $1.weight * exp($1.x) }   // e − 1
struct GaussLegendre {
  /// The nodes in −1 … 1, ascending, with their weights.
  private let nodes: [(x: Double, weight: Double)]

  /// Makes the rule of n nodes: the roots of Legendre's polynomial by Newton's method.
  init(_ n: Int) {
    nodes = (1...n).reversed().map { index in
      var x = cos(.pi * (Double(index) - 0.25) / (Double(n) + 0.5))
      var slope = 1.0
      for _ in 0..<8 {
        let value = Self.legendre(n, x)
        slope = value.slope
        x -= value.value / slope
      }
      return (x, 2 / ((1 - x * x) * slope * slope))
    }
  }

  /// The rules that were asked for, by their number of nodes.
  private static let known = Mutex<[Int: GaussLegendre]>([:])

  /// A rule of at least n nodes: made once, and the same one for many n.
  static func rule(atLeast n: Int) -> GaussLegendre {
    let size = (n + 7) / 8 * 8
    if let rule = known.withLock({ $0[size] }) { return rule }
    let rule = GaussLegendre(size)
    known.withLock { $0[size] = rule }
    return rule
  }

  /// The rule's nodes and weights on an interval.
  func points(in interval: Interval) -> [(x: Double, weight: Double)] {
    let (middle, half) = ((interval.low + interval.high) / 2, (interval.high - interval.low) / 2)
    return nodes.map { (middle + half * $0.x, half * $0.weight) }
  }

  /// P_n and its derivative, by the three-term recurrence.
  private static func legendre(_ n: Int, _ x: Double) -> (value: Double, slope: Double) {
    var (previous, value) = (1.0, x)
    for degree in 1..<max(n, 2) where degree < n {
      let k = Double(degree)
      (previous, value) = (value, ((2 * k + 1) * x * value - k * previous) / (k + 1))
    }
    return (value, Double(n) * (x * value - previous) / (x * x - 1))
  }
}
