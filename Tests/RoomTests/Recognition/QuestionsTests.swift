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
    let told = JobDoubts(sample, input, users: nil).sentences
    #expect(told.count == 2, "\(told)")
    #expect(told.contains { $0.contains("write price_unit: minor (599.4)") }, "\(told)")
    #expect(told.contains { $0.contains("write skip_where: {is_void: \"1\"} (44,955)") }, "\(told)")
    input.mapping.isInMinorUnits = true
    input.table.skipped = [SkipRule(column: "is_void", matches: [.text("1")])]
    #expect(JobDoubts(sample, input, users: nil).sentences.isEmpty)
  }
}
