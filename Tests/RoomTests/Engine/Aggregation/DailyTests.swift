import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What a run says of an earlier night must be what a run on that night would have said.
@Suite struct DailyTests {
  static let rules = [
    "{}",
    "{multiple_groups: first, new_customers_only: true}",
    "{population: exposed}",
    "{population: exposed, multiple_groups: first}",
  ]

  @Test("every night is the run at that night's T", arguments: rules) func everyNightRun(rules: String) async throws {
    let folder = try ScratchFolder()
    let job = try JobReader.read(try Self.write(rules, into: folder))
    let final = try #require(Instant("2026-05-01", timezone: .gmt) as Instant?)
    let run = try await NativeEngine(job: job, cutoff: final, threads: 2).measure().measurement
    let nights = try run.daily.nights()
    #expect(nights.count == 61)
    #expect(nights.last?.asOf == final)
    #expect(Self.sums(run.offerings).count >= 3 * job.metrics.count)
    for night in nights.indices where night % 10 == 3 || night == nights.count - 1 {
      let daily = nights[night]
      let alone = try await NativeEngine(job: job, cutoff: daily.asOf, threads: 2).measure().measurement
      #expect(Self.sums(daily.offerings) == Self.sums(alone.offerings), "night \(daily.asOf.rfc3339), rules \(rules)")
    }
  }

  @Test("nights end with the last window, and where a metric has none, or one is open, with the run")
  func nightsEnd() async throws {
    var world = World()
    world.events = [event("purchase", "2026-03-02T00:00:00Z")]
    for (metrics, asOf, nights) in [
      (["{name: revenue_net, window: 7d}", "{name: charges, window: 3d}"], "2026-05-01", 8),
      (["{name: revenue_net, window: 7d}", "{name: charges, window: none}"], "2026-05-01", 61),
      (["{name: revenue_net, window: 7d}"], "2026-03-06", 5),
    ] {
      (world.metrics, world.asOf) = (metrics, asOf)
      #expect(try await world.measure().daily.nights().count == nights, "\(metrics) \(asOf)")
    }
    (world.metrics, world.asOf) = (["{name: revenue_net, window: 7d}"], "2026-05-01")
    world.events = [
      event("purchase", "2026-03-02T00:00:00Z", ["transactionId": "t"]),
      event("refund", "2026-04-20T12:00:00Z", ["transactionId": "t"]),
    ]
    #expect(try await world.measure().daily.nights().count == 51)
  }

  /// The sums by group, segment and metric.
  private static func sums(_ offerings: [OfferingMeasurement]) -> [String] {
    offerings.flatMap { offering in
      offering.groups.flatMap { group in
        group.segments.flatMap { segment in
          segment.metrics.enumerated().map { index, metric in
            "\(offering.id) \(group.id) \(segment.id) \(segment.users) \(index) \(metric?.statistics as Any) \(metric?.values as Any)"
          }
        }
      }
    }
  }

  /// A job on the sample data with metrics of every temper.
  static func write(_ rules: String, into folder: ScratchFolder, primary: Bool = false) throws -> String {
    let data = repository.appending(path: "sample-data/offering").path
    let extra = rules.dropFirst().dropLast().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let text = """
      job: nights
      max_reject_ratio: 1
      \(extra.joined(separator: "\n"))
      catalog:
        offerings: \(data)/subscription_offerings.csv.gz
        groups: \(data)/subscription_offering_groups.csv.gz
        products: \(data)/subscription_offering_group_products.csv.gz
      assignments:
        - path: \(data)/user_offering_assignments-*.csv.gz
          keys: catalog
          columns: {user: user_id, offering: subscription_offering_id, group: offering_group_id, assigned_at: created_at}
          attributes: [country]
      segments: [country]
      purchases:
        - {path: "\(data)/purchases-*.jsonl.gz", format: events}
      products: \(data)/products.csv
      metrics:
        - {name: revenue_net, window: 7d, cap: {percentile: 99}, covariate: {lookback: 30d}}
        - {name: revenue_net, window: none, id: net}
        - {name: proceeds, window: 7d, immature: include}
        - {name: revenue_net_per_payer, window: 3d}
        - {name: refund_rate, window: 2d}
        - {name: paying_conversion, window: 1d, kept: true, stratify: country}
        - {name: quantile, of: revenue_net, q: 0.9, window: 5d}
        - {name: event_count, event: refund, window: none}
        - {name: retention}
        - {name: trial_to_paid, window: 7d, stratify: country}
      """
    let path = folder.path("job.yml")
    let primaries = primary ? text.replacingOccurrences(of: "{name: ", with: "{primary: true, name: ") : text
    try primaries.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}
