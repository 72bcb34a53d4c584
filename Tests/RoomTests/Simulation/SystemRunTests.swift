import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What the jobs of the worked systems make of their sample data, held against what happened in them.
@Suite("Worked systems in a run", .serialized)
struct SystemRunTests {
  struct System: Sendable, CustomTestStringConvertible {
    var folder: String
    var job: String
    /// The sample log's end.
    var until: String
    /// What truth.csv adds to a metric's name where the job reports in another currency.
    var suffix = ""
    /// Figures of truth.csv that the job has a metric or a funnel for.
    var figures: Int

    var testDescription: String { job }
  }

  static let systems = [
    System(folder: "tiers", job: "tiers-and-credits", until: "2026-04-06", figures: 10),
    System(folder: "three-day", job: "three-day-access", until: "2026-04-13", figures: 9),
    System(folder: "trial", job: "free-trial", until: "2026-05-01", figures: 5),
    System(folder: "stores", job: "both-stores", until: "2026-05-11", figures: 7),
    System(folder: "professional", job: "professional-plan", until: "2026-04-20", figures: 8),
    System(folder: "professional", job: "professional-plan-usd", until: "2026-04-20", suffix: "_usd", figures: 2),
  ]

  /// `truth.csv` by its first three columns, joined with commas.
  private func truth(_ system: System) throws -> [String: String] {
    let file = repository.appending(path: "sample-data/\(system.folder)/truth.csv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0...2].joined(separator: ","), $0[3]) })
  }

  private func run(_ system: System) async throws -> (job: Job, outcome: NativeEngine.Outcome) {
    let job = try JobReader.read(repository.appending(path: "jobs/\(system.job).yml").path)
    let cutoff = try Instant(system.until, timezone: .gmt)
    return (job, try await NativeEngine(job: job, cutoff: cutoff, threads: 2).measure())
  }

  @Test("find every user, sale and cent that happened", arguments: systems)
  func happened(system: System) async throws {
    let (job, outcome) = try await run(system)
    let truth = try truth(system)
    let offering = try #require(outcome.measurement.offerings.first)
    #expect(String(offering.multipleGroupUsers) == truth["users,,multiple_groups"])
    var figures = 0
    for group in offering.groups {
      #expect(String(group.measuredUsers) == truth["happened,\(group.id),measured_users"])
      let segment = try #require(group.segments.first)
      for (metric, measured) in zip(outcome.metrics, segment.metrics) {
        let key = "happened,\(group.id),\(metric.request.id)\(system.suffix)"
        guard let users = truth["\(key)_users"], let sums = measured?.statistics else { continue }
        let value = truth["\(key)_did"] ?? truth["\(key)_sum"] ?? ""
        #expect(String(metric.kind == .ratio ? sums.sumX : sums.n) == users, "\(key)")
        #expect(value.contains(".") ? money(sums.sumY) == value : String(sums.sumY) == value, "\(key)")
        if let zeros = truth["\(key)_zero"] {
          #expect(String(measured?.values.reduce(0) { $0 + ($1.y == 0 ? $1.users : 0) } ?? 0) == zeros, "\(key)")
        }
        figures += 1
      }
      for (funnel, counts) in zip(job.funnels, group.tables.funnels) {
        let key = "happened,\(group.id),\(funnel.name)\(system.suffix)"
        guard let users = truth["\(key)_users"] else { continue }
        #expect(
          [counts.users.first, counts.users.last] == [Int(users), truth["\(key)_did"].flatMap { Int($0) }], "\(key)")
        figures += 1
      }
    }
    #expect(figures == system.figures * offering.groups.count)
  }

