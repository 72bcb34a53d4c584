import Foundation

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// A small world at random, in several formats, with whatever may befall a row; every line names a user.
struct TracedWorld {
  private var dice: Dice
  private let folder: TemporaryFolder
  static let userCount = 14

  init(seed: UInt64, folder: TemporaryFolder) throws {
    dice = Dice(seed: seed)
    self.folder = folder
    try folder.write("assignments.txt", (0..<30).map { _ in assignment() }.joined())
    try folder.write("identities.csv", "alias,user\n" + (0..<5).map { "a\($0),u\($0)\n" }.joined())
    try folder.write("log.jsonl", (0..<160).map { _ in jsonEvent() + "\n" }.joined())
    try folder.write(
      "log.csv",
      "note,userId,eventType,occurredAt,productId,price,currency,transactionId,expiresDate\n"
        + (0..<80).map { _ in csvEvent() }.joined())
    try folder.write("hooks.jsonl", (0..<60).map { hook($0) + "\n" }.joined())
    try folder.write("rates.csv", "date,currency,rate\n2026-03-01,EUR,1.1\n2026-03-08,EUR,1.3\n")
    try folder.write("job.yml", Self.yaml + "multiple_groups: \(dice.pick(["exclude", "first"]))\n")
  }

  /// One id of each user there is.
  static var users: [String] { (0..<userCount).map { "u\($0)" } + ["a5", "a6"] }

  private static let yaml = #"""
    job: traced
    max_reject_ratio: 1
    assignments:
      path: assignments.txt
      format: mysql
      columns: [user, offering, group, assigned_at, country]
      attributes: [country]
    identities: identities.csv
    purchases:
      - {path: log.jsonl, format: events}
      - {path: log.csv, format: events-csv}
      - {path: hooks.jsonl, format: revenuecat-webhooks}
    exchange_rates: rates.csv
    segments: [country]
    event_types: [scan]
    metrics:
      - {name: revenue_net, window: 7d, cap: {value: 12}}
      - {name: revenue_gross, window: none, covariate: {lookback: 30d}}
      - {name: charges, window: 14d}
      - {name: exposure, window: 3d}
      - {name: paying_conversion, window: 7d, kept: true}
      - {name: refund_rate, window: none}
      - {name: revenue_net_per_payer, window: 7d}
      - {name: event_count, event: scan, window: 7d}
      - {name: active_subscription}
      - {name: retention}

    """#

  // MARK: - Lines

  private mutating func time() -> String {
    String(format: "2026-03-%02dT%02d:00:00Z", 1 + dice.below(20), dice.below(24))
  }

  private mutating func id() -> String {
    let user = dice.below(Self.userCount)
    return dice.chance(0.2) ? "a\(user % 7)" : "u\(user)"
  }

  private mutating func assignment() -> String {
    let time = dice.chance(0.1) ? "soon" : time().replacingOccurrences(of: "T", with: " ").dropLast() + ""
    let country = dice.pick(["DE", "\\N", "a\\\tb", "J\\\nP"])
    return "\(id())\t\(dice.pick(["test", "other"]))\t\(dice.pick(["control", "b"]))\t\(time)\t\(country)\n"
  }

  private mutating func fields() -> [String: String] {
    let type = dice.pick([
      "purchase", "renewal", "renewal", "refund", "refund_reversal", "paywall_view", "cancel", "expire", "scan",
      "nonsense",
    ])
    var fields = ["userId": id(), "eventType": type, "occurredAt": dice.chance(0.05) ? "never" : time()]
    if ["purchase", "renewal"].contains(type) {
      fields["price"] = dice.pick(["9.99", "5", "30", "free"])
      fields["currency"] = dice.pick(["USD", "EUR", "JPY"])
      fields["productId"] = dice.pick(["p", "q"])
    }
    if dice.chance(0.8) { fields["transactionId"] = "t\(dice.below(40))" }
    return fields
  }

  private mutating func jsonEvent() -> String {
    var fields = fields()
    fields["environment"] = dice.chance(0.1) ? "Sandbox" : "Production"
    if dice.chance(0.1) { fields["ownershipType"] = "FAMILY_SHARED" }
    let members = fields.sorted { $0.key < $1.key }.map { name, value in
      let isHidden = name == "userId" && dice.chance(0.3)
      return
        "\"\(name)\":\"\(isHidden ? value.unicodeScalars.map { String(format: "\\u%04x", $0.value) }.joined() : value)\""
    }
    let line = "{\(members.joined(separator: ","))}"
    return dice.chance(0.05) ? "{\"broken by \(fields["userId"] ?? "")\"" : line
  }

  private mutating func csvEvent() -> String {
    let fields = fields()
    let names = ["userId", "eventType", "occurredAt", "productId", "price", "currency", "transactionId", "expiresDate"]
    let note = dice.pick(["", "plain", "\"two\nlines, \"\"quoted\"\"\""])
    let cells = names.map { name in
      let value = fields[name] ?? ""
      return dice.chance(0.2) ? "\"\(value)\"" : value
    }
    let more = dice.chance(0.05) ? ",one,too,many" : ""
    return "\(note),\(cells.joined(separator: ","))\(more)\(dice.chance(0.5) ? "\r" : "")\n"
  }

  private mutating func hook(_ number: Int) -> String {
    let time = 1_772_400_000_000 + dice.below(18) * 86_400_000
    if dice.chance(0.1) {
      // Each of these ids has been one user's all along.
      let user = dice.below(5)
      return
        #"{"event":{"type":"TRANSFER","transferred_from":["a\#(user)"],"transferred_to":["u\#(user)"],"event_timestamp_ms":1772400000000}}"#
    }
    let type = dice.pick(["INITIAL_PURCHASE", "RENEWAL", "CANCELLATION", "EXPIRATION", "BILLING_ISSUE", "TEST"])
    return #"{"event":{"type":"\#(type)","id":"h\#(dice.below(50))","app_user_id":"\#(id())","product_id":"p","#
      + #""purchased_at_ms":\#(time),"event_timestamp_ms":\#(time),"period_type":"NORMAL","store":"APP_STORE","#
      + #""environment":"PRODUCTION","transaction_id":"t\#(dice.below(40))","currency":"USD","#
      + #""price_in_purchased_currency":\#(dice.pick(["9.99", "5", "-5", "null"]))}}"#
  }

  // MARK: - What comes of it

  func measurement() async throws -> RunMeasurement {
    try await World.measure(folder.path("job.yml"), asOf: Self.asOf, threads: 2)
  }

  func trace(_ user: String) async throws -> UserTrace {
    let job = try JobReader.read(folder.path("job.yml"))
    let cutoff = try Instant(Self.asOf, timezone: job.timezone)
    return try await UserTracing(job: job, cutoff: cutoff, threads: 2).trace(Identifier(user))
  }

  private static let asOf = "2026-03-16"
}
