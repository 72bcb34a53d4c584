import Foundation
import Statistics
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Simulation

/// What a run makes of the files that a story is written in, held against what happened in it.
@Suite("A story's files in a run", .serialized)
struct StoryRunTests {
  struct Report: Sendable, CustomTestStringConvertible {
    /// Formats that tell the story together.
    var formats: [String]
    /// They tell how subscriptions go on and end.
    var reportsLifecycle = true
    /// The form that App Store's rows have.
    var form = "decoded"

    /// Each row that repeats another is one that `truth.csv` expects. An order's row of Google Play tells the refund beside its
    /// charge, as a transaction of Apple's does, and a recovery that Play tells follows from Adapty's renewal, too: which of them
    /// repeats the other is open.
    var countsCopies: Bool {
      !(formats.contains("google-play-orders") && formats.contains("adapty-export")) && form != "transactions"
    }

    var testDescription: String { formats.joined(separator: " and ") + (form == "decoded" ? "" : ", \(form)") }
  }

  private static let play = ["google-play-orders", "google-play-subscriptions", "google-play-notifications"]

  static let reports = [
    Report(formats: ["events"]), Report(formats: ["app-store-notifications"]),
    Report(formats: ["app-store-notifications"], reportsLifecycle: false, form: "transactions"),
    Report(formats: ["revenuecat-webhooks"]), Report(formats: ["superwall-webhooks"]),
    Report(formats: ["adapty-export"]), Report(formats: ["stripe-events"]),
    Report(formats: ["ga4-export"], reportsLifecycle: false), Report(formats: play),
    Report(formats: play + ["adapty-export"]), Report(formats: ["stripe-events", "revenuecat-webhooks"]),
    Report(formats: ["ga4-export", "stripe-events"]),
  ]

  /// By the names of `truth:`.
  private static let figures = [
    "gross": "{name: revenue_gross, window: none, id: gross}", "net": "{name: revenue_net, window: none, id: net}",
    "proceeds": "{name: proceeds, window: none, id: proceeds}", "charges": "{name: charges, window: none, id: charges}",
    "credits": "{name: credits_granted, window: none, id: credits}",
    "net_30d": "{name: revenue_net, window: 30d, id: net_30d}",
    "trials": "{name: event_rate, event: trial_start, window: none, id: trials}",
  ].sorted { $0.key < $1.key }.map { (name: $0.key, metric: $0.value) }

  private static let lifecycle = [
    "{name: renewal_rate, window: none}", "{name: involuntary_churn, window: none}",
    "{name: recovery_rate, window: none}", "{name: trial_to_paid, window: none}", "{name: active_subscription}",
    "{name: set_to_renew}", "{name: mrr}", "{name: retention}",
  ]

  /// Part of a price is whole cents, and no refund is taken back: not every format has a word for that.
  private func yaml(_ report: Report, dirt: String) throws -> String {
    let changes = [
      ("users: 3000", "users: 1500"), ("\"4.99\"", "\"5.00\""), ("then: {reversed: 0.5}", "then: {ended: 1}"),
    ]
    let text = changes.reduce(StoryWorld.yaml) { $0.replacing($1.0, with: $1.1) }
    let start = try #require(text.range(of: "outputs:"))
    let outputs = report.formats.map { "  - {format: \($0), form: \(report.form), path: \($0).gz, dirt: {\(dirt)}}" }
    return """
      \(text[..<start.lowerBound])outputs:
      \(outputs.joined(separator: "\n"))
      truth:
        gross: {sum: gross}
        net: {sum: net}
        proceeds: {sum: proceeds}
        charges: {sum: charges}
        credits: {sum: credits}
        net_30d: {sum: net, window: 30d}
        trials: {did: [tried]}
      """
  }

  private func job(_ report: Report) -> String {
    let inputs = report.formats.map { "  - {path: \($0).gz, format: \($0)}" }
    return """
      job: story
      currency: USD
      max_reject_ratio: 1
      event_types: [plan_view, no_offering]
      assignments:
        - path: user_offering_assignments-*.csv.gz
          columns: {user: user_id, offering: offering_id, group: test_group_id, assigned_at: assigned_at}
      purchases:
      \(inputs.joined(separator: "\n"))
      products: products.csv
      identities: {path: identities.csv, columns: {alias: alias, user: user}}
      exchange_rates: exchange_rates.csv
      metrics:
      \((Self.figures.map(\.metric) + Self.lifecycle).map { "  - \($0)" }.joined(separator: "\n"))
      """
  }

