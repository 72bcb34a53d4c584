import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Questions on which money hangs")
struct QuestionsTests {
  private func at(_ row: Int) -> String { "2026-03-\(10 + row % 18)T10:00:00Z" }

  @Test("Readings differ where a group's sum does by more than half a percent, or where a row counts by one alone")
  func material() {
    let money = GroupedMoney(users: ["u", "v", "w"], groups: ["u": "a", "v": "b"])
    func matters(_ one: [Double?], _ other: [Double?]) -> Bool {
      MoneyQuestion(
        finding: "",
        readings: [one, other].map { .init(condition: "", typed: "", job: nil, amounts: $0) }
      ).matters(money)
    }
    #expect(!matters([100, 1000, 5], [100.4, 1000, 5]))
    #expect(matters([100, 1000, 5], [100.6, 1000, 5]))
    #expect(matters([100, 1000, 0], [100, 1000, nil]))
    #expect(money.words([100, 1000, 5]) == "a 100, b 1,000")
    #expect(GroupedMoney(users: ["u"], groups: [:]).words([12.5]) == "12.5")
  }

  @Test("Rows that are marked are asked about with both sums, and the answer is what the job says")
  func marks() throws {
    let header = "id,user,date,total,voided_at"
    func row(_ row: Int) -> String { "t\(row),u\(row),\(at(row)),9.99,\(row % 4 == 0 ? at(row) : "")" }
    let asked = try #require(RecognisedLog.question(header, row))
    #expect(asked.contains("--say rows.voided_at=ignore (a 149.85, b 299.7)"), "\(asked)")
    #expect(asked.contains("--say rows.voided_at=purchase (a 299.7, b 299.7)"), "\(asked)")
    let ignored = try RecognisedLog(header, row) { $0.terms.answers["rows.voided_at"] = "ignore" }
    #expect(ignored.input.table.skipped == [SkipRule(column: "voided_at", matches: [.anything])])
    let counted = try RecognisedLog(header, row) { $0.terms.answers["rows.voided_at"] = "purchase" }
    #expect(counted.input.table.skipped.isEmpty)
  }

  @Test(
    "Columns that mark nothing are not asked about",
    arguments: ["test_name", "return_policy", "cancel_reason", "free_shipping_code", "charged_at", "country"])
  func others(name: String) {
    let asked = RecognisedLog.question("id,user,date,total,\(name)") {
      "t\($0),u\($0),\(at($0)),9.99,\($0 % 2 == 0 ? "x1" : "y2")"
    }
    #expect(asked == nil)
  }

  @Test("A table in the product's own names is read without a question")
  func own() throws {
    let log = try RecognisedLog("transactionId,userId,occurredAt,productId,price,currency") {
      "t\($0),u\($0),\(at($0)),p\($0 % 3),\($0 % 3 + 4).99,USD"
    }
    #expect(log.input.mapping == LogMapping() && log.input.table.skipped.isEmpty)
  }

  @Test("The narrowest unique id is the key where rows of an order have amounts of their own, and copies need none")
  func keys() throws {
    let header = "order_id,payment_id,user,date,amount"
    let parts = try RecognisedLog(header) {
      "\($0 / 2 + 100),p\($0),u\($0 / 2),\(at($0 / 2)),\($0 % 2 == 0 ? "4.99" : "5.00")"
    }
    #expect(parts.column("transactionId") == "payment_id")
    let copies = try RecognisedLog(header) { "\($0 / 2 + 100),p\($0 / 2),u\($0 / 2),\(at($0 / 2)),9.99" }
    #expect(copies.column("transactionId") == "order_id")
    let alike = try #require(RecognisedLog.question(header) { "\($0 / 2 + 100),p\($0),u\($0 / 2),\(at($0 / 2)),9.99" })
    #expect(alike.contains("--column transactionId=payment_id (a 299.7, b 299.7)"), "\(alike)")
    #expect(alike.contains("--column transactionId=order_id (a 149.85, b 149.85)"), "\(alike)")
  }

