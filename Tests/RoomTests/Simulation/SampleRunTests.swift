import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What a run makes of the sample data, held against what the simulation knows to be so.
@Suite("Sample data in a run")
struct SampleRunTests {
  private static let sample = repository.appending(path: "sample-data/offering").path
  private static let cutoff = Instant(milliseconds: CivilDate(year: 2026, month: 5, dayOfMonth: 1).day * 86_400_000)

  /// `truth.csv` by its first three columns, joined with commas.
  private func truth() throws -> [String: String] {
    let text = try String(contentsOfFile: "\(Self.sample)/truth.csv", encoding: .utf8)
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0...2].joined(separator: ","), $0[3]) })
  }

  /// The sample with metrics that nothing caps.
  private func job() throws -> Job {
    let file = NSTemporaryDirectory() + "sample-\(UUID().uuidString).yml"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let yaml = """
      job: sample
      catalog:
        offerings: \(Self.sample)/subscription_offerings.csv.gz
        groups: \(Self.sample)/subscription_offering_groups.csv.gz
        products: \(Self.sample)/subscription_offering_group_products.csv.gz
      assignments:
        - path: \(Self.sample)/user_offering_assignments-*.csv.gz
          keys: catalog
          columns: {user: user_id, offering: subscription_offering_id, group: offering_group_id, assigned_at: created_at}
      purchases: [{path: "\(Self.sample)/purchases-*.jsonl.gz", format: events}]
      metrics:
        - {name: exposure, window: none}
        - {name: paying_conversion, window: 7d}
        - {name: paying_conversion, window: 30d}
        - {name: charges, window: 30d}
        - {name: revenue_gross, window: 30d}
        - {name: revenue_net, window: 30d}
      """
    try yaml.write(toFile: file, atomically: true, encoding: .utf8)
    return try JobReader.read(file)
  }

  @Test("finds every user, payer, charge and cent that happened")
  func happened() async throws {
    let outcome = try await NativeEngine(job: job(), cutoff: Self.cutoff, threads: 2).measure()
    let truth = try truth()
    let offering = try #require(outcome.measurement.offerings.first)
    #expect(String(offering.multipleGroupUsers) == truth["users,,multiple_groups"])
    for group in offering.groups {
      let sums = try #require(group.segments.first).metrics.compactMap { $0?.statistics }
      let found = [
        ("users", sums[0].n), ("exposed_users", sums[0].sumY), ("mature_users_7d", sums[1].n),
        ("paying_users_7d", sums[1].sumY), ("mature_users_30d", sums[2].n), ("paying_users_30d", sums[2].sumY),
        ("charges_30d", sums[3].sumY), ("revenue_gross_30d", sums[4].sumY), ("revenue_net_30d", sums[5].sumY),
      ]
      for (name, value) in found {
        let text = name.hasPrefix("revenue") ? money(value) : String(value)
        #expect(text == truth["happened,\(group.id),\(name)"], "\(group.id) \(name)")
      }
    }
  }

  private func money(_ micros: Int128) -> String {
    "\(micros / 1_000_000).\(Int64(micros % 1_000_000).padded(6))"
  }

  @Test("sets aside every row the simulation spoilt, for its reason")
  func setAside() async throws {
    let outcome = try await NativeEngine(job: job(), cutoff: Self.cutoff, threads: 2).measure()
    let truth = try truth()
    let purchases = outcome.measurement.accounts.filter { $0.input == "purchases" }
    #expect(String(purchases.reduce(0) { $0 + $1.rows }) == truth["rows,,purchases"])
    for reason in SetAsideReason.allCases {
      let rows = purchases.reduce(0) { $0 + ($1.setAside[reason] ?? 0) }
      #expect(String(rows) == truth["set_aside,,\(reason.rawValue)"] ?? "0", "\(reason.rawValue)")
    }
    #expect(String(outcome.measurement.orphanRefunds) == truth["dirt,,orphan_refund"])
  }

  @Test("finds what old clients paid, and whose purchase sheet ended without a purchase")
  func beside() async throws {
    let job = try JobReader.read(repository.appending(path: "jobs/offering-price-test.yml").path)
    let outcome = try await NativeEngine(job: job, cutoff: Self.cutoff, threads: 2).measure()
    let truth = try truth()
    let outside = outcome.measurement.outside
    #expect(outside.map { $0.group?.text } == ["VAR1", "VAR2"] && outside.allSatisfy { $0.offering == nil })
    for row in outside {
      let found = [
        "users": "\(row.sales.users)", "payers": "\(row.sales.payers)", "charges": "\(row.sales.charges)",
        "gross": money(row.sales.gross), "net": money(row.sales.net),
      ]
      for (name, value) in found { #expect(value == truth["outside,\(row.group?.text ?? ""),\(name)"], "\(name)") }
    }
    for group in try #require(outcome.measurement.offerings.first).groups {
      for name in ["sheet_cancelled_7d", "sheet_failed_7d"] {
        let metric = try #require(outcome.metrics.firstIndex { $0.request.id == name })
        let sums = try #require(group.segments.first?.metrics[metric]?.statistics)
        #expect(String(sums.n) == truth["happened,\(group.id),\(name)_users"])
        #expect(String(sums.sumY) == truth["happened,\(group.id),\(name)_did"])
      }
    }
  }

  @Test("recovers the true effect: group_a is better at both primary metrics, group_b is open")
  func effect() async throws {
    let job = try JobReader.read(repository.appending(path: "jobs/offering-price-test.yml").path)
    let outcome = try await NativeEngine(job: job, cutoff: Self.cutoff, threads: 2).measure()
    let night = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: Self.cutoff)
    let primary = night.comparisons.filter { $0.primary && $0.key.segment == CellKey.everybody }
    #expect(primary.count == 4)
    for row in primary {
      #expect(row.decision == (row.key.group == "group_a" ? .better : .inconclusive))
      let interval = try #require(row.liftInterval)
      let lift = try trueLift(row.key)
      #expect(interval.low < lift && lift < interval.high, "\(row.key.group) \(row.key.metric) \(lift)")
    }
    #expect(!night.hasFailedCheck)
    // Some buyers of the sample bought before they were assigned, and not again.
    let warnings = ["not_computable", "small_counts", "before_assignment", "not_exposed"]
    #expect(night.checks.allSatisfy { $0.status == .pass || warnings.contains($0.name) })
  }

  private func trueLift(_ key: CellKey) throws -> Double {
    let truth = try truth()
    let value = try #require(truth["expected,\(key.group),\(key.metric)"].flatMap { Double($0) })
    let baseline = try #require(truth["expected,control,\(key.metric)"].flatMap { Double($0) })
    return value / baseline - 1
  }
}
