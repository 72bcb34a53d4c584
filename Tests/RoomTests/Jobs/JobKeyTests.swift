import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Job files: every key")
struct JobKeyTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("What a job does not say has its default")
  func defaults() throws {
    let job = try read(Self.least)
    #expect(job.name == "night")
    #expect(job.timezone == .gmt)
    #expect(job.currency == "USD")
    #expect(job.baseline.group == nil && job.baseline.byOffering.isEmpty)
    #expect(job.population == .assigned)
    #expect(job.multipleGroups == .exclude)
    #expect(!job.newCustomersOnly)
    #expect(job.confidence == 0.95)
    #expect(job.decideBy == nil)
    #expect(job.tuning == 5000)
    #expect(job.unitCost == 0)
    #expect(job.liftInterval == .fieller)
    #expect(job.adjust == .holm)
    #expect(job.maxRejectRatio == 0.01)
    #expect(job.onCorrupt == .fail)
    #expect(job.offerings == nil && job.enrolment == nil && job.weights.isEmpty && job.catalog == nil)
    #expect(job.products == nil && job.exchangeRates == nil && job.segments.isEmpty && job.prior == nil)
    #expect(job.fileChecksum != 0)
    let table = try #require(job.assignments.first)
    #expect(table.format == .csv && table.timezone == .gmt && table.timeUnit == .seconds && !table.isOptional)
    #expect(table.columns.isEmpty && table.columnOrder == nil && table.delimiter == nil && !table.usesCatalogKeys)
    let metric = try #require(job.metrics.first)
    #expect(metric.id == "charges" && metric.windowMilliseconds == nil && !metric.primary && metric.goal == .increase)
    #expect(
      metric.cap == nil && metric.filter.isEmpty && metric.segments == nil && !metric.includesImmature)
  }

  @Test("Every rule a job gives is taken")
  func rules() throws {
    let job = try job(
      """
      timezone: Europe/London
      currency: eur
      baseline: group_a
      population: exposed
      multiple_groups: first
      new_customers_only: true
      confidence: 0.9
      decide_by: fixed
      tuning: 123.5
      unit_cost: 0.75
      lift_interval: log
      adjust: bh
      exact: boschloo
      prior: {mean: 0.1, sd: 0.3}
      max_reject_ratio: 0.5
      on_corrupt: skip
      offerings: [one, two]
      enrolment: {from: 2026-03-01, to: 2026-04-01T12:00:00Z}
      weights: {one: {a: 1, b: 2.5}}
      event_types: [plan_view, nudge]
      trial: P14D
      warn_levels: {sandbox: 0.25}
      products: products.csv
      exchange_rates: {path: rates.csv, format: csv}
      output: out
      """)
    #expect(job.timezone.identifier == "Europe/London")
    #expect(job.currency == "EUR")
    #expect(job.baseline.group == "group_a")
    #expect(job.population == .exposed)
    #expect(job.multipleGroups == .first)
    #expect(job.newCustomersOnly)
    #expect(job.confidence == 0.9)
    #expect(job.decideBy == "fixed")
    #expect(job.tuning == 123.5)
    #expect(job.unitCost == 0.75)
    #expect(job.liftInterval == .log)
    #expect(job.adjust == .bh)
    #expect(job.exact == .boschloo)
    #expect(job.prior?.mean == 0.1 && job.prior?.standardDeviation == 0.3)
    #expect(job.maxRejectRatio == 0.5)
    #expect(job.onCorrupt == .skip)
    #expect(job.offerings == ["one", "two"])
    #expect(job.enrolment?.from?.rfc3339 == "2026-03-01T00:00:00Z")
    #expect(job.enrolment?.to?.rfc3339 == "2026-04-01T12:00:00Z")
    #expect(job.weights == ["one": ["a": 1, "b": 2.5]])
    #expect(job.eventTypes == ["plan_view", "nudge"])
    #expect(job.trial == Period(days: 14))
    #expect(job.warnLevels == ["sandbox": 0.25])
    #expect(job.products?.path == "products.csv" && job.products?.name == "products")
    #expect(job.exchangeRates?.path == "rates.csv")
    #expect(job.output?.path == folder.path("jobs/out"))
  }

  @Test("A baseline may be one group, or a group by offering")
  func baselines() throws {
    #expect(try job("baseline: {one: a, two: b}").baseline.byOffering == ["one": "a", "two": "b"])
  }

  @Test("Every key of an input is taken")
  func inputs() throws {
    let job = try read(
      """
      job: night
      segments: [country]
      assignments:
        - path: a-*.csv.gz
          format: csv
          keys: names
          columns: {user: uid, offering: off, group: grp, assigned_at: at}
          attributes: [country, platform]
          delimiter: "\\t"
          timezone: America/New_York
          time_unit: ms
          optional: true
        - {path: b, format: mysql, columns: [user, offering, group, assigned_at], dialect: {terminated_by: ",", enclosed_by: '"', optionally: true, escaped_by: "^", header: true}}
        - {path: c.jsonl, format: jsonl}
        - {path: d.sqlite, format: sqlite, table: users}
        - {path: e.sqlite, format: sqlite, query: "SELECT 1"}
      purchases:
        - {path: e.jsonl, format: events}
        - path: o.csv
          format: events-csv
          columns: {userId: customer, price: total}
          defaults: {eventType: purchase, currency: USD}
      metrics: [{name: charges}]
      """)
    #expect(job.assignments.map(\.format) == [.csv, .mysql, .jsonl, .sqlite, .sqlite])
    let first = job.assignments[0]
    #expect(first.columns == ["user": "uid", "offering": "off", "group": "grp", "assigned_at": "at"])
    #expect(first.attributes == ["country", "platform"])
    #expect(first.delimiter == 9 && first.timeUnit == .milliseconds && first.isOptional)
    #expect(first.timezone.identifier == "America/New_York")
    let dialect = job.assignments[1].dialect
    #expect(job.assignments[1].columnOrder == ["user", "offering", "group", "assigned_at"])
    #expect(dialect.terminatedBy == [44] && dialect.enclosedBy == 34 && dialect.escapedBy == 94)
    #expect(dialect.isOptional && dialect.hasHeader)
    #expect(job.assignments[3].table == "users")
    #expect(job.assignments[4].query == "SELECT 1")
    #expect(job.purchases.map(\.format) == [.events, .eventsCSV])
    #expect(job.purchases[1].table.columns == ["userId": "customer", "price": "total"])
    #expect(job.purchases[1].defaults == ["eventType": "purchase", "currency": "USD"])
  }

  @Test("A catalog is four tables, and row ids may be looked up in it")
  func catalog() throws {
    let job = try read(
      """
      job: night
      catalog: {offerings: o.csv, groups: {path: g.jsonl, format: jsonl}, products: p.csv, copy: c.csv}
      assignments: {path: a.csv, keys: catalog}
      purchases: {path: e.jsonl, format: events}
      metrics: [{name: charges}]
      """)
    #expect(job.catalog?.offerings?.path == "o.csv")
    #expect(job.catalog?.groups?.format == .jsonl)
    #expect(job.catalog?.groups?.name == "catalog.groups")
    #expect(job.catalog?.products?.path == "p.csv")
    #expect(job.catalog?.copy?.path == "c.csv")
    #expect(job.assignments[0].usesCatalogKeys)
  }

  @Test("Every key of a metric is taken")
  func metrics() throws {
    let all = try metric(
      "{name: revenue_net, window: 30d, id: money, primary: true, goal: decrease, cap: {percentile: 99.9}, "
        + "immature: include, segments: [], where: {products: [a, b], kinds: [consumable], tiers: gold}}")
    #expect(all.name == "revenue_net" && all.id == "money" && all.primary && all.goal == .decrease)
    #expect(all.windowMilliseconds == 2_592_000_000)
    #expect(all.windowDays == 30)
    #expect(all.cap == .percentile(numerator: 99_900_000, denominator: 100_000_000))
    #expect(all.includesImmature && all.segments == [])
    #expect(all.filter.products == ["a", "b"] && all.filter.kinds == [.consumable] && all.filter.tiers == ["gold"])
    #expect(try metric("{name: paying_conversion, kept: true}")[MetricOption.flag("kept", "")])
    #expect(try metric("{name: event_rate, event: scan}")[MetricOption.eventType("event", "")] == "scan")
    let ratio = try metric("{name: count_ratio, numerator: a, denominator: b}")
    #expect(["numerator", "denominator"].map { ratio[MetricOption.eventTypes($0, "")] } == [["a"], ["b"]])
    #expect(ratio.eventTypes == ["a", "b"])
    #expect(try metric("{name: revenue_net, cap: {value: 500.25}}").cap == .value(500_250_000))
    #expect(try metric("{name: charges, cap: {value: 3}}").cap == .value(3))
  }

  @Test(
    "A metric's id is its name and its window as typed",
    arguments: [
      ("7d", "charges_7d", 7.0), ("36h", "charges_36h", 1.5), ("2w", "charges_2w", 14), ("90m", "charges_90m", 0.0625),
    ])
  func windows(text: String, id: String, days: Double) throws {
    let found = try metric("{name: charges, window: \(text)}")
    #expect(found.id == id && found.windowDays == days)
  }

  @Test("window: none has no end")
  func noWindow() throws {
    let found = try metric("{name: charges, window: none}")
    #expect(found.id == "charges_none" && found.windowMilliseconds == nil)
  }

  @Test("Every key of how a metric is judged is taken")
  func methods() throws {
    let found = try metric(
      "{name: revenue_net, covariate: {lookback: 30d}, robust: true, guardrail: true, margin: 0.02}")
    #expect(found.covariateMilliseconds == 2_592_000_000)
    #expect(found.robust && found.guardrail && found.margin == 0.02)
    let quantile = try metric("{name: quantile, of: charges, q: 0.9, zeros: true}").quantile
    #expect(quantile == MetricRequest.Quantile(of: "charges", q: 0.9, includesZeros: true))
  }

  @Test("population: logged needs no assignments")
  func logged() throws {
    let yaml = Self.least.replacingOccurrences(of: "assignments: {path: a.csv}", with: "population: logged")
    #expect(try read(yaml).assignments.isEmpty)
  }
}
