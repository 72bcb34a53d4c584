import Foundation

/// What is to be expected of a lift r: its posterior with a prior of Student's t with 3 degrees of freedom about 0.
///
/// The likelihood of r is that of m_B − (1 + r)·m_A, which is normal about 0 with variance V_B + (1 + r)²·V_A (Fieller
/// 1954): exp(−z²/2), z that difference in standard errors. The prior's standard deviation is τ, its scale τ/√3, so that its
/// density goes as (1 + r²/τ²)⁻²: most lifts are small, and a large one that is well measured is believed (Azevedo, Deng,
/// Montiel Olea, Rao & Weyl 2020, "A/B testing with fat tails"). A normal prior promises half of every large lift.
public struct LiftPosterior: Sendable, Hashable {
  /// The posterior mean.
  public let mean: Double
  /// The posterior's standard deviation.
  public let standardDeviation: Double
  /// The posterior's interval at 1 − α, as much beyond the one end as beyond the other.
  public let interval: Interval
  /// The probability that the lift is above 0.
  public let chanceAbove: Double
  /// E[max(0, −r)]: the lift that choosing the group loses on average, given the chance that it is worse.
  public let expectedLoss: Double

  /// Integrates; `nil` without errors, for a baseline of zero and unless τ is positive.
  ///
  /// - Parameter deviation: τ, the prior's standard deviation.
  init?(_ pair: MeanDifference, deviation: Double, alpha: Double) {
    guard let lift = pair.lift, let variance = pair.deltaVariance, variance > 0, deviation > 0 else { return nil }
    let density = Density(
      pair: pair, deviation: deviation, measured: lift, error: variance.squareRoot())
    guard density.mean.isFinite, let interval = Interval(density.quantile(alpha / 2), density.quantile(1 - alpha / 2))
    else { return nil }
    mean = density.mean
    standardDeviation = density.variance.squareRoot()
    self.interval = interval
    chanceAbove = density.share(above: 0)
    expectedLoss = density.lossBelowZero
  }

  /// Likelihood times prior, integrated piece by piece: pieces of the prior's width about 0 and of the error's about the
  /// measured lift, as either may be the narrower and the density may have a hill at both.
  private struct Density {
    private let pair: MeanDifference
    private let deviation: Double
    private let pieces: [Piece]
    private let total: Double
    /// The largest logarithm among the nodes.
    private let top: Double

    private struct Piece {
      let range: Interval
      let mass: Double
      /// ∫ r·density.
      let moment: Double
      /// ∫ r²·density.
      let square: Double
    }

    private static let rule = GaussLegendre(16)

    init(pair: MeanDifference, deviation: Double, measured: Double, error: Double) {
      (self.pair, self.deviation) = (pair, deviation)
      // tan(πk/64) puts the prior's mass into pieces alike; its last quantile is 2,600 scales out.
      var ends: Set<Double> = [0, measured]
      for k in 1..<32 { for sign in [-1.0, 1] { ends.insert(sign * deviation * tan(.pi * Double(k) / 64)) } }
      for power in 1...10 { for sign in [-1.0, 1] { ends.insert(sign * deviation * 20 * exp2(Double(power))) } }
      for k in 1...24 { for sign in [-1.0, 1] { ends.insert(measured + sign * error * Double(k) / 2) } }
      let sorted = ends.sorted()
      let ranges = zip(sorted, sorted.dropFirst()).compactMap { Interval($0, $1) }
      let nodes = ranges.map { Self.rule.points(in: $0) }
      func logarithm(_ lift: Double) -> Double { Self.logarithm(lift, pair, deviation) }
      let top = nodes.joined().map { logarithm($0.x) }.max() ?? 0
      self.top = top
      pieces = zip(ranges, nodes).map { range, points in
        let masses = points.map { $0.weight * exp(logarithm($0.x) - top) }
        return Piece(
          range: range, mass: masses.reduce(0, +),
          moment: zip(points, masses).reduce(0) { $0 + $1.0.x * $1.1 },
          square: zip(points, masses).reduce(0) { $0 + $1.0.x * $1.0.x * $1.1 })
      }
      total = pieces.reduce(0) { $0 + $1.mass }
    }

    /// Up to a constant.
    private static func logarithm(_ lift: Double, _ pair: MeanDifference, _ deviation: Double) -> Double {
      let ratio = 1 + lift
      let rest = pair.b.mean - ratio * pair.a.mean
      let variance = pair.varianceB + ratio * ratio * pair.varianceA
      let scaled = lift / deviation
      return -rest * rest / (2 * variance) - 2 * log1p(scaled * scaled)
    }

    var mean: Double { pieces.reduce(0) { $0 + $1.moment } / total }

    var variance: Double { max(0, pieces.reduce(0) { $0 + $1.square } / total - mean * mean) }

    /// 0 is an end of pieces.
    func share(above zero: Double) -> Double {
      pieces.reduce(0) { $1.range.low >= zero ? $0 + $1.mass : $0 } / total
    }

    var lossBelowZero: Double { -pieces.reduce(0) { $1.range.high <= 0 ? $0 + $1.moment : $0 } / total }

    /// Where the density up to a point is a share of all.
    func quantile(_ share: Double) -> Double {
      var rest = share * total
      for piece in pieces {
        if piece.mass < rest {
          rest -= piece.mass
          continue
        }
        var (low, high) = (piece.range.low, piece.range.high)
        for _ in 0..<60 {
          let middle = (low + high) / 2
          if mass(from: piece.range.low, to: middle) < rest { low = middle } else { high = middle }
        }
        return (low + high) / 2
      }
      return pieces.last?.range.high ?? 0
    }

    private func mass(from low: Double, to high: Double) -> Double {
      guard let range = Interval(low, high) else { return 0 }
      return Self.rule.points(in: range).reduce(0) {
        $0 + $1.weight * exp(Self.logarithm($1.x, pair, deviation) - top)
      }
    }
  }
}

extension Comparison {
  /// What is to be expected of the lift where lifts have mean 0 and standard deviation τ; `nil` where it cannot be computed.
  public func expectedLift(deviation: Double, alpha: Double) -> LiftPosterior? {
    pair.flatMap { LiftPosterior($0, deviation: deviation, alpha: alpha) }
  }
}
