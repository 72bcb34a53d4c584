import Testing

@testable import Statistics

extension ValueCounts {
  init?(_ json: JSON) {
    self.init(json.list.map { (key: Int128($0.numbers[0]), value: Int($0.numbers[1])) })
  }
}

@Suite("Samples from value counts")
struct SampleTests {
  @Test("Mann-Whitney is SciPy's")
  func rankSum() throws {
    for oracle in try OracleCase.all("samples") where oracle.function == "rankSum" {
      let a = try #require(ValueCounts(oracle.arguments["a"]))
      let b = try #require(ValueCounts(oracle.arguments["b"]))
      let test = try #require(RankSum(baseline: a, other: b))
      #expect(test.statistic == oracle.value["statistic"].double)
      if a.values == b.values, a.values.count == 1 {
        #expect(test.pValue == nil)
      } else {
        expectEqual(test.pValue, oracle.value["pValue"].double, within: 1e-10, "\(oracle)")
      }
    }
  }

  @Test("Mann-Whitney stays exact for a billion users")
  func hugeRankSum() throws {
    let a = try #require(ValueCounts([(key: 0, value: 1_000_000_000), (key: 3, value: 2_000_000)]))
    let b = try #require(ValueCounts([(key: 0, value: 1_000_000_000), (key: 3, value: 2_010_000)]))
    let test = try #require(RankSum(baseline: a, other: b))
    let mirrored = try #require(RankSum(baseline: b, other: a))
    #expect(test.pValue == mirrored.pValue)
    #expect(test.statistic > mirrored.statistic)
    #expect((test.pValue ?? 1) < 1e-5)
  }

  @Test("quantiles are nearest ranks, with intervals of binomial ranks")
  func quantiles() throws {
    for oracle in try OracleCase.all("samples") where oracle.function == "quantile" {
      let sample = try #require(ValueCounts(oracle.arguments["counts"]))
      let quantile = try #require(SampleQuantile(sample, q: oracle.arguments["q"].double ?? 0))
      #expect(quantile.value == oracle.value["value"].double, "\(oracle)")
      #expect(quantile.interval?.low == oracle.value["low"].double, "\(oracle)")
      #expect(quantile.interval?.high == oracle.value["high"].double, "\(oracle)")
    }
    let sample = try #require(ValueCounts([(key: 1, value: 30)]))
    #expect(SampleQuantile(sample, q: 0) == nil)
    #expect(SampleQuantile(sample, q: 1) == nil)
  }

  @Test("two quantiles are compared by the errors their ranks imply")
  func quantileComparison() throws {
    let a = try #require(ValueCounts((1...400).map { (key: Int128($0), value: 1) }))
    let b = try #require(ValueCounts((101...500).map { (key: Int128($0), value: 1) }))
    let frames = try [a, b].map { try #require(SampleQuantile($0, q: 0.5)?.frame) }
    let result = Comparison(baseline: frames[0], other: frames[1])
    #expect(result.absDiff == 100)
    let (low, high) = (181.0, 220.0)
    expectEqual(
      result.standardError, 2.0.squareRoot() * (high - low) / (2 * 1.959963984540054), within: 1e-12)
    #expect((result.pValue ?? 1) < 0.001)
    #expect(result.degreesOfFreedom == nil)
  }

  @Test("value counts keep the mean exact and refuse nonsense")
  func valueCounts() throws {
    let sample = try #require(ValueCounts([(key: 9_990_000, value: 2), (key: 0, value: 1)], unit: 1_000_000))
    #expect(sample.values == [0, 9.99])
    #expect(sample.mean == 6.66)
    #expect(ValueCounts([(key: 1, value: -1)]) == nil)
    #expect(try #require(ValueCounts([(key: 4, value: 0)])).mean == nil)
    let other = try #require(ValueCounts([(key: 1, value: 1)]))
    #expect(RankSum(baseline: sample, other: other) == nil)
  }
}
