import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What to type where a field is missing")
struct MissingColumnTests {
  @Test("The likeliest of the file's names is named, or all are listed")
  func names() {
    func remedy(_ names: [String], filling: String? = nil) -> String {
      MissingColumn.remedy("userId", column: "userId", names: names, filling: filling)
    }
    #expect(remedy(["user_id", "at"]) == "; the file has no userId: say columns: {userId: user_id}")
    #expect(remedy(["appuserid", "at"]) == "; the file has no userId: say columns: {userId: appuserid}")
    #expect(
      remedy(["customer", "at"])
        == "; the file has no userId: if one of its columns (customer, at) is that, say columns: {userId: NAME}")
    #expect(remedy(["userId"]) == "")
    #expect(remedy([]) == "")
    #expect(remedy([], filling: "a: b") == "; defaults: {a: b} fills it in every row that has none")
  }

  @Test("Of very many and very long names a message lists some, and the beginning of each")
  func bounds() {
    let names = (0..<1_000_000).map { "column \($0) \(String(repeating: "é", count: 90))" }
    let listed = MissingColumn.listed(names)
    #expect(listed.utf8.count < 2000)
    #expect(listed.hasSuffix(", and 999,988 more"))
    let error = #expect(throws: OfferliftError.self) {
      try columns(["wanted"], isRequired: true).fields(forHeader: Array(names.prefix(1000)))
    }
    #expect(error.map { $0.message.utf8.count < 3000 } == true)
  }

  /// Why the only row of a log is rejected.
  private func fault(_ format: String, _ text: String, _ keys: String = "") async throws -> String? {
    let folder = try TemporaryFolder()
    let world = World()
    try world.write(to: folder)
    try folder.write("log.txt", text)
    try folder.write(
      "job.yml",
      world.yaml.replacingOccurrences(
        of: "{path: \"events*.jsonl*\", format: events}", with: "{path: log.txt, format: \(format)\(keys)}"))
    let found = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    return found.rejects.all.first.map { "\($0.reason.rawValue): \($0.detail)" }
  }

  @Test("A log that calls a field otherwise in every row is told the name to map")
  func unmapped() async throws {
    let line = #"{"user_id":"u1","eventType":"purchase","occurredAt":"2026-03-02"}"#
    #expect(
      try await fault("events", line)
        == "missing_field: userId is missing; the file has no userId: say columns: {userId: user_id}")
    let header = "userId,eventType,occurredAt,productId,price"
    #expect(
      try await fault("events-csv", "\(header),currency_code\nu1,purchase,2026-03-02,p,1,USD\n")
        == "missing_field: currency is missing; the file has no currency: say columns: {currency: currency_code}, or "
        + "defaults: {currency: USD} fills it in every row that has none")
    #expect(
      try await fault(
        "events-csv", "userId,eventType,occurredAt,productId,amount,currency\nu1,purchase,2026-03-02,p,1,USD\n")
        == "missing_price: price is missing: a charge needs one; the file has no price: if one of its columns (userId, "
        + "eventType, occurredAt, productId, amount, currency) is that, say columns: {price: NAME}")
  }

  @Test("A row that lacks what others have is told what fills it, where anything does")
  func missingInARow() async throws {
    let row = event("purchase", march(2), ["currency": ""])
    let other = event("purchase", march(3))
    #expect(
      try await fault("events", "\(row)\n\(other)")
        == "missing_field: currency is missing; defaults: {currency: USD} fills it in every row that has none")
    #expect(
      try await fault("events", "\(event("purchase", march(2), ["productId": ""]))\n\(other)")
        == "missing_field: productId is missing")
  }

  @Test("A table's rows are told so, too")
  func tables() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.events = [event("purchase", march(2), ["currency": "EUR"]), event("Purchase", march(2))]
    try world.write(to: folder)
    try folder.write("a.jsonl", #"{"user":"u1","offering":"test","group":"control","assignedAt":"2026-03-01"}"# + "\n")
    try folder.write("rates.jsonl", #"{"dates":"2026-03-01","currency":"EUR","rate":"1.1"}"#)
    let yaml = world.yaml.replacingOccurrences(
      of: "{path: \"assignments*.csv*\"}",
      with: "[{path: a.jsonl, format: jsonl}, {path: assignments.csv}]")
    try folder.write("job.yml", yaml + "exchange_rates: {path: rates.jsonl, format: jsonl}\n")
    let found = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    #expect(
      Set(found.rejects.all.map(\.detail)) == [
        "assigned_at is missing; the file has no assigned_at: say columns: {assigned_at: assignedAt}",
        "date, currency or rate is missing; the file has no date: say columns: {date: dates}",
        "no rate of EUR for 2026-03-02 or the 7 days before; exchange_rates: names a table of date, currency, rate (USD "
          + "for 1 EUR)",
        "nothing in the job names the event type \"Purchase\"; add it to event_types:, or say what it is, "
          + "types: {\"Purchase\": purchase}",
      ])
  }
}
