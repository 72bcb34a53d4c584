import Foundation
import Testing

@testable import Statistics

extension SufficientStatistics {
  /// Sums from the oracle's texts; integers beyond 64 bits have no place in JSON numbers.
  init(_ json: JSON) {
    func sum(_ field: String) -> Int128 { json[field].string.flatMap { Int128($0) } ?? 0 }
    self.init(
      n: sum("n"),
      sumY: sum("sumY"),
      sumYY: sum("sumYY"),
      sumX: sum("sumX"),
      sumXX: sum("sumXX"),
      sumXY: sum("sumXY"),
      sumC: sum("sumC"),
      sumCC: sum("sumCC"),
      sumYC: sum("sumYC"),
      sumXC: sum("sumXC")
    )
  }
}

extension SampleMoments {
  init(_ group: JSON, _ arguments: JSON) throws {
    let kind = try #require(arguments["kind"].string.flatMap(MetricKind.init))
    let scale = SumScale(y: Int(arguments["scale"].double ?? 1))
    try self.init(SufficientStatistics(group), kind: kind, scale: scale)
  }
}

extension ComparisonOptions {
  init(_ arguments: JSON) {
    self.init(alpha: arguments["alpha"].double ?? 0.05)
    liftInterval = arguments["method"].string.flatMap(LiftIntervalMethod.init) ?? .fieller
    goal = arguments["goal"].string.flatMap(Goal.init) ?? .increase
    let prior = arguments["prior"].numbers
    if prior.count == 2 { self.prior = NormalPrior(mean: prior[0], standardDeviation: prior[1]) }
  }
}

@Suite("Comparisons")
struct ComparisonTests {
  @Test("agree with SciPy, statsmodels, tea-tasting and mpmath to ten digits")
  func agreesWithPeers() throws {
    let cases = try OracleCase.all("comparisons").filter { $0.function == "comparison" }
    #expect(cases.count > 100)
    for oracle in cases {
      let a = try SampleMoments(oracle.arguments["a"], oracle.arguments)
      let b = try SampleMoments(oracle.arguments["b"], oracle.arguments)
      let result = Comparison(baseline: a, other: b, options: ComparisonOptions(oracle.arguments))
      var nightly = ComparisonOptions(oracle.arguments)
      nightly.decides = EveryLook(tuning: oracle.arguments["tuning"].double ?? 5000)
      let sequential = Comparison(baseline: a, other: b, options: nightly)
      for (field, actual, tolerance) in Self.fields(of: result) + Self.decided(result, sequential, nightly.decides) {
        // mpmath's figure for the smallest detectable effect is only asked for where it is quick.
        if field == "mdeRel", oracle.value[field].isNull { continue }
        let scale = abs(result.absDiff ?? 0) + (result.standardError ?? 0)
        let absolute = field.hasPrefix("abs") || field.hasPrefix("sequentialAbs") ? 1e-13 * scale : 1e-300
        let expected = oracle.value[field].double
        expectEqual(
          actual, expected, within: tolerance, absolute: absolute, "\(field) of \(oracle.arguments)")
      }
    }
  }

  private static func fields(of result: Comparison) -> [(String, Double?, Double)] {
    [
      ("absDiff", result.absDiff, 1e-12),
      ("relLift", result.relLift, 1e-12),
      ("standardError", result.standardError, 1e-12),
      ("degreesOfFreedom", result.degreesOfFreedom, 1e-12),
      ("approximatePValue", result.approximatePValue, 1e-10),
      ("exactPValue", result.exactPValue, 1e-10),
      ("pValue", result.pValue, 1e-10),
      ("absLow", result.absInterval?.low, 1e-10),
      ("absHigh", result.absInterval?.high, 1e-10),
      ("relLow", result.relInterval?.low, 1e-10),
      ("relHigh", result.relInterval?.high, 1e-10),
      ("mdeRel", result.mdeRel, 1e-10),
      ("chanceToWin", result.chanceToWin, 1e-10),
      ("expectedLoss", result.expectedLoss, 1e-10),
    ]
  }

