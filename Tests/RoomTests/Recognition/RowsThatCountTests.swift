import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Which rows of a stranger's log are charges")
struct RowsThatCountTests {
  private func at(_ row: Int) -> String { "2026-03-\(10 + row % 18)T10:00:00Z" }

  @Test("Payments that failed are left out by their word, and words that nobody knows are asked about")
  func statuses() throws {
    let header = "id,user,date,total,status"
    func row(_ word: String) -> (Int) -> String {
      { "t\($0),u\($0),\(at($0)),9.99,\($0 % 4 == 0 ? word : "paid")" }
    }
    let failed = try RecognisedLog(header, row("failed"))
    #expect(failed.input.mapping.typeColumn == "status")
    #expect(failed.input.mapping.types == ["failed": "ignore", "paid": "purchase"])
    #expect(failed.input.defaults["eventType"] == nil)
    let asked = try #require(RecognisedLog.question(header, row("in review")))
    #expect(asked.contains("--say 'types.in review=purchase' (a 299.7, b 299.7)"), "\(asked)")
    #expect(asked.contains("--say 'types.in review=ignore' (a 149.85, b 299.7)"), "\(asked)")
    let reported = try RecognisedLog(header, row("in review")) { $0.terms.answers["types.in review"] = "ignore" }
    #expect(reported.input.mapping.types["in review"] == "ignore")
    #expect(try RecognisedLog(header, row("completed")).input.mapping == LogMapping())
  }

  @Test(
    "Rows that were deleted are left out",
    arguments: [
      ("_fivetran_deleted", "true", "false", SkipRule.Match.flag(true)), ("is_deleted", "1", "0", .text("1")),
      ("deleted", "t", "f", .text("t")), ("deleted_at", "2026-03-20T00:00:00Z", "", .anything),
    ])
  func deleted(column: String, yes: String, no: String, match: SkipRule.Match) throws {
    let log = try RecognisedLog("id,user,date,total,\(column)") { row in
      "t\(row),u\(row),\(at(row)),9.99,\(row % 5 == 0 ? yes : no)"
    }
    #expect(log.input.table.skipped == [SkipRule(column: column, matches: [match])])
    #expect(log.column("occurredAt") == "date")
  }

  @Test("A log of a table's changes is refused with the line that writes each row's last state")
  func changes() throws {
    let header = "Op,order_id,user,date,total"
    func row(_ row: Int) -> String {
      "\(row % 6 == 5 ? "D" : "I"),\(row % 6 == 5 ? row - 1 : row),u\(row),\(at(row)),9.99"
    }
    let asked = try #require(RecognisedLog.question(header, row))
    #expect(asked.contains("GROUP BY [order_id]) AND [Op] NOT IN ('D')\" < "), "\(asked)")
    #expect(RecognisedLog.question(header) { "I,\($0),u\($0),\(at($0)),9.99" } == nil)
  }

