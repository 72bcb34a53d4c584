import Statistics
import Testing

@Suite("Adjustments and sample ratios")
struct AdjustmentTests {
  @Test("adjusted p-values are statsmodels'")
  func agreesWithStatsmodels() throws {
    for oracle in try OracleCase.all("checks") where oracle.function == "adjustment" {
      let method = try #require(oracle.arguments["method"].string.flatMap(Adjustment.init))
      let adjusted = method.adjusted(oracle.arguments["values"].numbers)
      for (actual, expected) in zip(adjusted, oracle.value.numbers) {
        expectEqual(actual, expected, within: 1e-13, "\(oracle)")
      }
    }
  }

  @Test("the share of α left to a p-value is the p over its adjusted p, whatever the method")
  func shares() throws {
    for oracle in try OracleCase.all("checks") where oracle.function == "shares" {
      let method = try #require(oracle.arguments["method"].string.flatMap(Adjustment.init))
      let values = oracle.arguments["values"].numbers
      for (actual, expected) in zip(method.shares(values), oracle.value.numbers) {
        expectEqual(actual, expected, within: 1e-13, "\(oracle)")
      }
    }
    #expect(Adjustment.none.shares([0.3, nil, 0]) == [1, nil, 1])
  }

  @Test("a p-value of 0 leaves the share of the smallest p, one of 1 the whole")
  func sharesAtTheEnds() {
    #expect(Adjustment.holm.shares([0, 0.5, 1]) == [1 / 3, 0.5, 1])
    #expect(Adjustment.holm.shares([0, 0, 0.5]) == [1 / 3, 1 / 3, 1])
    #expect(Adjustment.bh.shares([1, 1]) == [1, 1])
    #expect(Adjustment.hochberg.shares([0, 1]) == [0.5, 1])
  }

  @Test("a missing p-value stays missing and does not count", arguments: Adjustment.allCases)
  func missing(method: Adjustment) {
    let values: [Double?] = [0.01, nil, 0.04, 0.03, nil]
    let adjusted = method.adjusted(values)
    #expect(adjusted.map { $0 == nil } == [false, true, false, false, true])
    #expect(adjusted.compactMap { $0 } == method.adjusted([0.01, 0.04, 0.03]).compactMap { $0 })
    #expect(method.adjusted([]).isEmpty)
    #expect(method.adjusted([nil]) == [nil])
    #expect(method.adjusted([0.2]) == [0.2])
  }

  @Test("no adjustment leaves p-values as they are")
  func none() {
    #expect(Adjustment.none.adjusted([0.3, 0.01]) == [0.3, 0.01])
  }

  @Test("sample ratios are SciPy's and mpmath's, up to a billion users a group")
  func sampleRatio() throws {
    for oracle in try OracleCase.all("checks") where oracle.function == "sampleRatio" {
      let weights = oracle.arguments["weights"].numbers
      let ratio = try #require(SampleRatio(counts: oracle.arguments["counts"].integers, weights: weights))
      expectEqual(
        ratio.chiSquare, oracle.value["chiSquare"].double, within: 1e-11, absolute: 1e-18, "\(oracle)")
      expectEqual(ratio.pValue, oracle.value["pValue"].double, within: 1e-10, "\(oracle)")
      let sequential = oracle.value["sequentialPValue"].double
      expectEqual(ratio.sequentialPValue, sequential, within: 1e-10, "\(oracle)")
    }
  }

  @Test("600 users against 400 where halves were meant speak against it, every night")
  func weakPrior() throws {
    let ratio = try #require(SampleRatio(counts: [600, 400], weights: [1, 1]))
    #expect(ratio.sequentialPValue < 1e-4)
    let fair = try #require(SampleRatio(counts: [520, 480], weights: [1, 1]))
    #expect(fair.sequentialPValue > 0.05)
  }

  @Test("sample ratios need two groups, users and positive weights")
  func noSampleRatio() {
    #expect(SampleRatio(counts: [10], weights: [1]) == nil)
    #expect(SampleRatio(counts: [0, 0], weights: [1, 1]) == nil)
    #expect(SampleRatio(counts: [10, 10], weights: [1, 0]) == nil)
    #expect(SampleRatio(counts: [10, 10], weights: [1]) == nil)
    #expect(SampleRatio(counts: [10, -1], weights: [1, 1]) == nil)
    #expect(SampleRatio(counts: [10, 10], weights: [1, .nan]) == nil)
  }
}