  @Test("find every paywall's charges")
  func paywalls() async throws {
    let (_, outcome) = try await run(Self.systems[1])
    let truth = try truth(Self.systems[1])
    for group in try #require(outcome.measurement.offerings.first).groups {
      let sold = group.tables.attributes
      #expect(
        sold.allSatisfy { $0.attribute == "paywall" && truth["happened,\(group.id),paywall_\($0.value)_sum"] != nil })
      for name in ["after_discovery", "messages_exhausted", "access_ended"] {
        let charges = sold.first { $0.value.text == name }?.sums.charges ?? 0
        #expect(String(charges) == truth["happened,\(group.id),paywall_\(name)_sum"], "\(group.id) \(name)")
      }
    }
  }

  @Test("find every store's users, payers and money")
  func stores() async throws {
    let system = Self.systems[3]
    let (_, outcome) = try await run(system)
    let truth = try truth(system)
    var figures = 0
    for group in try #require(outcome.measurement.offerings.first).groups {
      for store in ["app_store", "google_play"] {
        let segment = try #require(group.segments.first { "\($0.id)" == "store=\(store)" })
        for (metric, measured) in zip(outcome.metrics, segment.metrics) {
          let key = "happened,\(group.id),\(store)_\(metric.request.id)"
          guard let users = truth["\(key)_users"], let sums = measured?.statistics else { continue }
          figures += 1
          #expect(String(sums.n) == users, "\(key)")
          #expect(
            truth["\(key)_did"].map { String(sums.sumY) == $0 } ?? (money(sums.sumY) == truth["\(key)_sum"]), "\(key)")
        }
      }
    }
    #expect(figures == 8)
  }

  private func money(_ micros: Int128) -> String { "\(micros / 1_000_000).\(Int64(micros % 1_000_000).padded(6))" }

  @Test("have what is true inside their intervals", arguments: systems)
  func expected(system: System) async throws {
    let (job, outcome) = try await run(system)
    let truth = try truth(system)
    let night = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job,
      asOf: try Instant(system.until, timezone: .gmt))
    #expect(!night.hasFailedCheck)
    #expect(night.unknownChecks.isEmpty)
    for row in night.comparisons where row.key.segment == CellKey.everybody {
      let baseline = truth["expected,\(row.baseline),\(row.key.metric)"].flatMap { Double($0) }
      let value = truth["expected,\(row.key.group),\(row.key.metric)"].flatMap { Double($0) }
      guard let baseline, let value, baseline > 0, let interval = row.liftInterval else { continue }
      let lift = value / baseline - 1
      #expect(interval.low < lift && lift < interval.high, "\(row.key.group) \(row.key.metric)")
    }
  }

  @Test("set aside every row that was spoilt, for its reason", arguments: systems)
  func setAside(system: System) async throws {
    let (_, outcome) = try await run(system)
    let accounts = outcome.measurement.accounts.filter { $0.input == "purchases" }
    var duplicates = 0
    // A notification that names no customer is its chain's, who may be in no test.
    var nameless = (reported: 0, found: 0)
    for (key, value) in try truth(system) {
      let words = key.split(separator: ",").last?.split(separator: " ").map(String.init) ?? []
      let files = accounts.filter { fits($0.file, words.first ?? "") }
      if key.hasPrefix("rows,,"), words != ["assignments"] {
        #expect(String(files.reduce(0) { $0 + $1.rows }) == value, "\(key)")
      } else if key.hasPrefix("set_aside,,") {
        let reason = try #require(SetAsideReason(rawValue: words[1]))
        let rows = files.reduce(0) { $0 + ($1.setAside[reason] ?? 0) }
        // Of a sale that two feeds tell, the run may keep either.
        switch reason {
        case .duplicate: duplicates += Int(value) ?? 0
        case .missingField, .unassigned: nameless = (nameless.reported + (Int(value) ?? 0), nameless.found + rows)
        default: #expect(String(rows) == value, "\(key)")
        }
      }
    }
    #expect(nameless.found == nameless.reported)
    #expect(accounts.reduce(0) { $0 + ($1.setAside[.duplicate] ?? 0) } == duplicates)
  }

  /// The file's name is the path's but for what stands where the `*` is.
  private func fits(_ file: String, _ path: String) -> Bool {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let ends = path.split(separator: "*", omittingEmptySubsequences: false)
    return ends.count == 1 ? name == path : name.hasPrefix(ends[0]) && name.hasSuffix(ends[1])
  }
}
