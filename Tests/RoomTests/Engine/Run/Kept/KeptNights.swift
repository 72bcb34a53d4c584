import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// What a night came to.
struct Counted {
  var cutoff: Instant
  /// Every table, row by row.
  var tables: [String]
  var files: [EarlierCount.File]
  var countsNews: Bool
  var warnings: [String]
}

/// A small test whose rows arrive over some nights, late and out of order, with everything that moves a figure later on.
struct KeptNights {
  let folder: TemporaryFolder
  let plan: [Night]
  private let files: [String: String]
  private(set) var job: Job

  struct Night {
    var cutoff: Instant
    var files: Set<String>
    /// What a euro is worth, as is known that night.
    var rates: String
  }

  private static let begin = Instant(milliseconds: 1_767_225_600_000)

  init(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    folder = try TemporaryFolder()
    var files: [String: String] = [:]
    var assigned: [(day: Int, line: String)] = []
    for user in 0..<60 where dice.chance(0.9) {
      for _ in 0...(dice.chance(0.1) ? 1 : 0) {
        let day = dice.below(36)
        let minute = day * 1440 + dice.below(1440)
        assigned.append(
          (day, "u\(user),test,\(dice.pick(["a", "b"])),\(Self.time(minute)),\(dice.pick(["de", "us", ""]))\n"))
      }
    }
    for day in stride(from: 0, to: 36, by: 12) {
      let rows = assigned.filter { (day..<day + 12).contains($0.day) }.map(\.line)
      files["assigned-\(day).csv"] = "user,offering,group,assigned_at,country\n" + rows.joined()
    }
    var logs: [Int: String] = [:]
    for _ in 0..<400 {
      let day = dice.below(40)
      // A log of a day has rows of the day after now and then, and of the day before.
      let minute = max(0, day * 1440 + dice.below(1440) + (dice.chance(0.05) ? dice.pick([-1440, 1440]) : 0))
      let types = [
        "paywall_view", "paywall_view", "trial_start", "purchase", "purchase", "renewal", "refund", "refund", "cancel",
        "uncancel", "billing_retry", "billing_recovery", "expire", "refund_reversal",
      ]
      logs[day / 2, default: ""] += Self.event(
        dice.pick(types), user: dice.below(70), minute: minute, id: dice.below(120), price: 1 + dice.below(9),
        currency: dice.pick(["USD", "USD", "USD", "EUR", "EUR", "EUR", "JPY"]))
    }
    for (day, text) in logs { files["log-\(day).jsonl"] = text }
    self.files = files
    var there = Set(files.keys.filter { _ in dice.chance(0.7) })
    there.insert("assigned-0.csv")
    var (plan, day) = ([Night](), 20 + dice.below(10))
    var rates: [Int: Int] = [:]
    let time = dice.pick([0, 0, 0, 7]) * Int64(3_600_000)
    for _ in 0..<4 {
      // Rates of a day come a day or more later, none at weekends; now and then one is corrected.
      for known in stride(from: (rates.keys.max() ?? -3) + 1, through: day - dice.below(3), by: 1) where known % 7 < 5 {
        rates[known] = 1_050 + dice.below(100)
      }
      if dice.chance(0.3) { rates[dice.below(day)] = 1_200 }
      plan.append(
        Night(
          cutoff: Instant(milliseconds: Self.begin.milliseconds + Int64(day) * Instant.millisecondsPerDay + time),
          files: there, rates: Self.table(rates)))
      day += dice.pick([0, 1, 1, 2, 6])
      let missing = files.keys.filter { !there.contains($0) }.sorted()
      if !missing.isEmpty { there.insert(dice.pick(missing)) }
    }
    self.plan = plan
    try folder.write("job.yml", Self.yaml)
    job = try JobReader.read(folder.path("job.yml"))
  }