  /// The figures of the always-valid test, and the intervals of both where a third of α is left.
  private static func decided(
    _ fixed: Comparison, _ sequential: Comparison, _ test: any DecidingTest
  ) -> [(String, Double?, Double)] {
    let (once, nightly) = (
      fixed.decidedRelInterval(shareOfAlpha: 1 / 3), sequential.decidedRelInterval(shareOfAlpha: 1 / 3)
    )
    let outcome = sequential.outcome(of: test)
    return [
      ("sequentialPValue", outcome?.pValue, 1e-10),
      ("sequentialAbsLow", outcome?.absInterval?.low, 1e-10),
      ("sequentialAbsHigh", outcome?.absInterval?.high, 1e-10),
      ("sequentialRelLow", outcome?.relInterval?.low, 1e-10),
      ("sequentialRelHigh", outcome?.relInterval?.high, 1e-10),
      ("thirdLow", once?.low, 1e-10),
      ("thirdHigh", once?.high, 1e-10),
      ("sequentialThirdLow", nightly?.low, 1e-10),
      ("sequentialThirdHigh", nightly?.high, 1e-10),
      ("sequentialMdeRel", sequential.mdeRel, 1e-10),
    ]
  }

  @Test("estimate a group's value as SciPy and statsmodels do")
  func estimates() throws {
    for oracle in try OracleCase.all("comparisons") where oracle.function == "estimate" {
      let moments = try SampleMoments(oracle.arguments["a"], oracle.arguments)
      let estimate = Estimate(moments, alpha: oracle.arguments["alpha"].double ?? 0.05)
      let error = oracle.value["standardError"].double ?? 0
      expectEqual(estimate.value, oracle.value["value"].double, within: 1e-14, "\(oracle)")
      expectEqual(estimate.standardError, oracle.value["standardError"].double, within: 1e-14, "\(oracle)")
      let (low, high) = (oracle.value["low"].double, oracle.value["high"].double)
      expectEqual(estimate.interval?.low, low, within: 1e-10, absolute: 1e-13 * error, "\(oracle)")
      expectEqual(estimate.interval?.high, high, within: 1e-10, absolute: 1e-13 * error, "\(oracle)")
    }
  }

  @Test("leave empty what cannot be computed, and only that")
  func emptyFields() throws {
    let empty = try SampleMoments(SufficientStatistics(), kind: .mean)
    let one = try SampleMoments(SufficientStatistics(n: 1, sumY: 5, sumYY: 25), kind: .mean)
    let flat = try SampleMoments(SufficientStatistics(n: 4, sumY: 20, sumYY: 100), kind: .mean)
    let nothing = try SampleMoments(SufficientStatistics(n: 4, sumY: 0, sumYY: 0), kind: .mean)

    #expect(Comparison(baseline: empty, other: flat).absDiff == nil)
    let alone = Comparison(baseline: one, other: flat)
    #expect(alone.absDiff == 0)
    #expect(alone.relLift == 0)
    #expect(alone.pValue == nil)
    let rigid = Comparison(baseline: flat, other: flat)
    #expect(rigid.absDiff == 0)
    #expect(rigid.standardError == nil)
    #expect(rigid.absInterval == nil)
    #expect(Comparison(baseline: nothing, other: flat).relLift == nil)
    #expect(Estimate(empty).value == nil)
    #expect(Estimate(one).value == 5)
    #expect(Estimate(one).interval == nil)
  }

  @Test("give no interval of the lift where the baseline may be zero")
  func unboundedLift() throws {
    let a = try SampleMoments(SufficientStatistics(n: 1000, sumY: 2, sumYY: 2), kind: .mean)
    let b = try SampleMoments(SufficientStatistics(n: 1000, sumY: 90, sumYY: 90), kind: .mean)
    let comparison = Comparison(baseline: a, other: b)
    #expect(comparison.pValue ?? 1 < 1e-10)
    #expect(comparison.relLift == 44)
    #expect(comparison.relInterval == nil)
  }

  @Test("take the exact p-value where a cell is expected below five")
  func exactTest() throws {
    let a = try SampleMoments(SufficientStatistics(n: 10, sumY: 8, sumYY: 8), kind: .proportion)
    let b = try SampleMoments(SufficientStatistics(n: 6, sumY: 1, sumYY: 1), kind: .proportion)
    let comparison = Comparison(baseline: a, other: b)
    #expect(comparison.test == .fisher)
    #expect(comparison.pValue == comparison.exactPValue)
    expectEqual(comparison.exactPValue, 0.034965034965034965, within: 1e-13)
    #expect(Comparison(baseline: a, other: a).exactPValue == 1)
  }
}
