import Testing

@testable import Statistics

/// Tests that are decided at a few planned looks: what they say when they end, and where going on is of little use.
struct GroupSequentialTests {
  private func looks(_ times: [Double], _ spending: SpendingFunction = .oBrienFleming) -> PlannedLooks {
    PlannedLooks(times.map { .init(time: $0, information: 40_000 * $0) }, spending: spending)
  }

  /// Looks at half of the plan and at its end: paths integrated with 48 nodes a look, and their roots, by mpmath.
  @Test(
    "The stage-wise p, estimate and interval of a test that ended",
    arguments: [
      (1, 2.5, 0.014_283_552_2, 2.483_023_146, 0.502_332_288, 4.449_610_758),
      (1, 1.2, 0.230_341_203, 1.199_626_814, -0.760_641_325, 3.159_712_971),
      (1, 2.2, 0.029_176_706, 2.192_016_006, 0.223_159_883, 4.154_975_656),
      (0, 3.4, 0.000_673_858_53, 3.4, 1.440_036_015, 5.359_963_985),
    ])
  func stageWise(look: Int, z: Double, pValue: Double, estimate: Double, low: Double, high: Double) throws {
    let found = try #require(StageWise(statistic: z, look: look, of: looks([0.5, 1]), alpha: 0.05))
    #expect(abs(found.pValue - pValue) < 1e-7)
    #expect(abs(found.estimate - estimate) < 1e-6)
    #expect(abs(found.interval.low - low) < 1e-6 && abs(found.interval.high - high) < 1e-6)
    // The other side is its mirror image.
    let mirrored = try #require(StageWise(statistic: -z, look: look, of: looks([0.5, 1]), alpha: 0.05))
    #expect(abs(mirrored.pValue - found.pValue) < 1e-9 && abs(mirrored.estimate + found.estimate) < 1e-6)
  }

  @Test("At the bound of the last look the stage-wise p is the level")
  func lastBound() throws {
    for spending in [SpendingFunction.oBrienFleming, .pocock, .hwangShihDeCani(gamma: -4)] {
      let looks = looks([0.25, 0.5, 0.75, 1], spending)
      let bound = looks.bounds(level: 0.05)[3]
      let found = try #require(StageWise(statistic: bound, look: 3, of: looks, alpha: 0.05))
      #expect(abs(found.pValue - 0.05) < 1e-7)
      #expect(abs(found.interval.low) < 1e-6 && found.estimate < bound)
    }
  }

  /// By mpmath, as above.
  @Test("Both bounds meet at the last look of a difference that is found with the power of the plan")
  func futility() throws {
    let looks = looks([0.5, 1])
    let upper = looks.bounds(level: 0.05)
    let futility = try #require(Futility(looks.points, upper: upper, spending: .oBrienFleming))
    #expect(abs(futility.drift - 2.878_959_02) < 1e-6)
    #expect(abs(futility.bounds[0] - 0.559_391_494) < 1e-6)
    #expect(futility.bounds[1] == upper[1])
  }

  @Test("Between its looks nothing is decided, and at one the interval leaves 0 out where p is below the level")
  func betweenLooks() throws {
    let (test, plan) = (GroupLooks(), looks([0.25, 0.5, 1], .pocock))
    func conditions(_ number: Int) -> TestConditions {
      TestConditions(alpha: 0.05, users: 40_000, look: Look(number: number, of: plan))
    }
    #expect(test.pValue(statistic: 5, conditions(0)) == nil && test.multiplier(level: 0.05, conditions(4)) == nil)
    for number in 1...3 {
      let c = try #require(test.multiplier(level: 0.05, conditions(number)))
      #expect(abs(c - plan.bounds(level: 0.05)[number - 1]) < 1e-9)
      #expect(try #require(test.pValue(statistic: c + 1e-6, conditions(number))) < 0.05)
      #expect(try #require(test.pValue(statistic: c - 1e-6, conditions(number))) > 0.05)
    }
  }

  @Test("Looks that are not equally far apart leave the level outside, too")
  func unequal() {
    let looks = looks([0.2, 0.5, 0.6, 0.9, 1])
    let crossing = RepeatedLooks(drift: 0, bounds: looks.bounds(level: 0.05), information: looks.shares).crossing
    #expect(abs(crossing - 0.05) < 1e-6)
  }
}
