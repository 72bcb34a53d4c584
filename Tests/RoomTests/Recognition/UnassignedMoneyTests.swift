import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("A stranger's money")
struct UnassignedMoneyTests {
  private func at(_ row: Int) -> String { "2026-03-\(10 + row % 18)T10:00:00Z" }

  // MARK: - Amounts and currencies

  @Test(
    "An amount goes with the currency it is in: dollars by a column's name, and what was paid by the column of codes")
  func pairs() throws {
    let header = "id,user_id,at,revenue_usd,proceeds_usd,revenue_local,currency"
    func row(_ row: Int) -> String {
      "t\(row),u\(row),\(at(row)),10.00,7.00,\(row % 3 == 0 ? "8.00,EUR" : "10.00,USD")"
    }
    let dollars = try RecognisedLog(header, row)
    #expect(dollars.column("price") == "revenue_usd" && dollars.input.defaults["currency"] == "USD")
    #expect(dollars.column("currency") == nil)
    let rated = try RecognisedLog(header, row) { $0.rates = $0.purchases[0] }
    #expect(rated.column("price") == "revenue_local" && rated.column("currency") == "currency")
    let euros = try RecognisedLog(header, row) { $0.terms = .init(currency: "EUR", zone: nil) }
    #expect(euros.column("price") == "revenue_local" && euros.column("currency") == "currency")
  }

  @Test("A price beside what was paid in a currency of its own is not in that currency")
  func converted() throws {
    let log = try RecognisedLog("id,userId,purchasedAt,price,priceInPurchasedCurrency,currencyCode") { row in
      "t\(row),u\(row),\(at(row)),10.0,\(row % 3 == 0 ? "8.0,EUR" : "10.0,USD")"
    }
    #expect(log.column("price") == "priceInPurchasedCurrency" && log.column("currency") == "currencyCode")
  }

  @Test(
    "Of two amounts with a currency each the pair that belongs together is taken",
    arguments: [
      (
        "Customer Price,Customer Currency,Developer Proceeds,Currency of Proceeds", "Customer Price",
        "Customer Currency"
      ),
      ("Amount (Buyer Currency),Buyer Currency,Fee,Fee Currency", "Amount (Buyer Currency)", "Buyer Currency"),
    ])
  func belonging(columns: String, price: String, currency: String) throws {
    let log = try RecognisedLog("id,user,date,\(columns)") { "t\($0),u\($0),\(at($0)),8.00,EUR,10.00,USD" }
    #expect(log.column("price") == price && log.column("currency") == currency)
  }

  @Test(
    "A total that is a price with its tax, or less a discount, or times a quantity, is the price, and it is said why")
  func totals() throws {
    let taxed = try RecognisedLog("id,user,date,price,tax,total") { row in
      "t\(row),u\(row),\(at(row)),\(row + 1).00,0.50,\(row + 1).50"
    }
    #expect(taxed.remarks.contains { $0.line == #"price: column "total" (certain: "total" is "price" plus "tax")"# })
    let reduced = try RecognisedLog("id,user,date,price,discount,amount_paid") { row in
      "t\(row),u\(row),\(at(row)),10.00,\(row % 4).00,\(10 - row % 4).00"
    }
    #expect(reduced.column("price") == "amount_paid")
    let lines = try RecognisedLog("id,user,date,unit_price,qty,line_total") { row in
      "t\(row),u\(row),\(at(row)),2.50,\(row % 4 + 1),\(decimal(250 * (row % 4 + 1)))"
    }
    #expect(lines.column("price") == "line_total" && lines.input.mapping.quantity == nil)
  }

  private func decimal(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

  @Test("Two amounts that nothing explains are asked about, and so is a discount without a total")
  func unexplained() throws {
    let header = "id,user,date,price,revenue"
    func row(_ row: Int) -> String { "t\(row),u\(row),\(at(row)),9.99,\(row % 7).49" }
    let asked = try #require(RecognisedLog.question(header, row))
    #expect(asked.contains("--column price=revenue (a 100.7, b 102.7)"), "\(asked)")
    #expect(asked.contains("--column price=price (a 299.7, b 299.7)"), "\(asked)")
    #expect(try RecognisedLog(header, row) { $0.columns["price"] = "price" }.column("price") == "price")
    let discount = try #require(
      RecognisedLog.question("id,user,date,price,discount") { "t\($0),u\($0),\(at($0)),9.99,\($0 % 3).00" })
    #expect(discount.contains("--column price=total (a 269.7, b 269.7). Write "), "\(discount)")
    #expect(discount.contains("[price] - [discount]"), "\(discount)")
    let none = RecognisedLog.question("id,user,date,price,discount") { "t\($0),u\($0),\(at($0)),9.99,0.00" }
    #expect(none == nil)
  }

  // MARK: - Cents

  @Test("Whole amounts are cents by their column's name, and in what Stripe's API gives; no others are taken for them")
  func cents() throws {
    let named = try RecognisedLog("id,user,date,amount_cents,currency") { "t\($0),u\($0),\(at($0)),999,USD" }
    #expect(named.input.mapping.isInMinorUnits)
    let stripe = try RecognisedLog("id,user,created,amount,currency") { "ch_\($0),u\($0),\(at($0)),999,usd" }
    #expect(stripe.input.mapping.isInMinorUnits)
    let spreadsheet = try RecognisedLog("id,user,created,amount,currency") { "ch_\($0),u\($0),\(at($0)),9.99,usd" }
    #expect(!spreadsheet.input.mapping.isInMinorUnits)
  }

