import Foundation
import Testing

@testable import Domain
@testable import Jobs

@Suite("Job files")
struct JobReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The least a job must say.
  private static let least = """
    job: night
    assignments: {path: a.csv}
    purchases: {path: e.jsonl, format: events}
    metrics: [{name: charges}]
    """

  private func read(_ yaml: String) throws -> Job {
    try folder.write("jobs/job.yml", yaml)
    return try JobReader.read(folder.path("jobs/job.yml"))
  }

  /// The least job with more lines.
  private func job(_ lines: String) throws -> Job { try read(Self.least + "\n" + lines + "\n") }

  /// A job whose one metric is written so.
  private func metric(_ text: String) throws -> MetricRequest {
    try #require(try read(Self.least.replacingOccurrences(of: "{name: charges}", with: text)).metrics.first)
  }

  /// Every problem of a job that is none, each without the file's name in front.
  private func problems(_ yaml: String) -> [String] {
    do {
      _ = try read(yaml)
      return []
    } catch let error as OfferliftError {
      #expect(error.exit == .badJobFile)
      let start = folder.path("jobs/job.yml") + ", "
      return error.message.split(separator: "\n").map { line in
        line.hasPrefix(start) ? String(line.dropFirst(start.count)) : String(line)
      }
    } catch {
      return ["\(error)"]
    }
  }

  private func problems(with lines: String) -> [String] { problems(Self.least + "\n" + lines + "\n") }

  // MARK: - Every key

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
    #expect(job.decideBy == .sequential)
    #expect(job.tuning == 5000)
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
    #expect(job.decideBy == .fixed)
    #expect(job.tuning == 123.5)
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
    #expect(try metric("{name: paying_conversion, kept: true}")[MetricOption.flag("kept")])
    #expect(try metric("{name: event_rate, event: scan}")[MetricOption.eventType("event")] == "scan")
    let ratio = try metric("{name: count_ratio, numerator: a, denominator: b}")
    #expect(["numerator", "denominator"].map { ratio[MetricOption.eventTypes($0)] } == [["a"], ["b"]])
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

  // MARK: - What is wrong

  @Test("Every problem is told at once, with its line, in order")
  func allAtOnce() {
    let found = problems(
      """
      job: a/b
      timezone: Europe/Lundon
      population: asigned
      confidence: 95
      max_reject_rato: 0.5
      assignments: {path: a.csv, atributes: [x]}
      purchases: {path: e.jsonl, format: event}
      metrics:
        - {name: revenue_nett}
        - {name: charges, window: 7 days}
      """)
    #expect(found.map { $0.prefix { $0 != ":" } } == [1, 2, 3, 4, 5, 6, 7, 9, 10].map { "line \($0)" })
    #expect(found[1].contains("did you mean \"Europe/London\"?"))
    #expect(found[2].contains("did you mean \"assigned\"?"))
    #expect(found[4] == "line 5: the job has no key \"max_reject_rato\"; did you mean \"max_reject_ratio\"?")
    #expect(found[5].contains("did you mean \"attributes\"?"))
    #expect(found[6].contains("did you mean \"events\"?"))
    #expect(found[7].contains("did you mean \"revenue_net\"?"))
  }

  @Test(
    "An unknown key names the nearest known one",
    arguments: [
      ("curency: USD", "currency"), ("new_customer_only: true", "new_customers_only"), ("Timezone: UTC", "timezone"),
      ("enrollment: {from: 2026-03-01}", "enrolment"), ("exchange_rate: r.csv", "exchange_rates"),
      ("segmets: []", "segments"), ("deside_by: fixed", "decide_by"), ("offering: [a]", "offerings"),
    ])
  func nearestKey(line: String, key: String) {
    #expect(problems(with: line).map { $0.hasSuffix("did you mean \"\(key)\"?") } == [true])
    #expect(problems(with: line).first?.hasPrefix("line 5: ") == true)
  }

  @Test("A key that is like none names all there are")
  func noNearest() {
    let found = problems(with: "zzzzzzzzzz: 1")
    #expect(found.count == 1)
    #expect(found.first?.contains("known are adjust, assignments, baseline,") == true)
  }

  @Test(
    "A value that makes no sense is told with its key and line",
    arguments: [
      ("timezone: Mars/Olympus", "timezone: "), ("currency: US", "currency: "), ("currency: EURO", "currency: "),
      ("population: everyone", "population: "), ("multiple_groups: last", "multiple_groups: "),
      ("new_customers_only: maybe", "new_customers_only: "), ("confidence: 0", "confidence: "),
      ("confidence: high", "confidence: "), ("decide_by: dice", "decide_by: "), ("tuning: 0", "tuning: "),
      ("lift_interval: exact", "lift_interval: "), ("adjust: bonferroni", "adjust: "),
      ("max_reject_ratio: 2", "max_reject_ratio: "),
      ("max_reject_ratio: -1", "max_reject_ratio: "), ("max_reject_ratio: nan", "max_reject_ratio: "),
      ("on_corrupt: ignore", "on_corrupt: "), ("offerings: {a: b}", "offerings: "),
      ("enrolment: {from: soon}", "from: "),
      ("weights: {one: {a: -1}}", "the weight of a"), ("weights: {one: {a: x}}", "the weight of a"),
      ("weights: {one: 3}", "weights of one must be a mapping"), ("baseline: {one: [a]}", "baseline: "),
      ("prior: {mean: 1}", "sd: "), ("warn_levels: {sandbox: 7}", "the warn level of sandbox"),
      (
        "warn_levels: {duplicates: 0.1}",
        "warn_levels: there is no check \"duplicates\"; did you mean \"duplicate\"?"
      ),
      ("warn_levels: {zzzzzzzzzz: 0.1}", "warn_levels: there is no check \"zzzzzzzzzz\"; known are auth_invalid, "),
      ("warn_levels: {sample_ratio: 0.1}", "warn_levels: the check sample_ratio judges no share"),
      (
        "questions: [{ask: Why, checks: [multiple_group]}]",
        "checks: there is no check \"multiple_group\"; did you mean"
      ),
      ("compare_since: yesterday", "compare_since: "), ("compare_since: 2026-02-30", "compare_since: "),
      ("products: ''", "products: it is empty"), ("identities: {path: ' '}", "path: it is empty"),
      ("catalog: {responses: ''}", "responses: it is empty"),
      ("segments: [country]", "segments: "),
      ("products: {format: csv}", "products needs path:"), ("catalog: {groups: g.csv}", "catalog: "),
      ("catalog: {offerings: o.csv, products: p.csv}", "catalog: "), ("timezone: [UTC]", "timezone: "),
      ("exchange_rates: {path: r.csv, format: xls}", "format: "),
    ])
  func badValues(line: String, start: String) {
    let found = problems(with: line)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("line 5: \(start)") == true, "\(found)")
  }

  @Test(
    "A metric that makes no sense is told with its line",
    arguments: [
      "{name: nothing}", "{window: 7d}", "{name: charges, window: 0d}", "{name: charges, window: -1d}",
      "{name: charges, window: 7}",
      "{name: charges, window: 1y}", "{name: charges, window: 9999999999d}", "{name: charges, goal: up}",
      "{name: charges, cap: {value: x}}",
      "{name: charges, cap: {value: 1.5}}", "{name: revenue_net, cap: {value: 1.1234567}}",
      "{name: charges, cap: {percentile: 0}}",
      "{name: charges, cap: {percentile: 101}}", "{name: paying_conversion, cap: {value: 1}}",
      "{name: charges, where: {}}",
      "{name: charges, where: {kinds: weekly}}", "{name: event_rate}", "{name: count_ratio, numerator: a}",
      "{name: charges, event: a}",
      "{name: charges, kept: true}", "{name: charges, immature: yes}", "{name: charges, segments: [x]}",
      "{name: charges, cap: 5}",
      "{name: charges, primary: perhaps}", "charges", "{name: [charges]}",
    ])
  func badMetrics(text: String) {
    let found = problems(Self.least.replacingOccurrences(of: "{name: charges}", with: text))
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.hasPrefix("line 4: ") }, "\(found)")
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

  @Test("Two metrics of one id are told with both lines")
  func sameID() {
    let found = problems(
      Self.least.replacingOccurrences(of: "[{name: charges}]", with: "\n  - {name: charges}\n  - {name: charges}"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("line 6: the metric of line 5 is called \"charges\" too") == true)
  }

  @Test("What must be there and is not, is asked for", arguments: ["job", "assignments", "purchases", "metrics"])
  func missing(key: String) {
    let lines = Self.least.split(separator: "\n").filter { !$0.hasPrefix(key) }
    let found = problems(lines.joined(separator: "\n"))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("needs \(key):") == true, "\(found)")
  }

  @Test(
    "An input without a file, or a list without inputs, is told and not passed over",
    arguments: [
      ("purchases", "{path: '', format: events}", "path: it is empty"),
      ("assignments", "{path: ''}", "path: it is empty"),
      ("purchases", "[]", "the job needs purchases:"), ("assignments", "[]", "the job needs assignments:"),
    ])
  func emptyInputs(key: String, value: String, start: String) {
    let lines = Self.least.split(separator: "\n").map { $0.hasPrefix("\(key):") ? "\(key): \(value)" : String($0) }
    let found = problems(lines.joined(separator: "\n"))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(": \(start)") == true, "\(found)")
  }

  @Test("population: logged needs no assignments")
  func logged() throws {
    let yaml = Self.least.replacingOccurrences(of: "assignments: {path: a.csv}", with: "population: logged")
    #expect(try read(yaml).assignments.isEmpty)
  }

  @Test(
    "An input that makes no sense is told with its line",
    arguments: [
      "{path: a, format: mysql}", "{path: a, format: mysql, columns: {user: x}}", "{path: a, format: sqlite}",
      "{format: csv}",
      "{path: a, delimiter: ab}", "{path: a, time_unit: days}", "{path: a, timezone: Here}",
      "{path: a, optional: perhaps}",
      "{path: a, columns: {usr: x}}", "{path: a, keys: ids}", "{path: a, keys: catalog}",
      "{path: a, dialect: {quote: x}}",
      "{path: a, dialect: {terminated_by: ''}}", "{path: a, attributes: {x: y}}", "{path: a, colums: {user: x}}",
      "a.csv",
    ])
  func badInputs(text: String) {
    let found = problems(Self.least.replacingOccurrences(of: "{path: a.csv}", with: text))
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.hasPrefix("line 2: ") }, "\(found)")
  }

  @Test(
    "A file that is not YAML, not UTF-8, or empty is a bad job file",
    arguments: ["", "job: [", "\t- x", "a: b: c", "job: x\njob: y", "[]", "just words", "&a [*a]"])
  func notYAML(text: String) throws {
    #expect(!problems(text).isEmpty)
    try folder.write("latin.yml", [0x6a, 0x3a, 0x20, 0xe9])
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(folder.path("latin.yml")) }
    #expect(error?.exit == .badJobFile)
  }

  @Test("A job file that is not there is a missing input")
  func notThere() {
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(folder.path("none.yml")) }
    #expect(error?.exit == .inputMissing)
  }

  @Test("Mutilated job files end in a job or in problems, never in a crash")
  func mutilated() throws {
    let seed: UInt64 = 78
    var dice = Dice(seed: seed)
    let whole = Array(
      (Self.least + "\nsegments: []\nweights: {a: {b: 1}}\nbaseline: {a: b}\ncatalog: {offerings: o}\n").utf8)
    for _ in 0..<300 {
      var text = whole
      for _ in 0...dice.below(4) {
        let place = dice.below(text.count)
        switch dice.below(3) {
        case 0: text[place] = dice.pick(Array("{}[]:,-\n \"'&*!|>%@#".utf8))
        case 1: text.remove(at: place)
        default: text.swapAt(place, dice.below(text.count))
        }
      }
      try folder.write("jobs/m.yml", text)
      do {
        _ = try JobReader.read(folder.path("jobs/m.yml"))
      } catch let error as OfferliftError {
        #expect(error.exit == .badJobFile, "seed \(seed)")
      }
    }
  }
}
