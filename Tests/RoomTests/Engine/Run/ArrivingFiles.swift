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
  var warnings: [String]
}

/// A small test whose rows arrive over some nights, late, out of order and corrected, with everything that moves a figure
/// later on.
struct ArrivingFiles {
  let folder: TemporaryFolder
  let plan: [Night]
  private(set) var job: Job

  struct Night {
    var cutoff: Instant
    /// Texts by name.
    var files: [String: String]
    /// What a euro is worth, as is known that night.
    var rates: String
  }

  static let begin = Instant(milliseconds: 1_767_225_600_000)

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
    var corrected: [String: String] = [:]
    for (name, text) in files.sorted(by: { $0.key < $1.key }) { corrected[name] = Self.moved(text, by: &dice) }
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
    var there = Set(files.keys.sorted().filter { _ in dice.chance(0.7) })
    there.insert("assigned-0.csv")
    // Some begin with the test's first day, whose end in Berlin or Tokyo comes before the end of the day in UTC.
    let isFromFirstDay = dice.chance(0.3)
    var (plan, day) = ([Night](), isFromFirstDay ? 1 : 20 + dice.below(10))
    var rates: [Int: Int] = [:]
    let time = dice.pick([0, 0, 7, -1, -9]) * Int64(3_600_000)
    for number in 0..<4 {
      if number == 2, dice.chance(0.5) { files.merge(corrected) { $1 } }
      // Rates of a day come a day or more later, none at weekends; now and then one is corrected.
      for known in stride(from: (rates.keys.max() ?? -3) + 1, through: day - dice.below(3), by: 1) where known % 7 < 5 {
        rates[known] = 1_050 + dice.below(100)
      }
      if dice.chance(0.3) { rates[dice.below(day)] = 1_200 }
      plan.append(
        Night(
          cutoff: Instant(milliseconds: Self.begin.milliseconds + Int64(day) * Instant.millisecondsPerDay + time),
          files: files.filter { there.contains($0.key) }, rates: Self.table(rates)))
      day += dice.pick([0, 1, 1, 2, 6])
      let missing = files.keys.filter { !there.contains($0) }.sorted()
      if !missing.isEmpty { there.insert(dice.pick(missing)) }
    }
    self.plan = plan
    try folder.write("job.yml", Self.yaml)
    job = try JobReader.read(folder.path("job.yml"))
  }

  private static let yaml = """
    job: arriving
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

  /// Assignments of which some users are in the other group.
  static func moved(_ table: String, by dice: inout Dice) -> String {
    table.split(separator: "\n").map(String.init).map { line in
      guard dice.chance(0.2) else { return line + "\n" }
      let swapped = line.replacing(",test,a,", with: ",test,?,").replacing(",test,b,", with: ",test,a,")
      return swapped.replacing(",test,?,", with: ",test,b,") + "\n"
    }.joined()
  }

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
    try folder.write("rates.csv", night.rates)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    where (name.hasPrefix("log-") || name.hasPrefix("assigned-")) && night.files[name] == nil {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    // A file that was not touched is not read to see so.
    for (name, text) in night.files where (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) != text {
      try folder.write(name, text)
    }
  }

  func measure(_ night: Night, since: EarlierCount? = nil, withState: Bool) async throws -> Counted {
    let store = withState ? EventStore(folder: folder.url.appending(path: "state"), maxBytes: 1 << 30) : nil
    store?.open()
    let engine = NativeEngine(job: job, cutoff: night.cutoff, threads: 2, since: since, store: store)
    let outcome = try await engine.measure()
    store?.finishRun()
    let result = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: night.cutoff, last: nil)
    var tables = outcome.measurement.changes.map { "\($0)" } + outcome.measurement.lateFiles.map { "\($0)" }
    for table in ResultTables.all {
      var bytes: [UInt8] = []
      try table.table(of: result).forEachRow { CSVExporter.appendRow($0, to: &bytes) }
      tables.append(String(decoding: bytes, as: UTF8.self))
    }
    return Counted(
      cutoff: night.cutoff, tables: tables,
      files: outcome.measurement.accounts.map {
        EarlierCount.File(input: $0.input, file: $0.file, bytes: $0.bytes, crc32: $0.crc32)
      },
      warnings: store?.drainWarnings() ?? [])
  }
}
