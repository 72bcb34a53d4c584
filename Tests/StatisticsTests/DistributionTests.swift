import Foundation
import Testing

@testable import Statistics

@Suite("Distributions")
struct DistributionTests {
  /// Every function by the name the oracle gives it.
  static let functions: [String: @Sendable ([Double]) -> Double?] = [
    "normal.sf": { Normal.sf($0[0]) },
    "normal.cdf": { Normal.cdf($0[0]) },
    "normal.pdf": { Normal.pdf($0[0]) },
    "normal.upperQuantile": { Normal.upperQuantile($0[0]) },
    "t.sf": { StudentT(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "t.pdf": { StudentT(degreesOfFreedom: $0[0])?.pdf($0[1]) },
    "t.upperQuantile": { StudentT(degreesOfFreedom: $0[0])?.upperQuantile($0[1]) },
    "chi2.sf": { ChiSquared(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "chi2.cdf": { ChiSquared(degreesOfFreedom: $0[0])?.cdf($0[1]) },
    "beta.sf": { incompleteBeta($0).upper.ifFinite },
    "beta.cdf": { incompleteBeta($0).lower.ifFinite },
    "binomial.pmf": { Binomial(trials: Int($0[0]), probability: $0[1])?.pmf(Int($0[2])) },
    "binomial.sf": { Binomial(trials: Int($0[0]), probability: $0[1])?.sf(Int($0[2])) },
    "binomial.cdf": { Binomial(trials: Int($0[0]), probability: $0[1])?.cdf(Int($0[2])) },
    "hypergeometric.pmf": {
      Hypergeometric(total: Int($0[0]), marked: Int($0[1]), drawn: Int($0[2]))?.pmf(Int($0[3]))
    },
    "noncentralT.sf": { NoncentralT(degreesOfFreedom: $0[0], noncentrality: $0[1])?.sf($0[2]) },
    "noncentralT.cdf": { NoncentralT(degreesOfFreedom: $0[0], noncentrality: $0[1])?.cdf($0[2]) },
  ]

  private static func incompleteBeta(_ numbers: [Double]) -> IncompleteBeta {
    let x = DoubleDouble(numbers[2])
    return IncompleteBeta(a: numbers[0], b: numbers[1], x: x, y: DoubleDouble(sum: 1, -numbers[2]))
  }

  @Test("agree with mpmath to twelve digits, out to tails of 1e-300", arguments: functions.keys.sorted())
  func agreesWithMpmath(name: String) throws {
    let function = try #require(Self.functions[name])
    let cases = try OracleCase.all("distributions").filter { $0.function == name }
    #expect(!cases.isEmpty)
    var worst = 0.0
    for oracle in cases {
      let actual = function(oracle.numbers)
      worst = max(worst, relativeError(actual, oracle.value.double))
      expectEqual(actual, oracle.value.double, within: 1e-12, "\(oracle)")
    }
    if ProcessInfo.processInfo.environment["PRINT_ACCURACY"] != nil {
      print("\(name): worst of \(cases.count) off by \(worst)")
    }
  }

  @Test("have quantiles that lead back to the probability")
  func quantilesInvert() throws {
    let shapes = [0.01, 0.7, 1, 3.5, 40, 2500, 1e6]
    let probabilities = [1e-250, 1e-30, 1e-4, 0.1, 0.4, 0.5, 0.6, 0.99]
    for p in probabilities {
      for a in shapes {
        if a >= 0.5, let distribution = ChiSquared(degreesOfFreedom: a) {
          let (low, high) = (distribution.quantile(p), distribution.upperQuantile(p))
          if let low, low > 1e-300 { expectEqual(distribution.cdf(low), p, within: 1e-11 * a.squareRoot()) }
          expectEqual(high.flatMap { distribution.sf($0) }, p, within: 1e-11 * a.squareRoot(), "χ² \(a) \(p)")
        }
      }
    }
  }

  @Test("of t have quantiles that lead back to the probability, or none beyond the range of numbers")
  func heavyTailsInvert() throws {
    for p in [1e-200, 1e-12, 0.003, 0.26, 0.49, 0.77] {
      for nu in [0.5, 1.0, 2.2, 30, 1e5, 1e9] {
        let t = try #require(StudentT(degreesOfFreedom: nu))
        if let quantile = t.upperQuantile(p) {
          expectEqual(t.sf(quantile), p, within: 1e-12, "t \(nu) \(p)")
        } else {
          #expect(nu < 1 && p < 1e-100)
        }
      }
    }
  }

  @Test("give nil, never a non-number, for what has no answer")
  func refusesNonsense() {
    #expect(Normal.cdf(.nan) == nil)
    #expect(Normal.sf(.infinity) == 0)
    #expect(Normal.quantile(0) == nil)
    #expect(Normal.quantile(1) == nil)
    #expect(StudentT(degreesOfFreedom: 0) == nil)
    #expect(StudentT(degreesOfFreedom: .nan) == nil)
    #expect(StudentT(degreesOfFreedom: 3)?.sf(.nan) == nil)
    #expect(StudentT(degreesOfFreedom: 3)?.sf(.infinity) == 0)
    #expect(StudentT(degreesOfFreedom: 3)?.cdf(.infinity) == 1)
    #expect(StudentT(degreesOfFreedom: .infinity)?.sf(1.5) == Normal.sf(1.5))
    #expect(ChiSquared(degreesOfFreedom: -1) == nil)
    #expect(ChiSquared(degreesOfFreedom: 1)?.pdf(0) == nil)
    #expect(Binomial(trials: -1, probability: 0.5) == nil)
    #expect(Hypergeometric(total: 4, marked: 5, drawn: 1) == nil)
    #expect(NoncentralT(degreesOfFreedom: 3, noncentrality: .infinity) == nil)
  }
}