  @Test(
    "Whole amounts that may be cents are asked about",
    arguments: [
      ("999", "usd", true), ("1499", "USD", true), ("1250", "USD", true), ("20", "USD", false), ("5", "usd", false),
      ("999", "JPY", false), ("999.0", "USD", true), ("999.00", "USD", false),
    ])
  func doubtfulCents(amount: String, code: String, isAsked: Bool) throws {
    let header = "id,user,date,amount,currency"
    func row(_ row: Int) -> String { "t\(row),u\(row),\(at(row)),\(amount),\(code)" }
    let question = RecognisedLog.question(header, row)
    #expect((question?.contains("--say price_unit=minor") ?? false) == isAsked, "\(question ?? "")")
    for (answer, isMinor) in [("minor", true), ("major", false)] {
      let log = try RecognisedLog(header, row) { $0.terms.answers["price_unit"] = answer }
      #expect(log.input.mapping.isInMinorUnits == isMinor)
    }
  }

  @Test("Millionths are refused with the line that divides them")
  func millionths() {
    let asked = RecognisedLog.question("id,user,date,price_micros") { "t\($0),u\($0),\(at($0)),9990000" }
    #expect(
      asked?.contains("would show 1,000,000 times the money. Divide it:\n    sqlite3 ") ?? false, "\(asked ?? "")")
  }

  // MARK: - Quantities

  @Test(
    "A quantity multiplies a price of one, and no total",
    arguments: [
      ("UnitPrice", false, true), ("order_total", true, false), ("price", false, true), ("price", true, false),
    ])
  func quantities(price: String, grows: Bool, multiplies: Bool) throws {
    let log = try RecognisedLog("id,user,date,sku,Quantity,\(price)") { row in
      let count = row % 4 + 1
      return "t\(row),u\(row),\(at(row)),p\(row % 5),\(count),\(grows ? "\(count).00" : "2.50")"
    }
    #expect(log.input.mapping.quantity == (multiplies ? "Quantity" : nil))
  }

  @Test("A quantity of which the prices show nothing is asked about; one that is 1 throughout is not")
  func doubtfulQuantity() throws {
    let header = "id,user,date,quantity,price"
    let asked = try #require(
      RecognisedLog.question(header) { "t\($0),u\($0),\(at($0)),\($0 % 4 + 1),\($0 % 7).99" })
    #expect(asked.contains("--say quantity=quantity ("), "\(asked)")
    #expect(asked.contains("if it is of all of them, with --say quantity=none ("), "\(asked)")
    #expect(RecognisedLog.question(header) { "t\($0),u\($0),\(at($0)),1,\($0 % 7).99" } == nil)
  }

  // MARK: - Items and copies

  @Test("Rows of an order with other products and prices are items of it")
  func items() throws {
    let header = "order_id,user,date,sku,price"
    let items = try RecognisedLog(header) { "\($0 / 2),u\($0 / 2),\(at($0 / 2)),p\($0 % 2),\($0 % 2 + 4).99" }
    #expect(items.input.mapping.hasItems)
    let copies = try RecognisedLog(header) { "\($0 / 2),u\($0 / 2),\(at($0 / 2)),p,4.99" }
    #expect(!copies.input.mapping.hasItems && copies.column("productId") == "sku")
  }

  @Test(
    "What an order cost in all, written in each of its rows, counts once; a price that is the same in all is asked about"
  )
  func repeatedTotals() throws {
    func row(_ row: Int) -> String { "\(row / 2),u\(row / 2),\(at(row / 2)),p\(row % 2),9.98" }
    let total = try RecognisedLog("order_id,user,date,sku,order_total", row)
    #expect(!total.input.mapping.hasItems)
    #expect(total.columns["productId"] == nil)
    let header = "order_id,user,date,sku,price"
    let asked = try #require(RecognisedLog.question(header, row))
    #expect(asked.contains("--say items=true (a 299.4, b 299.4)"), "\(asked)")
    #expect(asked.contains("if it is what the whole order cost, with --say items=false (a 149.7, b 149.7)"), "\(asked)")
    #expect(try RecognisedLog(header, row) { $0.terms.answers["items"] = "true" }.input.mapping.hasItems)
    #expect(try !RecognisedLog(header, row) { $0.terms.answers["items"] = "false" }.input.mapping.hasItems)
  }

  @Test("Negative amounts of a charge's number are refunds, of quantities too")
  func negatives() throws {
    let plain = try RecognisedLog("order_id,user,date,total") { row in
      "\(row / 2),u\(row / 2),\(at(row)),\(row % 2 == 0 ? "" : "-")9.99"
    }
    #expect(plain.input.mapping.refundsNegatives)
    let returns = try RecognisedLog("order_id,user,date,sku,Quantity,UnitPrice") { row in
      "\(row / 2),u\(row / 2),\(at(row)),p\(row % 20 / 2),\(row % 2 == 0 ? "" : "-")3,2.50"
    }
    #expect(returns.input.mapping.refundsNegatives && returns.input.mapping.quantity == "Quantity")
    #expect(!returns.input.mapping.hasItems)
  }
}
