import Testing

@testable import Statistics

@Suite("Exact tests of 2×2 tables")
struct ExactTestTests {
  @Test("Fisher's agrees with exact binomials and SciPy")
  func fisher() throws {
    for oracle in try OracleCase.all("exact") where oracle.function == "fisher" {
      let k = oracle.arguments.integers
      let test = try #require(FisherTest(successesA: k[0], usersA: k[1], successesB: k[2], usersB: k[3]))
      expectEqual(test.twoSided, oracle.value["twoSided"].double, within: 1e-12, "two-sided \(oracle)")
      expectEqual(test.less, oracle.value["less"].double, within: 1e-12, "less \(oracle)")
      expectEqual(test.greater, oracle.value["greater"].double, within: 1e-12, "greater \(oracle)")
    }
  }

  @Test("Boschloo's agrees with a fine grid and is no smaller than SciPy's")
  func boschloo() throws {
    for oracle in try OracleCase.all("exact") where oracle.function == "boschloo" {
      let k = oracle.arguments.integers
      let test = try #require(BoschlooTest(successesA: k[0], usersA: k[1], successesB: k[2], usersB: k[3]))
      expectEqual(test.twoSided, oracle.value["twoSided"].double, within: 1e-10, "two-sided \(oracle)")
      expectEqual(test.less, oracle.value["less"].double, within: 1e-10, "less \(oracle)")
      expectEqual(test.greater, oracle.value["greater"].double, within: 1e-10, "greater \(oracle)")
    }
  }

  @Test("Boschloo's one-sided p-value never exceeds Fisher's")
  func boschlooIsMorePowerful() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<30 {
      let (usersA, usersB) = (
        Int.random(in: 1...40, using: &generator), Int.random(in: 1...40, using: &generator)
      )
      let (a, b) = (
        Int.random(in: 0...usersA, using: &generator), Int.random(in: 0...usersB, using: &generator)
      )
      let fisher = try #require(FisherTest(successesA: a, usersA: usersA, successesB: b, usersB: usersB))
      let boschloo = try #require(BoschlooTest(successesA: a, usersA: usersA, successesB: b, usersB: usersB))
      #expect(boschloo.less <= fisher.less * (1 + 1e-9))
      #expect(boschloo.greater <= fisher.greater * (1 + 1e-9))
    }
  }

  @Test("an option chooses the test, and a table too large falls back to Fisher's")
  func choice() throws {
    func proportion(_ successes: Int128, of n: Int128) throws -> SampleMoments {
      try SampleMoments(SufficientStatistics(n: n, sumY: successes, sumYY: successes), kind: .proportion)
    }
    let options = ComparisonOptions(exactTest: .boschloo)
    let small = Comparison(
      baseline: try proportion(1, of: 20), other: try proportion(6, of: 18), options: options)
    #expect(small.test == .boschloo)
    #expect(small.pValue == small.exactPValue)
    let large = Comparison(
      baseline: try proportion(1, of: 20_000),
      other: try proportion(4, of: 18_000),
      options: options
    )
    #expect(large.test == .fisher)
    let ample = Comparison(baseline: try proportion(30, of: 100), other: try proportion(40, of: 100))
    #expect(ample.test == .score)
    #expect(ample.exactPValue == nil)
  }

  @Test("impossible tables have no test")
  func impossible() {
    #expect(FisherTest(successesA: 3, usersA: 2, successesB: 0, usersB: 4) == nil)
    #expect(FisherTest(successesA: 0, usersA: 0, successesB: 0, usersB: 4) == nil)
    #expect(BoschlooTest(successesA: -1, usersA: 2, successesB: 0, usersB: 4) == nil)
    #expect(BoschlooTest(successesA: 1, usersA: 6_000, successesB: 0, usersB: 6_000) == nil)
  }
}