  @Test("Of a file that a job reads the same is told, with what to write in the job")
  func jobs() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<60).map { "t\($0),u\($0),\(at($0)),999,\($0 % 4 == 0 ? "1" : "0")" }
    let file = try folder.write("o.csv", (["id,user,at,amount,is_void"] + rows).joined(separator: "\n") + "\n")
    let format = try #require(PurchaseCatalog.all.first { $0.name == "events-csv" })
    var input = PurchaseInput(TableInput("purchases", path: "o.csv", format: .csv), format: format)
    input.table.columns = ["userId": "user", "occurredAt": "at", "price": "amount", "transactionId": "id"]
    input.defaults = ["eventType": "purchase", "currency": "USD"]
    let sample = try FileSample(InputFile(path: file.path, displayName: "o.csv"))
    let reported = JobDoubts(sample, input, users: nil).sentences
    #expect(reported.count == 2, "\(reported)")
    #expect(reported.contains { $0.contains("write price_unit: minor (599.4)") }, "\(reported)")
    #expect(reported.contains { $0.contains("write skip_where: {is_void: \"1\"} (44,955)") }, "\(reported)")
    input.mapping.isInMinorUnits = true
    input.table.skipped = [SkipRule(column: "is_void", matches: [.text("1")])]
    #expect(JobDoubts(sample, input, users: nil).sentences.isEmpty)
  }

  /// A sample of a table, and the input by which a job reads it.
  private func table(_ header: String, _ rows: [String], _ name: String = "assignments") throws -> (
    FileSample, TableInput
  ) {
    let folder = try TemporaryFolder()
    let file = try folder.write("t.csv", ([header] + rows).joined(separator: "\n") + "\n")
    let sample = try withExtendedLifetime(folder) { try FileSample(InputFile(path: file.path, displayName: "t.csv")) }
    return (sample, TableInput(name, path: "t.csv", format: .csv))
  }

  @Test(
    "Columns that look swapped are asked about: each test would have one group, or a baseline is called an offering")
  func swapped() throws {
    func doubt(_ cells: (Int) -> (offering: String, group: String)) throws -> String? {
      let rows = (0..<40).map { "u\($0),\(cells($0).offering),\(cells($0).group),\(at($0))" }
      let (sample, input) = try table("user,offering,group,assigned_at", rows)
      return SwappedColumns(sample, input)?.sentence
    }
    let found = try #require(try doubt { ($0 % 2 == 0 ? "long_page" : "short_page", "spring") })
    #expect(found.contains("\"offering\" is the offering (long_page and short_page)"), "\(found)")
    #expect(found.contains("write columns: {offering: group, group: offering}."), "\(found)")
    #expect(try doubt { ($0 % 2 == 0 ? "control" : "new", $0 % 3 == 0 ? "spring" : "summer") } != nil)
    #expect(try doubt { ("spring", $0 % 2 == 0 ? "control" : "new") } == nil)
    #expect(try doubt { ($0 % 3 == 0 ? "spring" : "summer", $0 % 2 == 0 ? "control" : "new") } == nil)
    #expect(try doubt { ($0 % 3 == 0 ? "spring" : "summer", $0 % 2 == 0 ? "x" : "y") } == nil)
  }

  @Test("Times without a zone are asked about where the job's nights end elsewhere than in UTC")
  func zones() throws {
    func doubt(_ time: String, zone: String = "Europe/London", name: String = "assigned_at", reported: Bool = false)
      throws
      -> String?
    {
      let rows = (0..<40).map { "u\($0),\($0 % 2 == 0 ? "a" : "b"),2026-03-\(10 + $0 % 18)\(time)" }
      var (sample, input) = try table("user,group,\(name)", rows)
      input.columns = ["assigned_at": name]
      input.reportsTimezone = reported
      let timezone = try #require(TimeZone(identifier: zone))
      return ZonelessTimes(sample, input, field: "assigned_at", zone: timezone)?.sentence
    }
    let found = try #require(try doubt(" 10:00:00"))
    #expect(
      found.hasPrefix("t.csv: times of \"assigned_at\" tell no zone (2026-03-10 10:00:00) and are read in UTC"),
      "\(found)")
    #expect(
      found.contains("write timezone: Europe/London under assignments:; if they are UTC, write timezone: UTC there."))
    #expect(try doubt("T10:00:00Z") == nil)
    #expect(try doubt("T10:00:00+01:00") == nil)
    #expect(try doubt(" 10:00:00", zone: "GMT") == nil)
    #expect(try doubt(" 10:00:00", name: "assigned_at_utc") == nil)
    #expect(try doubt(" 10:00:00", reported: true) == nil)
  }

  @Test("Whole prices that look like cents are asked about in a log of events, too")
  func centsOfEvents() throws {
    let kinds = ["paywall_view", "purchase"]
    func doubts(_ price: String) throws -> [String] {
      let rows = (0..<60).map { "u\($0),\(kinds[$0 % 2]),\(at($0)),p,\($0 % 2 == 0 ? "" : price),USD,t\($0)" }
      let (sample, table) = try table(
        "userId,eventType,occurredAt,productId,price,currency,transactionId", rows, "purchases")
      let format = try #require(PurchaseCatalog.all.first { $0.name == "events-csv" })
      return JobDoubts(sample, PurchaseInput(table, format: format), users: nil).sentences
    }
    #expect(try doubts("999").contains { $0.contains("write price_unit: minor (299.7)") })
    #expect(try doubts("9.99").isEmpty && doubts("10").isEmpty)
  }
}