  private static let yaml = """
    job: kept
    baseline: a
    max_reject_ratio: 1
    assignments: {path: assigned-*.csv, attributes: [country]}
    purchases: {path: log-*.jsonl, format: events}
    exchange_rates: {path: rates.csv}
    segments: [country]
    outside: true
    metrics:
      - {name: revenue_net, window: 7d, cap: {percentile: 90}, primary: true}
      - {name: revenue_gross, window: none, primary: true, id: gross}
      - {name: revenue_net, window: 3d, id: net, robust: true}
      - {name: paying_conversion, window: 14d, immature: include}
      - {name: refund_rate, window: none}
      - {name: subscription_conversion, window: 10d}
      - {name: trial_to_paid, window: 10d, within: 5d}
      - {name: active_subscription}
      - {name: mrr}
      - {name: retention}
      - {name: recovery_rate, window: none}
      - {name: involuntary_churn, window: none}
    funnels:
      - {name: f, steps: [paywall_view, purchase, renewal], within: 9d}

    """

  /// Writes some words of the job file anew.
  mutating func change(_ words: String, into others: String) throws {
    let text = try String(contentsOfFile: folder.path("job.yml"), encoding: .utf8)
    #expect(text.contains(words))
    try folder.write("job.yml", text.replacing(words, with: others))
    job = try JobReader.read(folder.path("job.yml"))
  }

  private static func table(_ rates: [Int: Int]) -> String {
    rates.keys.sorted().reduce("date,currency,rate\n") { $0 + "\(time($1 * 1440).prefix(10)),EUR,0.\(rates[$1]!)\n" }
  }

  private static func time(_ minute: Int) -> String {
    Instant(milliseconds: begin.milliseconds + Int64(minute) * 60_000).rfc3339
  }

  /// A row of a log; transactions are few, so that users name each other's.
  static func event(
    _ type: String, user: Int, minute: Int, id: Int, price: Int, currency: String = "USD"
  ) -> String {
    let isCharge = ["purchase", "renewal"].contains(type)
    let isPaid = isCharge || type == "refund" && id % 2 == 0
    let money = isPaid ? #","price":"\#(price).99","currency":"\#(currency)""# : ""
    let end = isCharge || type == "trial_start" ? #","expiresDate":"\#(time(minute + (3 + id % 20) * 1440))""# : ""
    return
      #"{"eventId":"\#(type)-\#(id)-\#(minute % 3)","userId":"u\#(user)","eventType":"\#(type)","occurredAt":"\#(time(minute))","productId":"p\#(id % 3)","transactionId":"t\#(id)"\#(money)\#(end)}"#
      + "\n"
  }

  /// Lays a night's files where the job looks for them, and takes others away.
  func bring(_ night: Night) throws {
    let there = night.files
    try folder.write("rates.csv", night.rates)
    for (name, text) in files {
      let path = folder.path(name)
      let stands = FileManager.default.fileExists(atPath: path)
      if there.contains(name), !stands { try folder.write(name, text) }
      if !there.contains(name), stands { try FileManager.default.removeItem(atPath: path) }
    }
  }

  func measure(_ night: Night, since: EarlierCount? = nil, kept: Bool) async throws -> Counted {
    let store = EventStore(folder: folder.url.appending(path: "state"), maxBytes: 1 << 30)
    if kept { store.open() }
    let engine = NativeEngine(
      job: job, cutoff: night.cutoff, threads: 2, since: since, store: kept ? store : nil, followsNights: true)
    let outcome = try await engine.measure()
    await store.finishRun()
    let result = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: night.cutoff, last: nil)
    var tables = outcome.measurement.changes.map { "\($0)" } + outcome.measurement.lateFiles.map { "\($0)" }
    for table in ResultTables.all {
      var bytes: [UInt8] = []
      try table.table(of: result).forEachRow { CSVExporter.appendRow($0, to: &bytes) }
      tables.append(String(decoding: bytes, as: UTF8.self))
    }
    return Counted(
      cutoff: night.cutoff, tables: tables, files: outcome.measurement.accounts.map { EarlierCount.File($0) },
      countsNews: outcome.timings.stages.contains { $0.name == "news" }, warnings: store.takeWarnings())
  }

  /// What is kept of nights.
  func nights() throws -> [URL] {
    let place = folder.url.appending(path: "state/nights")
    return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "night" }
  }
}
