import Domain
import Statistics
import Testing

@testable import Analysis
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What will come of a lift once it is shipped.
struct ExpectedLiftTests {
  /// 2,000 of 50,000 users against 2,400: a lift of 20 %.
  private func verdict(
    ended: [EndedTest] = [], job: Job = HandMade.job()
  ) throws -> OfferingVerdict {
    let offering = HandMade.offering(
      HandMade.group("control", users: 50_000, HandMade.proportion(2000, of: 50_000)),
      HandMade.group("group_a", users: 50_000, HandMade.proportion(2400, of: 50_000)))
    let night = try Analysis.analyze(
      measurement: HandMade.measurement(offering), metrics: [HandMade.conversion], job: job, asOf: HandMade.asOf,
      ended: ended)
    return try #require(night.verdicts.first)
  }

  /// The mean and the quantiles of exp(−(m_B − (1 + r)·m_A)²/2(V_B + (1 + r)²·V_A) ·(1 + r²/τ²)⁻², integrated by
  /// mpmath.
  @Test("Where nobody knows better the lift is drawn to 0 by a prior of 15 %")
  func usual() throws {
    let verdict = try verdict()
    let expected = try #require(verdict.groups[0].expected)
    #expect(abs(expected.lift - 0.185784406006748) < 1e-9)
    #expect(abs(expected.interval.low - 0.118783304458743) < 1e-8)
    #expect(abs(expected.interval.high - 0.256425075182749) < 1e-8)
    #expect(abs(try #require(verdict.groups[0].measured).lift - 0.2) < 1e-12)
    #expect(
      verdict.groups[0].reason
        == "In 7 days paying_conversion_7d came to 4.8 % instead of 4.0 % (+20 %, 13 to 27 %). Expect about +19 % to last. Chance that it is better: over 99 %."
    )
    #expect(verdict.expectation?.contains("about 15 %, as is usual") == true)
  }

  @Test("The job's own prior goes before what its ended tests show, about 0 whatever its mean")
  func own() throws {
    let job = HandMade.job { $0.prior = NormalPrior(mean: 0.05, standardDeviation: 0.3) }
    let verdict = try verdict(ended: tests(10), job: job)
    let expected = try #require(verdict.groups[0].expected)
    #expect(abs(expected.lift - 0.194192168668652) < 1e-9)
    #expect(verdict.expectation?.contains("about 30 %, as the job's prior: says") == true)
  }

  @Test("Ten ended tests tell how much tests move things; nine do not")
  func learned() throws {
    #expect(try verdict(ended: tests(9)).expectation?.contains("as is usual") == true)
    let verdict = try verdict(ended: tests(10))
    #expect(verdict.expectation?.contains("about 9.4 %, as its 10 ended tests did") == true)
    // By mpmath, with τ = 0.093950356182883.
    #expect(abs(try #require(verdict.groups[0].expected).lift - 0.180279244278068) < 1e-7)
  }

  @Test("A pair that sells at different prices moves things by half of what those differ by, at least")
  func prices() throws {
    let usual = LiftPrior(HandMade.job(), ended: [])
    #expect(abs(usual.atPrices(ratio: 2).deviation - 0.34657359) < 1e-8)
    #expect(usual.atPrices(ratio: 0.5) == usual.atPrices(ratio: 2) && usual.atPrices(ratio: 2).source == .prices)
    #expect(usual.atPrices(ratio: 1.2) == usual && usual.atPrices(ratio: nil) == usual)
    let own = LiftPrior(HandMade.job { $0.prior = NormalPrior(mean: 0, standardDeviation: 0.05) }, ended: [])
    #expect(own.atPrices(ratio: 2) == own)
  }

  private func tests(_ count: Int) -> [EndedTest] {
    let lifts = [0.12, -0.03, 0.25, 0.02, -0.11, 0.07, 0.31, -0.02, 0.05, -0.16]
    let variances = [0.002, 0.004, 0.01, 0.001, 0.006, 0.0025, 0.02, 0.0015, 0.003, 0.008]
    return zip(lifts, variances).prefix(count).map { EndedTest(lifts: [.init(lift: $0, variance: $1)]) }
  }
}
