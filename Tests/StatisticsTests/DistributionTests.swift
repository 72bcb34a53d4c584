import Foundation
import Testing

@testable import Statistics

@Suite("Distributions")
struct DistributionTests {
  /// Every function by the name the oracle gives it.
  static let functions: [String: @Sendable ([Double]) -> Double?] = [
    "normal.sf": { Normal.upper($0[0]).ifFinite },
    "normal.cdf": { Normal.lower($0[0]).ifFinite },
    "normal.pdf": { Normal.density($0[0]).ifFinite },
    "normal.upperQuantile": { Normal.upperQuantile($0[0]) },
    "t.sf": { StudentT(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "t.pdf": { StudentT(degreesOfFreedom: $0[0])?.density($0[1]).ifFinite },
    "t.upperQuantile": { StudentT(degreesOfFreedom: $0[0])?.upperQuantile($0[1]) },
    "chi2.sf": { ChiSquared(degreesOfFreedom: $0[0])?.sf($0[1]) },
    "beta.sf": { incompleteBeta($0).upper.ifFinite },
    "beta.cdf": { incompleteBeta($0).lower.ifFinite },
    "binomial.pmf": { Binomial(trials: Int($0[0]), probability: $0[1])?.mass($0[2]) },
    "hypergeometric.pmf": {
      Hypergeometric(total: Int($0[0]), marked: Int($0[1]), drawn: Int($0[2]))?.mass($0[3])
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
    #expect(Normal.lower(.nan).isNaN)
    #expect(Normal.upper(.infinity) == 0)
    #expect(Normal.quantile(0) == nil)
    #expect(Normal.quantile(1) == nil)
    #expect(StudentT(degreesOfFreedom: 0) == nil)
    #expect(StudentT(degreesOfFreedom: .nan) == nil)
    #expect(StudentT(degreesOfFreedom: 3)?.sf(.nan) == nil)
    #expect(StudentT(degreesOfFreedom: 3)?.sf(.infinity) == 0)
    #expect(StudentT(degreesOfFreedom: .infinity)?.sf(1.5) == Normal.upper(1.5))
    #expect(ChiSquared(degreesOfFreedom: -1) == nil)
    #expect(Binomial(trials: -1, probability: 0.5) == nil)
    #expect(Hypergeometric(total: 4, marked: 5, drawn: 1) == nil)
    #expect(NoncentralT(degreesOfFreedom: 3, noncentrality: .infinity) == nil)
  }
}
