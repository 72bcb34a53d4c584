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

  @Test("sample ratios of times with weights of their own add up, as mpmath adds them")
  func sampleRatioPhases() throws {
    for oracle in try OracleCase.all("checks") where oracle.function == "sampleRatioPhases" {
      let phases = zip(oracle.arguments["counts"].list, oracle.arguments["weights"].list)
        .map { (counts: $0.integers, weights: $1.numbers) }
      let ratio = try #require(SampleRatio(phases: phases))
      expectEqual(ratio.chiSquare, oracle.value["chiSquare"].double, within: 1e-11, absolute: 1e-18, "\(oracle)")
      expectEqual(ratio.pValue, oracle.value["pValue"].double, within: 1e-10, "\(oracle)")
      expectEqual(ratio.sequentialPValue, oracle.value["sequentialPValue"].double, within: 1e-10, "\(oracle)")
    }
    #expect(SampleRatio(phases: []) == nil)
    #expect(SampleRatio(phases: [([5, 0], [1, 0]), ([0, 0], [1, 1])]) == nil)
  }

  @Test("shares that change over time are mpmath's Dirichlet-multinomials over the likeliest constant shares")
  func sharesOverTime() throws {
    for oracle in try OracleCase.all("checks") where oracle.function == "sharesOverTime" {
      let shares = try #require(SharesOverTime(days: oracle.arguments["days"].list.map(\.integers)))
      let users = oracle.arguments["days"].list.flatMap(\.numbers).reduce(0, +)
      // Shares themselves are rounded: at 4·10⁸ users the last digits of ln p are.
      let tolerance = users > 1e6 ? 1e-7 : 1e-10
      expectEqual(shares.pValue, oracle.value.numbers[0], within: tolerance, "\(oracle)")
      let change = oracle.value.numbers[1]
      #expect(shares.change == (change < 0 ? nil : Int(change)), "\(oracle)")
    }
    #expect(SharesOverTime(days: []) == nil)
    #expect(SharesOverTime(days: [[4]]) == nil)
    #expect(SharesOverTime(days: [[0, 0]]) == nil)
    #expect(SharesOverTime(days: [[1, 2], [1]]) == nil)
  }

  @Test("shares that never change are called changed in at most one of twenty tests, read every night")
  func constantShares() {
    var generator = SeededGenerator(seed: 7)
    for shares in [[0.5, 1], [0.9, 1], [0.2, 0.4, 0.6, 1]] {
      var called = 0
      for _ in 0..<200 {
        var (days, isCalled): ([[Int]], Bool) = ([], false)
        for _ in 0..<28 where !isCalled {
          var users = shares.map { _ in 0 }
          for _ in 0..<12 {
            let draw = Double.random(in: 0..<1, using: &generator)
            users[shares.firstIndex { draw < $0 } ?? 0] += 1
          }
          days.append(users)
          isCalled = SharesOverTime(days: days).map { $0.pValue < 0.05 } ?? false
        }
        called += isCalled ? 1 : 0
      }
      #expect(called <= 10, "\(shares): \(called) of 200")
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
