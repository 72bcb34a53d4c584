import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Jobs

@Suite("Job files: what is wrong with them")
struct JobProblemTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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
    "Looks and their spending are refused with what to write",
    arguments: [
      ("decide_by: group_sequential", "decide_by: group_sequential needs to know the end; write plan: {nights: 28}."),
      (
        "decide_by: group_sequential\nplan: {nights: 28}",
        "decide_by: group_sequential needs its looks; write looks: [0.25, 0.5, 0.75, 1]."
      ),
      (
        "plan: {nights: 28}\nlooks: [0.5, 1]",
        "looks: goes with decide_by: group_sequential; write that, or leave looks: out."
      ),
      ("spending: pocock", "spending: goes with decide_by: group_sequential; write that, or leave spending: out."),
      (
        "decide_by: group_sequential\nplan: {nights: 28}\nlooks: [0.5, 1.5]",
        "looks: \"1.5\" is neither a part of the plan nor a date; write [0.25, 0.5, 0.75, 1] or [2026-03-15]."
      ),
      (
        "decide_by: group_sequential\nplan: {nights: 28}\nlooks: [0.5, 2026-03-15]",
        "looks: 2026-03-15 does not come after 0.5; write parts of the plan or dates, in order."
      ),
      (
        "decide_by: group_sequential\nplan: {nights: 28}\nlooks: [0.5]\nspending: obrian",
        "spending: \"obrian\" is no spending; write obrien_fleming, pocock or {hsd: -4}."
      ),
      (
        "decide_by: group_sequential\nplan: {nights: 28}\nlooks: [0.5]\nspending: {hds: -4}",
        "hsd: the spending needs it; write {hsd: -4}."
      ),
    ])
  func looks(lines: String, problem: String) {
    #expect(problems(with: lines).contains { $0.hasSuffix(problem) }, "\(problems(with: lines))")
  }

  @Test("Looks are parts of the plan or dates, its end the last")
  func readLooks() throws {
    let rule = "decide_by: group_sequential\nplan: {nights: 28}\n"
    let shares = try #require(try job(rule + "looks: [0.5, 0.75]\nspending: {hsd: -4}").looks)
    #expect(shares.shares == [0.5, 0.75, 1] && shares.spending == .hwangShihDeCani(gamma: -4))
    let dates = try #require(try job(rule + "looks: [2026-03-08, 2026-03-15]\nspending: pocock").looks)
    #expect(dates.times == [.day(20_520), .day(20_527)] && dates.shares.count == 3 && dates.spending == .pocock)
  }

  @Test("Aliases of aliases are told, wherever they stand, and never written out", arguments: ["{*a29 : 1}", "*a29"])
  func aliases(use: String) throws {
    let lists = (1..<30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
    try folder.write("job.yml", "a0: &a0 [x, x]\n\(lists)b: \(use)\n")
    let error = try #require(throws: OfferliftError.self) { try JobReader.read(folder.path("job.yml")) }
    #expect(error.exit == .badJobFile)
    #expect(error.message.contains("its aliases (*name) stand for more than"))
  }

  @Test("A job may use aliases, also in texts that only look so")
  func usefulAliases() throws {
    let found = problems(
      """
      job: &name test
      notes: "a *name* - *nothing"
      assignments: {path: &log "*.csv"}
      purchases: {path: *log, format: events}
      metrics:
        - {name: revenue_net, window: &week 7d}
        - {name: charges, window: *week}
      """)
    #expect(found.isEmpty, "\(found)")
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

  @Test(
    "A trial's length is the calendar's, as stores write it",
    arguments: [
      ("14d", "\"14d\" is no length of a trial; write P14D."), ("2w", "\"2w\" is no length of a trial; write P14D."),
      ("soon", "\"soon\" is no length of a trial; write P14D, P1W or P1M."), ("P0D", "write P14D, P1W or P1M."),
    ])
  func trial(text: String, message: String) {
    let found = problems(with: "trial: \(text)")
    #expect(found.count == 1 && found.first?.hasSuffix(message) == true, "\(found)")
    #expect(problems(with: "trial: P14D").isEmpty)
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

  @Test("A tab, a key that stands twice and a metric without its mapping are told with their line and what to write")
  func slips() {
    #expect(
      problems("job: x\nmetrics:\n  - {name: charges}\nassignments:\n\tpath: a.csv\n")
        == ["line 5: it begins with a tab, and YAML is indented with spaces alone; write spaces in its place."])
    #expect(
      problems("job: x\ncurrency: EUR\nmetrics: []\ncurrency: USD\n")
        == ["line 2: the key currency stands twice in one mapping, here and further down; keep one."])
    func metrics(_ text: String) -> [String] {
      problems(Self.least.replacingOccurrences(of: "[{name: charges}]", with: text))
    }
    #expect(
      metrics("\n  - paying_conversion\n  - {name: charges}") == [
        "line 5: metrics: \"paying_conversion\" is a name alone; write - {name: paying_conversion, window: 7d}."
      ])
    #expect(metrics("paying_conversion").first?.hasPrefix("line 4: metrics: \"paying_conversion\" is a name") == true)
  }

  @Test("An enrolment that ends before it begins is no job")
  func swappedEnrolment() {
    #expect(
      problems(with: "enrolment: {from: 2026-03-02, to: 2026-03-01}")
        == ["line 5: from: 2026-03-02 is after to: 2026-03-01, so that nobody would be measured; swap the two."])
    #expect(problems(with: "enrolment: {from: 2026-03-01, to: 2026-03-01}").isEmpty)
  }

  @Test("Names of columns for a format that has names of its own are one problem, whatever they are")
  func ownNames() {
    let found = problems(
      Self.least.replacingOccurrences(
        of: "{path: e.jsonl, format: events}",
        with: "{path: e, format: revenuecat-export, columns: {userId: u, price: p}}"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("line 3: columns: the format has names of its own") == true, "\(found)")
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
        let position = dice.below(text.count)
        switch dice.below(3) {
        case 0: text[position] = dice.pick(Array("{}[]:,-\n \"'&*!|>%@#".utf8))
        case 1: text.remove(at: position)
        default: text.swapAt(position, dice.below(text.count))
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

@Suite("Job files: how a stranger's log is mapped")
struct MappingJobTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What is wrong with an input of purchases that has these keys.
  private func problems(ofInput keys: String) -> [String] {
    problems(
      """
      job: x
      population: logged
      purchases: {path: p, format: events, \(keys)}
      metrics: [{name: exposure}]
      """)
  }

  @Test(
    "What contradicts or says nothing is told with what to write",
    arguments: [
      (
        "types: {a: purchase}, types_of: {column: b, c: purchase}",
        "types_of: types: tells the event types, too; keep one"
      ),
      ("columns: {eventType: kind}, types_of: {column: b, c: purchase}", "types_of: columns: {eventType: …} names"),
      ("types_of: {paid: purchase}", "types_of: it needs column:"),
      ("types_of: {column: a}", "types_of: it names no value"),
      ("types: {a: [purchase]}", "types: say which event type \"a\" is, or ignore"),
      ("types: {a: }", "types: say which event type \"a\" is, or ignore"),
      ("price_unit: minors", "did you mean \"minor\"?"), ("negative: refunds", "did you mean \"refund\"?"),
      ("items: perhaps", "items: \"perhaps\" is neither true nor false"),
      ("skip_where: {a: {b: c}}", "skip_where: write {column: value}"), ("skip_where: {a: []}", "skip_where: write"),
      ("skip_were: {a: b}", "did you mean \"skip_where\"?"), ("quantitiy: n", "did you mean \"quantity\"?"),
      ("time_unit: micros", "is none of seconds, milliseconds, microseconds and nanoseconds"),
    ])
  func wrong(keys: String, words: String) {
    let found = problems(ofInput: keys)
    #expect(found.contains { $0.contains(words) }, "\(found)")
  }

  @Test("Formats of stores and servers are mapped by nobody")
  func otherFormats() {
    for format in ["revenuecat-export", "app-store-notifications", "api-log"] {
      let found = problems(
        """
        job: x
        population: logged
        purchases: {path: p, format: \(format), types: {a: purchase}}
        metrics: [{name: exposure}]
        """)
      #expect(found.contains { $0.contains("purchases has no key \"types\"") }, "\(found)")
    }
  }
}
