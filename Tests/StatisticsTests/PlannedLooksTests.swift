import Testing

@testable import Statistics

/// Bounds of tests that are read several times, and what may be said of one on the way.
struct PlannedLooksTests {
  private func looks(
    _ times: [Double], _ spending: SpendingFunction = .oBrienFleming, isTwoSided: Bool = true
  ) -> PlannedLooks {
    PlannedLooks(times.map { .init(time: $0, information: $0) }, spending: spending, isTwoSided: isTwoSided)
  }

  private func expect(_ found: [Double], _ wanted: [Double]) {
    #expect(found.count == wanted.count && zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
  }

  /// Lan & DeMets 1983; Jennison & Turnbull 2000; gsDesign's.
  @Test("Bounds that spend like O'Brien and Fleming's")
  func oBrienFleming() {
    expect(looks([0.2, 0.4, 0.6, 0.8, 1]).bounds(level: 0.05), [4.876885, 3.357012, 2.680280, 2.289817, 2.031032])
    expect(looks([0.2, 0.5, 0.6, 0.9, 1]).bounds(level: 0.05), [4.876885, 2.962629, 2.711639, 2.122723, 2.063316])
    expect(looks([0.25, 0.5, 0.75, 1]).bounds(level: 0.05), [4.332634, 2.963132, 2.359044, 2.014090])
    expect(looks([0.25, 0.5, 0.75, 1]).bounds(level: 0.045), [4.415989, 3.023536, 2.408191, 2.056245])
    expect(
      looks((3...28).map { Double($0) / 28 }).bounds(level: 0.05).suffix(6),
      [2.363327, 2.312969, 2.265701, 2.221218, 2.179258, 2.139590])
    expect(looks([0.5, 1], isTwoSided: false).bounds(level: 0.025), [2.962588, 1.968596])
    expect(looks([0.5, 0.75, 1], isTwoSided: false).bounds(level: 0.025), [2.962588, 2.359018, 2.014084])
  }

  @Test("Bounds that spend like Pocock's, and by Hwang, Shih and DeCani")
  func otherSpending() {
    let five = [0.2, 0.4, 0.6, 0.8, 1]
    expect(looks(five, .pocock).bounds(level: 0.05), [2.437977, 2.426814, 2.410194, 2.396645, 2.385985])
    expect(
      looks(five, .hwangShihDeCani(gamma: -4), isTwoSided: false).bounds(level: 0.025),
      [3.252668, 2.986046, 2.691657, 2.373667, 2.025321])
  }

  private func expect(_ found: ArraySlice<Double>, _ wanted: [Double]) { expect(Array(found), wanted) }

  /// The constants of Jennison & Turnbull 2000, tables 2.1 and 2.3, to their digits.
  @Test(
    "Classical bounds leave 5 % outside",
    arguments: [(2, 1.977431, 2.178272), (3, 2.004036, 2.289478), (4, 2.024295, 2.361298), (5, 2.040073, 2.413176)])
  func classical(count: Int, oBrienFleming: Double, pocock: Double) {
    let times = (1...count).map { Double($0) / Double(count) }
    let falling = times.map { oBrienFleming / $0.squareRoot() }
    #expect(abs(RepeatedLooks(drift: 0, bounds: falling).crossing - 0.05) < 1e-6)
    #expect(abs(RepeatedLooks(drift: 0, bounds: times.map { _ in pocock }).crossing - 0.05) < 1e-6)
  }

  @Test("The bounds spend the level, whatever information came, and all that is left at the planned last look")
  func spending() {
    let points = [(0.1, 0.0), (0.2, 3), (0.5, 3.001), (0.7, 20), (1, 21)].map {
      PlannedLooks.Point(time: $0.0, information: $0.1)
    }
    var sequence = SequentialBounds()
    for point in points {
      sequence.add(
        information: point.information,
        spent: 2 * SpendingFunction.oBrienFleming.spent(level: 0.025, at: point.time))
    }
    #expect(abs(sequence.inside - 0.95) < 1e-9)
    #expect(sequence.bounds[0] == .infinity)
    // A look that brings next to nothing has the bound of the one before, with what may be spent by now.
    #expect(sequence.bounds[2] < sequence.bounds[1])
    #expect(PlannedLooks(points).bounds(level: 0.05) == sequence.bounds)
  }

  @Test("p and the bound at its level are one", arguments: [3, 10, 20, 27])
  func inverse(look: Int) {
    let looks = PlannedLooks.evenly(28)
    for level in [0.045, 0.0225, 0.015, 0.001, 1e-6, 0.2] {
      let bound = looks.bound(level: level, look: look, base: 0.045)
      #expect(abs(looks.pValue(statistic: bound, look: look, base: 0.045) / level - 1) < 1e-9)
      #expect(abs(bound - looks.bounds(level: level)[look]) < 1e-3)
    }
    #expect(looks.bound(level: 0.045, look: look, base: 0.045) == looks.bounds(level: 0.045)[look])
    #expect(looks.pValue(statistic: 0, look: look, base: 0.045) == 1)
  }