  @Test(
    "Other people's names of events stand for ours, those without an amount for none, and unknown ones are asked about")
  func types() throws {
    let header = "event_type,id,user,date,revenue"
    let names = ["subscription_started", "subscription_renewed", "subscription_refunded", "app_opened"]
    func row(_ names: [String]) -> (Int) -> String {
      { "\(names[$0 % 4]),t\($0),u\($0),\(at($0)),\($0 % 4 == 3 ? "" : "9.99")" }
    }
    let log = try RecognisedLog(header, row(names))
    #expect(
      log.input.mapping.types == [
        "subscription_started": "purchase", "subscription_renewed": "renewal", "subscription_refunded": "refund",
        "app_opened": "ignore",
      ])
    #expect(log.column("eventType") == "event_type")
    let asked = try #require(RecognisedLog.question(header, row(Array(names.dropFirst()) + ["x"])))
    #expect(asked.contains("app_opened (15 rows with an amount: a 149.85, b 0)"), "\(asked)")
    #expect(asked.contains("--say types.app_opened=purchase"), "\(asked)")
  }

  @Test(
    "An event's own id tells copies apart, under the names that programs give it",
    arguments: ["$insert_id", "uuid", "insert_id", "event_id", "messageId"])
  func eventIDs(name: String) throws {
    let log = try RecognisedLog("\(name),event,user_id,time,price") { row in
      "e\(row / 2),Purchase,u\(row / 2),\(1_772_445_600 + row / 2),9.99"
    }
    #expect(log.columns["eventId"] == name && log.column("userId") == "user_id")
  }

  @Test("Test purchases under other names than the stores', and rows that are not live, are left out")
  func tests() throws {
    let log = try RecognisedLog("id,user,date,total,environment,livemode") { row in
      "t\(row),u\(row),\(at(row)),9.99,\(row % 5 == 0 ? "staging" : "prod"),\(row % 7 == 0 ? "false" : "true")"
    }
    #expect(
      log.input.table.skipped == [
        SkipRule(column: "environment", matches: [.text("staging")]),
        SkipRule(column: "livemode", matches: [.flag(false)]),
      ])
  }

  // MARK: - Times

  @Test("Of a day and an instant the instant is taken, in whatever unit it is counted")
  func instants() throws {
    let log = try RecognisedLog("") { row in
      #"{"event_date":"202603\#(10 + row % 18)","event_timestamp":"\#(1_772_445_600_000_123 + row)","user_id":"u\#(row)","#
        + #""event_value_in_usd":9.99}"#
    }
    #expect(log.column("occurredAt") == "event_timestamp" && log.input.table.timeUnit == .microseconds)
    #expect(log.column("price") == "event_value_in_usd" && log.input.defaults["currency"] == "USD")
  }

  @Test(
    "When a row was changed, carried over or refunded is not when something was bought; two other times are asked about"
  )
  func times() throws {
    let log = try RecognisedLog("id,user,updated_on,settled,refunded_on,total") { row in
      "t\(row),u\(row),2026-05-\(10 + row % 18),\(at(row)),2026-06-\(10 + row % 18),9.99"
    }
    #expect(log.column("occurredAt") == "settled")
    let asked = try #require(
      RecognisedLog.question("id,user,begun,settled,total") { "t\($0),u\($0),2026-02-1\($0 % 9),\(at($0)),9.99" })
    #expect(asked.contains("\"begun\" and \"settled\" are all times"), "\(asked)")
    #expect(asked.contains("--column occurredAt=begun"), "\(asked)")
  }

  @Test("Where nothing shows whether the day or the month comes first, it is asked")
  func dates() throws {
    let header = "id,user,date,total"
    func row(_ row: Int) -> String { "t\(row),u\(row),3/5/2026 8:\(10 + row % 50):00,9.99" }
    let asked = try #require(RecognisedLog.question(header, row))
    #expect(asked.contains("--say dates=day_first or --say dates=month_first"), "\(asked)")
    let reported = try RecognisedLog(header, row) { $0.terms.answers["dates"] = "month_first" }
    #expect(reported.input.table.timeFormat?.text == "%m/%d/%Y %H:%M:%S")
  }

  // MARK: - Nested values

  @Test("Members of objects and JSON in a cell are read by dotted names, two dates of MongoDB apart")
  func nested() throws {
    let mongo = try RecognisedLog("") { row in
      #"{"_id":{"$oid":"\#(1000 + row)"},"user_id":"u\#(row)","created_at":{"$date":"\#(at(row))"},"#
        + #""amount":{"$numberDecimal":"9.99"},"updated_at":{"$date":"2026-06-01T00:00:00Z"}}"#
    }
    #expect(mongo.columns["occurredAt"] == "created_at.$date" && mongo.columns["price"] == "amount.$numberDecimal")
    #expect(mongo.columns["transactionId"] == "_id.$oid")
    let cells = try RecognisedLog("n,payload") { row in
      #"\#(row),"{""user"":""u\#(row)"",""paid_at"":""\#(at(row))"",""price"":{""value"":9.99,""currency"":""EUR""}}""#
    }
    #expect(cells.columns["userId"] == "payload.user" && cells.columns["price"] == "payload.price.value")
    #expect(cells.columns["currency"] == "payload.price.currency")
  }
}
