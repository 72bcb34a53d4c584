import Foundation

/// Boschloo's exact test of two proportions (1970): Fisher's one-sided p-value as the statistic, its null
/// distribution maximised over the common share, both directions doubled as SciPy does.
///
/// More powerful than Fisher's because it is not held to the margins that happened to be seen.
public struct BoschlooTest: Sendable, Hashable {
  /// Beyond this many users in both groups together the test is not computed.
  public static let largestTotal = 10_000

  /// The two-sided p-value: twice the smaller of the one-sided ones, at most 1.
  public let twoSided: Double
  /// Against the first group having the smaller share.
  public let less: Double
  /// Against the first group having the larger share.
  public let greater: Double

  /// Makes the test of `successesA` of `usersA` against `successesB` of `usersB`.
  ///
  /// `nil` for an impossible table, an empty group, or more than ``largestTotal`` users.
  public init?(successesA: Int, usersA: Int, successesB: Int, usersB: Int) {
    guard usersA > 0, usersB > 0, usersA <= Self.largestTotal, usersB <= Self.largestTotal - usersA,
      (0...usersA).contains(successesA), (0...usersB).contains(successesB)
    else { return nil }
    less = Region(successesA, usersA, successesB, usersB).largestProbability
    greater = Region(successesB, usersB, successesA, usersA).largestProbability
    twoSided = min(1, 2 * min(less, greater))
  }
}

/// The tables at least as extreme as one seen, where fewer successes in the first group are extreme.
private struct Region {
  private let usersA: Int
  private let usersB: Int
  /// For each count of the first group the least count of the second that is extreme; may be usersB + 1.
  private let leastB: [Int]

  /// Fisher's statistic falls with the second count and rises with the first, so the edge is a staircase.
  init(_ successesA: Int, _ usersA: Int, _ successesB: Int, _ usersB: Int) {
    func statistic(_ a: Int, _ b: Int) -> Double {
      FisherTest(successesA: a, usersA: usersA, successesB: b, usersB: usersB)?.less ?? 1
    }
    let limit = statistic(successesA, successesB) * (1 + 1e-12)
    var edge: [Int] = []
    var b = 0
    for a in 0...usersA {
      while b <= usersB, statistic(a, b) > limit { b += 1 }
      edge.append(b)
    }
    self.usersA = usersA
    self.usersB = usersB
    leastB = edge
  }

  /// The supremum over the common share: a grid even in its arcsine, then golden sections at its peaks.
  var largestProbability: Double {
    let size = 64 + 8 * Int(Double(usersA + usersB).squareRoot())
    let grid = (0...size).map { Double($0) / Double(size) * .pi / 2 }
    let heights = grid.map(probability)
    let peaks = (1..<size).filter { heights[$0] >= heights[$0 - 1] && heights[$0] >= heights[$0 + 1] }
    let best = peaks.sorted { heights[$0] > heights[$1] }.prefix(4)
    let refined = best.map { goldenMaximum(grid[$0 - 1], grid[$0 + 1]) }
    return min(1, max(refined.max() ?? 0, heights.max() ?? 0))
  }

  private func goldenMaximum(_ from: Double, _ to: Double) -> Double {
    let golden = 0.618_033_988_749_894_9
    var (low, high) = (from, to)
    var (left, right) = (high - golden * (high - low), low + golden * (high - low))
    var (atLeft, atRight) = (probability(left), probability(right))
    for _ in 0..<60 {
      if atLeft > atRight {
        (high, right, atRight) = (right, left, atLeft)
        left = high - golden * (high - low)
        atLeft = probability(left)
      } else {
        (low, left, atLeft) = (left, right, atRight)
        right = low + golden * (high - low)
        atRight = probability(right)
      }
    }
    return max(atLeft, atRight)
  }

  /// Σ P(A = a)·P(B ≥ edge(a)) at the share sin²(angle).
  private func probability(_ angle: Double) -> Double {
    let share = sin(angle) * sin(angle)
    let (a, b) = (Self.masses(usersA, share), Self.masses(usersB, share))
    var upper = [Double](repeating: 0, count: usersB + 2)
    for j in stride(from: usersB, through: 0, by: -1) { upper[j] = upper[j + 1] + b[j] }
    var sum = 0.0
    for i in 0...usersA where a[i] > 0 { sum += a[i] * upper[leastB[i]] }
    return sum
  }

  /// All masses of a binomial, outward from the likeliest by their ratios.
  private static func masses(_ n: Int, _ p: Double) -> [Double] {
    var masses = [Double](repeating: 0, count: n + 1)
    guard p > 0, p < 1 else {
      masses[p > 0 ? n : 0] = 1
      return masses
    }
    let mode = min(n, Int(Double(n + 1) * p))
    let odds = p / (1 - p)
    masses[mode] = Binomial(trials: n, probability: p)?.mass(Double(mode)) ?? 0
    for k in stride(from: mode, to: n, by: 1) {
      masses[k + 1] = masses[k] * (Double(n - k) / Double(k + 1) * odds)
    }
    for k in stride(from: mode, to: 0, by: -1) {
      masses[k - 1] = masses[k] * (Double(k) / Double(n - k + 1) / odds)
    }
    return masses
  }
}
