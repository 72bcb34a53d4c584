import Testing

@testable import Statistics

@Suite("Bootstrap")
struct BootstrapTests {
  @Test("acceleration and percentiles are SciPy's, on draws handed over")
  func bca() throws {
    for oracle in try OracleCase.all("samples") where oracle.function == "bca" {
      let a = try #require(ValueCounts(oracle.arguments["a"]))
      let b = try #require(ValueCounts(oracle.arguments["b"]))
      let isLift = oracle.arguments["statistic"].string == "lift"
      let acceleration = Acceleration(a, b) { isLift ? $1 / $0 - 1 : $1 - $0 }.value
      expectEqual(acceleration, oracle.value["acceleration"].double, within: 1e-10, absolute: 1e-15)
      let observed = try #require(oracle.arguments["observed"].double)
      let interval = BCa.interval(oracle.arguments["draws"].numbers, observed, acceleration, 0.05)
      expectEqual(interval?.low, oracle.value["low"].double, within: 1e-10)
      expectEqual(interval?.high, oracle.value["high"].double, within: 1e-10)
    }
  }

  @Test("the whole interval is SciPy's within the noise of the draws")
  func interval() throws {
    for oracle in try OracleCase.all("samples") where oracle.function == "bootstrap" {
      let a = try #require(ValueCounts(oracle.arguments["a"]))
      let b = try #require(ValueCounts(oracle.arguments["b"]))
      let interval = try #require(Bootstrap(baseline: a, other: b)?.absInterval)
      let error = oracle.value["error"].double ?? 0
      #expect(abs(interval.low - (oracle.value["low"].double ?? 0)) < 0.25 * error, "\(oracle)")
      #expect(abs(interval.high - (oracle.value["high"].double ?? 0)) < 0.25 * error, "\(oracle)")
    }
  }

  @Test("for many users with mild values the interval is nearly Welch's")
  func nearlyWelch() throws {
    // Twelve common values and a thousand rare ones, so that both ways of drawing are used.
    func sample(_ shift: Int128) throws -> ValueCounts {
      let common = (0..<12).map { (key: Int128($0) * 1_000 + shift, value: 200) }
      let rare = (0..<1_000).map { (key: Int128($0) * 7 + shift, value: 1) }
      return try #require(ValueCounts(common + rare))
    }
    func moments(_ sample: ValueCounts) throws -> SampleMoments {
      var sums = SufficientStatistics()
      for (key, count) in zip(sample.keys, sample.counts) {
        expectFlag(sums.add(y: key, count: Int128(count)))
      }
      return try SampleMoments(sums, kind: .mean)
    }
    let (a, b) = (try sample(20_000), try sample(20_100))
    let interval = try #require(Bootstrap(baseline: a, other: b, draws: 2_000)?.absInterval)
    let welch = Comparison(baseline: try moments(a), other: try moments(b))
    let (expected, error) = (try #require(welch.absInterval), try #require(welch.standardError))
    #expect(abs(interval.low - expected.low) < 0.25 * error)
    #expect(abs(interval.high - expected.high) < 0.25 * error)
  }

  @Test("the same seed gives the same interval, another seed nearly the same")
  func seeded() throws {
    let a = try #require(ValueCounts([(key: 0, value: 900), (key: 10, value: 60), (key: 400, value: 3)]))
    let b = try #require(ValueCounts([(key: 0, value: 880), (key: 10, value: 90), (key: 400, value: 5)]))
    let first = Bootstrap(baseline: a, other: b, draws: 2000, seed: 7)
    #expect(first == Bootstrap(baseline: a, other: b, draws: 2000, seed: 7))
    let second = try #require(Bootstrap(baseline: a, other: b, draws: 2000, seed: 8)?.absInterval)
    #expect(abs(second.low - (first?.absInterval?.low ?? 0)) < 0.4)
    #expect(first?.relInterval != nil)
  }

  @Test("nothing to resample, no interval")
  func degenerate() throws {
    let one = try #require(ValueCounts([(key: 3, value: 1)]))
    let level = try #require(ValueCounts([(key: 3, value: 10)]))
    let zeros = try #require(ValueCounts([(key: 0, value: 10)]))
    let some = try #require(ValueCounts([(key: 0, value: 5), (key: 1, value: 5)]))
    #expect(Bootstrap(baseline: one, other: some) == nil)
    #expect(Bootstrap(baseline: zeros, other: some, draws: 200)?.relInterval == nil)
    #expect(Bootstrap(baseline: level, other: level, draws: 200)?.absInterval == nil)
  }

  @Test(
    "binomial draws have the distribution's mean, variance and tails",
    arguments: [(5, 0.3), (40, 0.04), (300, 0.5), (1_000_000, 0.2), (90, 0.97)])
  func binomialDraws(n: Int, p: Double) throws {
    var random = RandomSource(seed: 99)
    let draws = 40_000
    let cut = Int(Double(n) * p + (Double(n) * p * (1 - p)).squareRoot())
    var (sum, squares, above) = (0.0, 0.0, 0.0)
    for _ in 0..<draws {
      let k = random.binomial(n, p)
      let distance = Double(k) - Double(n) * p
      sum += distance
      squares += distance * distance
      above += k > cut ? 1 : 0
    }
    let variance = Double(n) * p * (1 - p)
    let size = Double(draws)
    #expect(abs(sum / size) < 4.5 * (variance / size).squareRoot())
    #expect(abs(squares / size / variance - 1) < 0.05)
    let binomial = try #require(Binomial(trials: n, probability: p))
    var (k, tail) = (Double(cut + 1), 0.0)
    while k <= Double(n), binomial.mass(k) > 1e-18 {
      tail += binomial.mass(k)
      k += 1
    }
    #expect(abs(above / size - tail) < 4.5 * (tail * (1 - tail) / size).squareRoot())
  }
}
