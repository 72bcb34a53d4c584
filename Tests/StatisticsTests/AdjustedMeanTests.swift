import Testing

@testable import Statistics

@Suite("Adjusted and stratified means")
struct AdjustedMeanTests {
  private func moments(_ groups: JSON, _ arguments: JSON) throws -> [SampleMoments] {
    try groups.list.map { try SampleMoments($0, arguments) }
  }

  @Test("CUPED is tea-tasting's, for means, ratios and proportions")
  func cuped() throws {
    for oracle in try OracleCase.all("adjusted") where oracle.function == "cuped" {
      let groups = try moments(oracle.arguments["groups"], oracle.arguments)
      let adjustment = try #require(CovariateAdjustment(groups: groups))
      let frames = adjustment.frames.compactMap { $0 }
      let result = Comparison(
        baseline: frames[0],
        other: frames[1],
        options: ComparisonOptions(liftInterval: .log)
      )
      expectEqual(adjustment.theta, oracle.value["theta"].double, within: 1e-10, "theta \(oracle)")
      let scale = abs(frames[0].mean)
      for (field, actual) in [
        ("baselineValue", result.baselineValue), ("value", result.value), ("absDiff", result.absDiff),
        ("absLow", result.absInterval?.low), ("absHigh", result.absInterval?.high), ("pValue", result.pValue),
        ("relLow", result.relInterval?.low), ("relHigh", result.relInterval?.high),
      ] {
        let expected = oracle.value[field].double
        expectEqual(actual, expected, within: 1e-10, absolute: 1e-13 * scale, "\(field) \(oracle)")
      }
      #expect(adjustment.varianceSaved ?? -1 > 0)
    }
  }

  @Test("a covariate that does not vary adjusts nothing")
  func flatCovariate() throws {
    var sums = SufficientStatistics()
    for y in 1...5 { expectFlag(sums.add(y: Int128(y), c: 3)) }
    let group = try SampleMoments(sums, kind: .mean)
    #expect(CovariateAdjustment(groups: [group, group]) == nil)
    #expect(CovariateAdjustment(groups: []) == nil)
  }

  @Test("strata are weighted by their pooled share")
  func strata() throws {
    for oracle in try OracleCase.all("adjusted") where oracle.function == "stratified" {
      let strata = try oracle.arguments["strata"].list.map { try moments($0, oracle.arguments) }
      let result = try #require(PostStratification(strata: strata))
      let expected = oracle.value.numbers
      for (index, frame) in result.frames.enumerated() {
        expectEqual(frame?.mean, expected[3 * index], within: 1e-12, "\(oracle)")
        expectEqual(frame?.squaredError, expected[3 * index + 1], within: 1e-11, "\(oracle)")
        expectEqual(frame?.degreesOfFreedom, expected[3 * index + 2], within: 1e-11, "\(oracle)")
      }
    }
  }

  @Test("strata weigh as Mantel and Haenszel's, and shares are tested as by statsmodels' stratified table")
  func mantelHaenszel() throws {
    for oracle in try OracleCase.all("adjusted") where oracle.function == "mantelHaenszel" {
      let strata = try oracle.arguments["strata"].list.map { stratum in
        let groups = try moments(stratum, oracle.arguments)
        return (baseline: groups[0], other: groups[1])
      }
      let result = try #require(MantelHaenszel(strata: strata))
      let (frames, expected) = ([result.baseline, result.other], oracle.value.numbers)
      if oracle.arguments["kind"].string == "proportion" {
        let comparison = Comparison(baseline: frames[0], other: frames[1])
        for (frame, mean) in zip(frames, expected) { expectEqual(frame.mean, mean, within: 1e-12, "\(oracle)") }
        let z = try #require(comparison.absDiff) / (try #require(comparison.standardError))
        expectEqual(z * z, expected[2], within: 1e-10, "\(oracle)")
        expectEqual(comparison.pValue, expected[3], within: 1e-10, "\(oracle)")
      } else {
        for (index, frame) in frames.enumerated() {
          expectEqual(frame.mean, expected[3 * index], within: 1e-12, "\(oracle)")
          expectEqual(frame.squaredError, expected[3 * index + 1], within: 1e-11, "\(oracle)")
          expectEqual(frame.degreesOfFreedom, expected[3 * index + 2], within: 1e-11, "\(oracle)")
        }
      }
    }
  }

  @Test("strata without users of both groups leave nothing to compare")
  func noCommonStrata() throws {
    let a = try SampleMoments(SufficientStatistics(n: 9, sumY: 3, sumYY: 3), kind: .proportion)
    let empty = try SampleMoments(SufficientStatistics(), kind: .proportion)
    #expect(MantelHaenszel(strata: [(a, empty), (empty, a)]) == nil)
    #expect(MantelHaenszel(strata: []) == nil)
  }

  @Test("a single stratum is the plain comparison, and a group missing from a stratum has no frame")
  func edgeStrata() throws {
    let a = try SampleMoments(SufficientStatistics(n: 9, sumY: 30, sumYY: 150), kind: .mean)
    let b = try SampleMoments(SufficientStatistics(n: 7, sumY: 10, sumYY: 50), kind: .mean)
    let empty = try SampleMoments(SufficientStatistics(), kind: .mean)
    let plain = try #require(PostStratification(strata: [[a, b]]))
    #expect(plain.frames[0]?.mean == MeanFrame(a)?.mean)
    expectEqual(plain.frames[1]?.squaredError, MeanFrame(b)?.squaredError, within: 1e-15)
    expectEqual(plain.frames[1]?.degreesOfFreedom, 6, within: 1e-14)
    let torn = try #require(PostStratification(strata: [[a, b], [a, empty]]))
    #expect(torn.frames[0] != nil)
    #expect(torn.frames[1] == nil)
    #expect(PostStratification(strata: [[a, b], [a]]) == nil)
    #expect(PostStratification(strata: []) == nil)
  }

  @Test("non-inferiority is the one-sided t test of the lift at the margin")
  func nonInferiority() throws {
    for oracle in try OracleCase.all("adjusted") where oracle.function == "nonInferiority" {
      let k = oracle.numbers
      let a = try #require(MeanFrame(n: k[4], mean: k[0], squaredError: k[2], degreesOfFreedom: k[4] - 1))
      let b = try #require(MeanFrame(n: k[5], mean: k[1], squaredError: k[3], degreesOfFreedom: k[5] - 1))
      let options = ComparisonOptions(goal: k[7] == 1 ? .increase : .decrease)
      let test = NonInferiority(of: Comparison(baseline: a, other: b, options: options), margin: k[6])
      expectEqual(test?.pValue, oracle.value.double, within: 1e-10, "\(oracle)")
    }
  }

  @Test("non-inferiority and Fieller's interval are one event")
  func nonInferiorityAgrees() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let a = try #require(MeanFrame(n: 50, mean: 10, squaredError: 0.1, degreesOfFreedom: 49))
      let mean = Double.random(in: 7...12, using: &generator)
      let b = try #require(MeanFrame(n: 60, mean: mean, squaredError: 0.2, degreesOfFreedom: 59))
      let comparison = Comparison(baseline: a, other: b)
      let interval = try #require(comparison.relInterval)
      let test = try #require(NonInferiority(of: comparison, margin: 0.05))
      #expect((test.pValue < 0.025) == (interval.low > -0.05))
    }
    let zero = try #require(MeanFrame(n: 5, mean: 0, squaredError: 1, degreesOfFreedom: 4))
    #expect(NonInferiority(of: Comparison(baseline: zero, other: zero), margin: 0.1) == nil)
  }
}
