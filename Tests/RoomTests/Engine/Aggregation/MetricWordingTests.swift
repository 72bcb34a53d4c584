import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("How metrics are said")
struct MetricWordingTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How the metrics of a job are said, in its order.
  private func wordings(_ metrics: String...) throws -> [MetricWording] {
    let list = metrics.map { "{\($0)}" }.joined(separator: ", ")
    let job = try read(Self.least.replacing("{name: charges}", with: list))
    let definitions = try job.metrics.map { try #require(MetricCatalog.metric(named: $0.quantile?.of ?? $0.name)) }
    return MetricWording.all(of: job.metrics, definitions)
  }

  private func label(_ metric: String) throws -> String { try #require(try wordings(metric).first).label }

  @Test(
    "A label is the metric's noun and its window",
    arguments: [
      ("name: revenue_net, window: 30d", "Net revenue per user, 30 days"),
      ("name: revenue_net, window: none", "Net revenue per user"),
      ("name: revenue_net", "Net revenue per user"),
      ("name: paying_conversion, window: 1d", "Paying users, 1 day"),
      ("name: paying_conversion, window: 2w, kept: true", "Paying users who kept it, 14 days"),
      ("name: charges, window: 36h", "Charges per user, 36 hours"),
      ("name: exposure, window: 90m", "Users who saw the paywall, 90 minutes"),
      ("name: event_rate, event: sheet_cancelled, window: 7d", "Users with event “sheet cancelled”, 7 days"),
      ("name: event_rate, event: scan, at_least: 3", "Users with 3 or more events “scan”"),
      ("name: event_count, event: scan", "Events “scan” per user"),
      (
        "name: count_ratio, numerator: [purchase, renewal], denominator: tap",
        "Events “purchase” and “renewal” per “tap”"
      ),
      ("name: trial_to_paid", "Trials that turn into paid"),
      ("name: trial_to_paid, within: 16d", "Trials that turn into paid"),
      ("name: trial_to_paid, within: 7d", "Trials that turn into paid within 7 days"),
      ("name: retention", "Subscribers kept past the first renewal"),
      ("name: retention, renewals: 3", "Subscribers kept past 3 renewals"),
      ("name: retention, day: 30", "Subscribers kept for 30 days"),
      ("name: mrr", "Monthly recurring revenue per user"),
      ("name: quantile, of: revenue_net, q: 0.5, zeros: true, window: 7d", "Median net revenue per user, 7 days"),
      ("name: quantile, of: revenue_net, q: 0.9", "90th percentile of net revenue per user with any"),
      ("name: revenue_net, where: {products: [w]}, window: 7d", "Net revenue per user with w, 7 days"),
      (
        "name: charges, where: {kinds: [non_renewing], tiers: [pro]}",
        "Charges per user with non-renewing products and products of tier pro"
      ),
    ])
  func labels(metric: String, expected: String) throws {
    #expect(try label(metric) == expected)
  }

  @Test("A lift is a clause that follows a group's name")
  func clauses() throws {
    let said = try wordings(
      "name: revenue_net", "name: paying_conversion", "name: refund_rate", "name: quantile, of: charges, q: 0.5",
      "name: exposure, where: {products: [\"{}\"]}")
    #expect(said[0].clause(lift: 0.94) == "earns 94 % more per user")
    #expect(said[0].clause(lift: -1.2) == "earns 120 % less per user")
    #expect(said[1].clause(lift: 0.123) == "wins 12 % more paying users")
    #expect(said[1].clause(lift: -0.05) == "wins 5 % fewer paying users")
    #expect(said[2].clause(lift: 0.1) == "has 10 % more of its charges refunded")
    #expect(said[3].clause(lift: 0.1) == "is 10 % higher in median charges per user with any")
    #expect(said[4].clause(lift: 0.1) == "shows the paywall to 10 % more users with {}")
  }

  @Test("Every metric has a label of its own and a place for the lift in both sentences")
  func everyMetric() {
    let wordings = MetricCatalog.all.map { $0.wording(MetricRequest(name: $0.name, id: $0.name, line: 1)) }
    #expect(Set(wordings.map(\.label)).count == wordings.count)
    for wording in wordings {
      #expect(wording.more.ranges(of: "{}").count == 1 && wording.less.ranges(of: "{}").count == 1)
      #expect(wording.more != wording.less)
      #expect(wording.label.first?.isUppercase == true)
    }
  }

  @Test("Metrics that would be called alike carry their ids")
  func alike() throws {
    let said = try wordings(
      "name: revenue_net, window: 30d", "name: revenue_net, window: 30d, id: capped, cap: {value: 500}",
      "name: revenue_net, window: 7d", "name: charges, label: \"Net revenue per user, 7 days\"")
    #expect(
      said.map(\.label) == [
        "Net revenue per user, 30 days (revenue_net_30d)", "Net revenue per user, 30 days (capped)",
        "Net revenue per user, 7 days (revenue_net_7d)", "Net revenue per user, 7 days",
      ])
  }

  @Test("A job's own label is taken as it is, with sentences that go with any")
  func own() throws {
    let wording = try #require(try wordings("name: revenue_net, window: 30d, label: ARPU (month)").first)
    #expect(wording.label == "ARPU (month)")
    #expect(wording.clause(lift: 0.1) == "is 10 % higher in ARPU (month)")
    #expect(wording.clause(lift: -0.1) == "is 10 % lower in ARPU (month)")
  }

  @Test("A label that is no line of printable text, is too long or another's is refused")
  func refused() throws {
    let long = String(repeating: "é", count: 60)
    #expect(try label("name: charges, label: \(long)") == long)
    func problem(_ label: String) -> [String] {
      problems(Self.least.replacing("{name: charges}", with: "{name: charges, label: \(label)}"))
    }
    #expect(problem("\(long)a") == ["line 4: label: 61 characters are too many; write at most 60."])
    for label in ["\"a\\nb\"", "\" \"", "\"\"", "\"a\\tb\"", "\"a\\u202Eb\""] {
      #expect(
        problem(label) == ["line 4: label: write one line of printable text, \"Net revenue per user\" say."], "\(label)"
      )
    }
    let twice = "{name: charges, label: A}, {name: mrr, label: A}"
    #expect(
      problems(Self.least.replacing("{name: charges}", with: twice)) == [
        "line 4: the metric of line 4 has the label \"A\" too; people could not tell them apart."
      ])
  }
}
