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

  @Test("two quantiles are held apart by intervals of ranks, for one look and for every look")
  func quantileDifferences() throws {
    for oracle in try OracleCase.all("samples") where oracle.function == "quantileDifference" {
      let a = try #require(ValueCounts(oracle.arguments["a"]))
      let b = try #require(ValueCounts(oracle.arguments["b"]))
      let result = try #require(
        Comparison(quantile: oracle.arguments["q"].double ?? 0, baseline: a, other: b))
      let nightly = result.outcome(of: EveryLook())
      expectEqual(result.pValue, oracle.value["fixed"].double, within: 1e-10, "\(oracle)")
      expectEqual(nightly?.pValue, oracle.value["sequential"].double, within: 1e-9, "\(oracle)")
      #expect(result.absInterval?.low == oracle.value["fixedLow"].double, "\(oracle)")
      #expect(result.absInterval?.high == oracle.value["fixedHigh"].double, "\(oracle)")
      #expect(nightly?.absInterval?.low == oracle.value["sequentialLow"].double, "\(oracle)")
      #expect(nightly?.absInterval?.high == oracle.value["sequentialHigh"].double, "\(oracle)")
      #expect(result.test == .quantile)
    }
  }

  @Test("a quantile's p-value and interval are one event at every level")
  func quantileAgrees() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let samples = try (0..<2).map { _ in
        try #require(
          ValueCounts((0..<9).map { (key: Int128($0), value: Int.random(in: 0...60, using: &generator)) }))
      }
      guard samples.allSatisfy({ $0.total > 0 }),
        let result = Comparison(quantile: 0.5, baseline: samples[0], other: samples[1])
      else { continue }
      let nightly = result.outcome(of: EveryLook())
      for (pValue, interval) in [(result.pValue, result.absInterval), (nightly?.pValue, nightly?.absInterval)] {
        guard let pValue, let interval else { continue }
        #expect((pValue < 0.05) == !interval.contains(0), "\(samples) \(result)")
      }
    }
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
