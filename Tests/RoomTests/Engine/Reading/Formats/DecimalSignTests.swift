import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Files that write numbers and times in their own way")
struct DecimalSignTests {
  /// Measures a world whose inputs are written as German programs do.
  private func measure(_ orders: String, log: String = "", rates: String? = nil) async throws -> RunMeasurement {
    let folder = try TemporaryFolder()
    var world = World()
    world.assignments = ["u1;test;control;01.03.2026 09:00"]
    try world.write(to: folder)
    let header = "user;offering;group;assigned_at\n"
    try folder.write("assignments.csv", header + world.assignments.joined(separator: "\n"))
    try folder.write("orders.csv", "userId;occurredAt;productId;price;currency\n\(orders)\n")
    try folder.write("rates.csv", "date;currency;rate\n\(rates ?? "01.03.2026;EUR;1,25")\n")
    try folder.write("products.csv", "product_id;kind;commission_percent;tax_percent\np;auto_renewable;12,5;0\n")
    let german = "decimal: \",\", time_format: \"%d.%m.%Y %H:%M\", timezone: Europe/Berlin"
    let yaml = world.yaml
      .replacingOccurrences(of: "{path: \"assignments*.csv*\"}", with: "{path: assignments.csv, \(german)}")
      .replacingOccurrences(
        of: "{path: \"events*.jsonl*\", format: events}",
        with: "{path: orders.csv, format: events-csv, defaults: {eventType: purchase}, \(german)\(log)}")
    try folder.write(
      "job.yml",
      yaml + """
        products: {path: products.csv, decimal: ","}
        exchange_rates: {path: rates.csv, decimal: ",", time_format: "%d.%m.%Y"}
        """)
    return try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
  }

  @Test("Prices, rates and percentages are read exactly with a comma, times and dates by their format")
  func german() async throws {
    let found = try await measure(
      "u1;02.03.2026 12:00;p;1,99999900000001;USD\nu1;02.03.2026 12:00;p;4;EUR\nu1;3.3.2026 8:05;p;\"10,50\";USD")
    #expect(found.money[0] == 1_999_999 + 5_000_000 + 10_500_000)
    #expect(found.money[2] == 17_499_999 - 2_187_500)
    #expect(found.rejects.isEmpty)
  }

  @Test("A point is then no decimal sign, nor is a separator of thousands, nor a second comma")
  func mixed() async throws {
    let found = try await measure(
      ["7.99", "1.234,50", "1,2,3", "1,", ",5", "1 000,5"].map { "u1;02.03.2026 12:00;p;\"\($0)\";USD" }
        .joined(separator: "\n"))
    #expect(found.rejects.all.map(\.reason) == [SetAsideReason](repeating: .badPrice, count: 6))
    #expect(found.rejects.all[0].detail.contains("decimal: \".\""))
  }

  @Test("Times that are not written so are rejected, and those a clock change repeats, too")
  func times() async throws {
    let found = try await measure("u1;2026-03-02T12:00:00Z;p;1;USD\nu1;29.03.2026 02:30;p;1;USD")
    #expect(found.rejects.all.map(\.reason) == [.badTime, .ambiguousTime])
    #expect(found.rejects.all[0].detail.contains("time_format:"))
  }

  @Test("In JSON a number has a point and a text what the file has")
  func json() throws {
    let folder = try TemporaryFolder()
    let rates = #"{"date":"2026-03-01","currency":"EUR","rate":1.25}"# + "\n"
    try folder.write("rates.jsonl", rates + #"{"date":"2026-03-01","currency":"GBP","rate":"1,5"}"#)
    try folder.write(
      "job.yml",
      """
      job: a
      population: logged
      purchases: {path: x, format: events}
      exchange_rates: {path: rates.jsonl, format: jsonl, decimal: ","}
      metrics: [{name: charges}]
      """)
    let job = try JobReader.read(folder.path("job.yml"))
    let reference = try ReferenceTables(job: job)
    let day = try #require(CivilDate(year: 2026, month: 3, dayOfMonth: 1).day as Int64?)
    for (code, nanos) in [("EUR", 1_250_000_000), ("GBP", 1_500_000_000)] as [(String, Int64)] {
      #expect(reference.rates.nanos(try #require(Currency(Array(code.utf8))), day: day) == nanos)
    }
  }

  @Test(
    "Keys that make no sense are told at the job file",
    arguments: [
      ("format: events, decimal: \";\"", "decimal: \";\" is neither"),
      ("format: events, time_format: \"%d.%m\"", "time_format: \"%d.%m\" must tell the year"),
      ("format: events, time_format: \"%s\", time_unit: seconds", "time_unit: it is of bare numbers"),
      ("format: revenuecat-export, decimal: \",\"", "decimal: format: revenuecat-export has its own way"),
      ("format: app-store-notifications, time_format: \"%s\"", "time_format: format: app-store-notifications has"),
      ("format: events, delimiter: \";\"", "delimiter: only format: csv has it; this is format: jsonl."),
      ("format: events-csv, dialect: {header: true}", "dialect: only format: mysql has it"),
      ("format: events-csv, table: t", "table: only format: sqlite has it"),
      ("format: events-csv, columns: [a, b]", "columns: a list is for format: mysql"),
    ])
  func problems(keys: String, words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "job.yml",
      """
      job: a
      population: logged
      purchases: {path: x, \(keys)}
      metrics: [{name: charges}]
      """)
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(folder.path("job.yml")) }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains("line 3: \(words)") == true, "\(error?.message ?? "read")")
  }
}
