import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What users did before their assignment, and how many have each value, on a world small enough to count by hand.
@Suite struct LookbackTests {
  /// Three users assigned on 10 March: `a` paid 2 and 3 before and 10 after, `b` 50 long before and 7.50 after with
  /// half of it refunded, `c` nothing.
  static let events = """
    userId,eventType,occurredAt,productId,price,currency,transactionId
    a,purchase,2026-03-01,p,2,USD,1
    a,purchase,2026-03-09T23:59:59.999Z,p,3,USD,2
    a,purchase,2026-03-10,p,10,USD,3
    b,purchase,2026-02-01,p,50,USD,4
    b,purchase,2026-03-12,p,7.50,USD,5
    b,refund,2026-03-20,,3.75,USD,5

    """

  @Test("the covariate is the metric's quantity over the lookback before the assignment")
  func covariateMetricQuantity() async throws {
    let sums = try await measure("{name: revenue_net, window: 7d, covariate: {lookback: 30d}}").statistics
    #expect(sums.n == 3)
    #expect(sums.sumY == 13_750_000)
    #expect(sums.sumC == 5_000_000)
    #expect(sums.sumCC == 25_000_000_000_000)
    #expect(sums.sumYC == 50_000_000_000_000)
  }

  @Test("the covariate is what was known at the assignment: a later refund does not change it")
  func covariateKnownAssignment() async throws {
    let refunds = """
      a,refund,2026-03-09T23:59:59.999Z,,1,USD,1
      a,refund,2026-03-10,,,USD,2
      a,refund,2026-03-11,,,USD,1

      """
    let net = "{name: revenue_net, window: 7d, covariate: {lookback: 30d}}"
    #expect(try await measure(net, Self.events + refunds).statistics.sumC == 4_000_000)
    let rate = "{name: paying_conversion, window: 7d, kept: true, covariate: {lookback: 30d}}"
    #expect(try await measure(rate, Self.events + refunds).statistics.sumC == 1)
    let gross = "{name: revenue_gross, window: 7d, covariate: {lookback: 30d}}"
    #expect(try await measure(gross, Self.events + refunds).statistics.sumC == 5_000_000)
  }

  @Test("a cap cuts the covariate too, at the level of the values")
  func capCutsCovariate() async throws {
    let sums = try await measure(
      "{name: revenue_net, window: 7d, cap: {percentile: 50}, covariate: {lookback: 60d}}"
    ).statistics
    // Values above 0 are 3.75 and 10: the median by nearest rank is 3.75.
    #expect(sums.sumY == 7_500_000)
    #expect(sums.sumC == 7_500_000)
  }

  @Test("a quantile knows how many users have each value, those with none too")
  func quantileKnowsHow() async throws {
    let metric = try await measure("{name: quantile, of: charges, q: 0.5, window: 7d}")
    #expect(metric.values == [ValueCount(y: 0, x: 0, users: 1), ValueCount(y: 1, x: 0, users: 2)])
  }

  private func measure(_ metric: String, _ events: String = Self.events) async throws -> MetricMeasurement {
    let folder = try ScratchFolder()
    try events.write(toFile: folder.path("log.csv"), atomically: true, encoding: .utf8)
    let users = ["a", "b", "c"].map { "\($0),o,control,2026-03-10" }
    try (["user,offering,group,assigned_at"] + users).joined(separator: "\n")
      .write(toFile: folder.path("users.csv"), atomically: true, encoding: .utf8)
    let job = """
      job: small
      assignments: [{path: users.csv}]
      purchases: [{path: log.csv, format: events-csv}]
      metrics: [\(metric)]
      """
    try job.write(toFile: folder.path("job.yml"), atomically: true, encoding: .utf8)
    let engine = NativeEngine(
      job: try JobReader.read(folder.path("job.yml")), cutoff: try Instant("2026-04-01", timezone: .gmt), threads: 2)
    let measured = try await engine.measure().measurement
    return try #require(measured.offerings.first?.groups.first?.segments.first?.metrics[0])
  }
}
