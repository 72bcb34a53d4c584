import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

/// Columns of vendors' exports that are easily taken for others.
@Suite("Columns of vendors' exports")
struct VendorsColumnsTests {
  private func at(_ row: Int) -> String { "2026-03-\(10 + row % 18)T10:00:00Z" }

  @Test("A transaction is known by its own id, and never by that of the first of its chain, whichever comes first")
  func chains() throws {
    for columns in [
      "store_original_transaction_id,store_transaction_id", "store_transaction_id,store_original_transaction_id",
    ] {
      let isFirst = columns.hasPrefix("store_original")
      let log = try RecognisedLog("user_id,at,amount,\(columns)") { row in
        let (own, first) = ("t\(row)", "t\(row / 2 * 2)")
        return "u\(row),\(at(row)),9.99,\(isFirst ? "\(first),\(own)" : "\(own),\(first)")"
      }
      #expect(log.column("transactionId") == "store_transaction_id")
      #expect(log.column("originalTransactionId") == "store_original_transaction_id")
    }
  }

  @Test("The currency of an amount is the one in its own object, as where whoever asked names the amount")
  func currencies() throws {
    let row = { (row: Int) in
      #"{"price":{"value":9.99,"currency":"USD"},"revenue":{"value":\#(row % 7).49,"currency":"EUR"},"id":"t\#(row)","#
        + #""user_id":"u\#(row)","time":"\#(at(row))"}"#
    }
    let revenue = try RecognisedLog("", row) { $0.columns["price"] = "revenue.value" }
    #expect(revenue.column("currency") == "revenue.currency")
    let price = try RecognisedLog("", row) { $0.columns["price"] = "price.value" }
    #expect(price.column("currency") == "price.currency")
  }

  private func event(_ names: [String]) -> (Int) -> String {
    { row in "t\(row),u\(row),\(self.at(row)),\(names[row]),\([0, 2].contains(row) ? "9.99" : "")" }
  }

  @Test("Names of events that are known are types in a file of a few rows, too")
  func types() throws {
    let names = [
      "Subscription Started", "Trial Started", "Trial Converted", "Refund", "Subscription Cancelled", "App Open",
    ]
    let log = try RecognisedLog("id,user_id,at,event,amount", rows: names.count, event(names))
    #expect(
      log.input.mapping.types == [
        "Subscription Started": "purchase", "Trial Started": "trial_start", "Trial Converted": "renewal",
        "Refund": "refund", "Subscription Cancelled": "cancel", "App Open": "ignore",
      ])
  }

  @Test("A type that is known as a charge and has no amount in any row is asked about")
  func unpriced() throws {
    let names = ["TRANSACTION_PROCESSED", "SUBSCRIPTION_STARTED", "TRANSACTION_PROCESSED", "TRIAL_STARTED"]
    let header = "id,user_id,at,event,amount"
    func say(_ types: [String: String]) -> (inout Recognition.Files) -> Void {
      { files in for type in types { files.terms.answers["types.\(type.key)"] = type.value } }
    }
    let money = ["TRANSACTION_PROCESSED": "purchase"]
    let question = try #require(RecognisedLog.question(header, rows: 4, event(names), say(money)))
    #expect(question.contains("--say types.SUBSCRIPTION_STARTED=ignore"), "\(question)")
    let reported = say(money.merging(["SUBSCRIPTION_STARTED": "ignore"]) { $1 })
    let log = try RecognisedLog(header, rows: 4, event(names), reported)
    #expect(log.input.mapping.types["SUBSCRIPTION_STARTED"] == "ignore")
  }

  @Test("A column called kind tells types where it tells renewals from trials, and what it says beside them is asked")
  func kinds() throws {
    let kinds = ["first", "renewal", "trial"]
    func row(_ row: Int) -> String {
      "t\(row),u\(row),\(at(row)),\(kinds[row % 3]),\(row % 3 == 2 ? "" : "9.99")"
    }
    let question = try #require(RecognisedLog.question("id,user_id,at,kind,amount", row))
    #expect(question.contains("types.first=purchase"), "\(question)")
    let log = try RecognisedLog("id,user_id,at,kind,amount", row) { $0.terms.answers["types.first"] = "purchase" }
    #expect(log.input.mapping.types == ["first": "purchase", "trial": "trial_start"])
    let plans = try RecognisedLog("id,user_id,at,kind,amount") {
      "t\($0),u\($0),\(at($0)),\($0 % 2 == 0 ? "gold" : "renewal"),9.99"
    }
    #expect(plans.column("eventType") == nil)
  }

  @Test(
    "Rows of an order behind the first, which alone has its price, are left out by name; other rows without one are not"
  )
  func furtherRows() throws {
    let header = "Name,Email,Paid at,Total,Lineitem sku,Id"
    let log = try RecognisedLog(header) { row in
      let order = row / 3
      let first = row % 3 == 0
      return
        "#\(order),u\(order),\(first ? at(row) : ""),\(first ? "9.99" : ""),s\(row % 3),\(first ? "\(7000 + order * 37)" : "")"
    }
    #expect(log.input.table.skipped == [SkipRule(column: "Total", matches: [.nothing])])
    let free = try RecognisedLog(header) { "#\($0),u\($0),\(at($0)),\($0 % 3 == 0 ? "" : "9.99"),s,\(7000 + $0 * 37)" }
    #expect(free.input.table.skipped.isEmpty)
  }
}