  @Test("A planned end decides by the plan's share up to the end, and behind it by the always-valid one's")
  func plannedEnd() throws {
    let test = PlannedEnd()
    func conditions(_ number: Int) -> TestConditions {
      TestConditions(alpha: 0.05, users: 40_000, look: Look(number: number, planned: 28))
    }
    let always = try #require(SequentialTest(alpha: 0.005)?.multiplier(users: 40_000))
    let last = try #require(test.multiplier(level: 0.05, conditions(28)))
    #expect(last == PlannedLooks.evenly(28).bounds(level: 0.045)[27])
    #expect(abs(last - 2.180238) < 1e-6)
    #expect(test.multiplier(level: 0.05, conditions(29)) == always)
    #expect(test.multiplier(level: 0.05, conditions(1)) == always)
    for number in [1, 14, 21, 28, 40] {
      let c = try #require(test.multiplier(level: 0.02, conditions(number)))
      #expect(abs(try #require(test.pValue(statistic: c, conditions(number))) / 0.02 - 1) < 1e-6)
    }
    #expect(try #require(test.upperPValue(statistic: 2.5, conditions(28))) < 0.03)
    #expect(test.upperPValue(statistic: -2.5, conditions(28)) == 1)
    // The bound of an early look lies far out, and so does the floor of what it takes.
    #expect(test.nominalLevel(0.05, conditions(10)) == 0.05 * (1 - PlannedEnd.plannedShare))
    #expect(abs(test.nominalLevel(0.05, conditions(28)) - 0.02924) < 1e-4)
  }

  /// Lan & Wittes 1988.
  @Test("Conditional power by trend, under the null and under the design")
  func conditionalPower() throws {
    let seen = try #require(ConditionalPower(statistic: 1.5, time: 0.5, critical: 1.96))
    #expect(abs(seen.byTrend - 0.590232) < 1e-6)
    #expect(abs(seen.underNull - 0.101712) < 1e-6)
    #expect(abs(seen.probability(drift: 2.801585) - 0.760888) < 1e-5)
    #expect(abs(seen.probability(drift: 3.241516) - 0.846192) < 1e-5)
    #expect(ConditionalPower(statistic: 1, time: 1, critical: 2) == nil)
  }

  @Test("What deciding now loses, and what one more sample is worth")
  func nextLook() throws {
    let next = try #require(NextLook(mean: 0.02, standardDeviation: 0.05, sampleError: 0.05))
    #expect(abs(next.expectedLoss - 0.01152194) < 1e-8)
    #expect(abs(next.preposteriorDeviation - 0.03535534) < 1e-8)
    #expect(abs(next.value - 0.00630319) < 1e-8)
    #expect(NextLook(mean: -0.02, standardDeviation: 0.05, sampleError: 0.05) == next)
    #expect(NextLook(mean: 0.02, standardDeviation: 0, sampleError: 0.05) == nil)
  }

  /// Users who pay at a price: integrated on a grid of two million lifts by NumPy.
  @Test(
    "The expected lift under Student's t with 3 degrees of freedom",
    arguments: [
      (20_000, 1000, 999, 700, 1999, 0.1, 0.358105, 0.225660, 0.496764),
      (20_000, 1000, 999, 700, 1999, 0.346824, 0.379174, 0.252620, 0.513642),
      (800, 192, 9900, 136, 24_900, 0.1, 0.601911, 0.220507, 0.989547),
      (800, 192, 9900, 136, 24_900, 0.461167, 0.682335, 0.362748, 1.042701),
    ] as [(Int128, Int128, Int128, Int128, Int128, Double, Double, Double, Double)])
  func expectedLift(
    users: Int128, a: Int128, price: Int128, b: Int128, other: Int128, sd: Double, mean: Double, low: Double,
    high: Double
  ) throws {
    func group(_ payers: Int128, _ cents: Int128) throws -> SampleMoments {
      try SampleMoments(
        SufficientStatistics(n: users, sumY: payers * cents, sumYY: payers * cents * cents), kind: .mean,
        scale: SumScale(y: 100, c: 1))
    }
    let comparison = Comparison(baseline: try group(a, price), other: try group(b, other))
    let found = try #require(comparison.expectedLift(deviation: sd, alpha: 0.05))
    #expect(abs(found.mean - mean) < 1e-6)
    #expect(abs(found.interval.low - low) < 1e-6 && abs(found.interval.high - high) < 1e-6)
    #expect(found.chanceAbove > 0.999 && found.expectedLoss < 1e-4)
  }
}