  /// What a run measures of the story's files, and `truth.csv` by its first three columns.
  private func reported(_ report: Report, dirt: String = "") async throws -> (
    measurement: RunMeasurement, truth: [String: String]
  ) {
    let folder = try TemporaryFolder()
    try folder.write("scenario.yml", try yaml(report, dirt: dirt))
    _ = try Simulation.run(scenario: folder.path("scenario.yml"), output: folder.url.path)
    try folder.write("job.yml", job(report))
    let measured = try await World.measure(folder.path("job.yml"), asOf: "2026-05-01", threads: 2)
    let rows = try String(contentsOfFile: folder.path("truth.csv"), encoding: .utf8).split(separator: "\n").dropFirst()
    let truth = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    return (measured, Dictionary(uniqueKeysWithValues: truth.map { ($0[0...2].joined(separator: ","), $0[3]) }))
  }

  private static let dirt = StoryDirt.allCases.filter { $0 != .none && $0 != .groupMismatch && $0 != .forged }
    .map { "\($0.rawValue): 0.02" }.joined(separator: ", ")

  @Test("are every sale and cent that happened, and set aside what was spoilt", arguments: reports)
  func happened(report: Report) async throws {
    let (measurement, truth) = try await reported(report, dirt: Self.dirt)
    let offering = try #require(measurement.offerings.first)
    for group in offering.groups {
      let segment = try #require(group.segments.first)
      for (figure, measured) in zip(Self.figures, segment.metrics) {
        let sums = try #require(measured?.statistics)
        let key = "happened,\(group.id),\(figure.name)"
        #expect(String(sums.n) == truth["\(key)_users"], "\(key)")
        let value = truth["\(key)_sum"] ?? truth["\(key)_did"] ?? ""
        let found =
          value.contains(".") ? "\(sums.sumY / 1_000_000).\(Int64(sums.sumY % 1_000_000).padded(6))" : "\(sums.sumY)"
        #expect(found == value, "\(key)")
      }
    }
    try checkRows(of: measurement, truth, report)
  }

  /// Of what two feeds tell, the row of either may be the duplicate; a row that names no customer may be of nobody in the test.
  private func checkRows(of measurement: RunMeasurement, _ truth: [String: String], _ report: Report) throws {
    let accounts = measurement.accounts.filter { $0.input == "purchases" }
    var reported: [SetAsideReason: Int] = [:]
    for format in report.formats {
      let rows = accounts.filter { $0.file.hasSuffix("\(format).gz") }.reduce(0) { $0 + $1.rows }
      #expect(String(rows) == truth["rows,,\(format).gz"])
      for reason in SetAsideReason.allCases {
        reported[reason, default: 0] += Int(truth["set_aside,,\(format).gz \(reason.rawValue)"] ?? "") ?? 0
      }
    }
    let found = SetAsideReason.allCases.reduce(into: [SetAsideReason: Int]()) { found, reason in
      found[reason] = accounts.reduce(0) { $0 + ($1.setAside[reason] ?? 0) }
    }
    for reason in SetAsideReason.allCases where reason != .missingField && reason != .unassigned {
      if reason == .duplicate, !report.countsCopies { continue }
      #expect(found[reason] == reported[reason], "\(reason)")
    }
    let nameless: [SetAsideReason] = [.missingField, .unassigned]
    #expect(nameless.reduce(0) { $0 + (found[$1] ?? 0) } == nameless.reduce(0) { $0 + (reported[$1] ?? 0) })
  }

  @Test(
    "are how subscriptions went on and ended, as the app's own log tells it",
    arguments: reports.filter(\.reportsLifecycle).dropFirst())
  func lifecycle(report: Report) async throws {
    let native = try await reported(Self.reports[0]).measurement
    let other = try await reported(report).measurement
    let pairs = zip(try #require(native.offerings.first).groups, try #require(other.offerings.first).groups)
    for (own, group) in pairs {
      let measured = zip(try #require(own.segments.first).metrics, try #require(group.segments.first).metrics)
      for (metric, (left, right)) in zip(Self.figures.map(\.metric) + Self.lifecycle, measured) {
        #expect(left?.statistics == right?.statistics, "\(group.id) \(metric)")
      }
    }
  }
}
