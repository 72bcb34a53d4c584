import Foundation
import Testing

/// A small price test through the program, its right values by hand.
@Suite("A price test, from its files to its page")
struct PriceTestTests {
  private let binary: Binary

  init() throws { binary = try Binary() }

  /// 400 users a group: 60 of control pay 4.99 a week, 50 of dear 5.99, each twice; 5 of dear's second payments go back.
  /// Every user's id is seen in one group alone.
  private func write(unitCost: String = "", third: Bool = false) throws {
    var assignments = ["user,offering,group,assigned_at"]
    var events: [String] = []
    var groups: [(name: String, payers: Int, product: String, price: String)] = [
      ("control", 60, "weekly_499", "4.99"), ("dear", 50, "weekly_599", "5.99"),
    ]
    if third { groups.append(("dearest", 40, "weekly_799", "7.99")) }
    for group in groups {
      for user in 0..<400 {
        let id = "\(group.name)-\(user)"
        assignments.append("\(id),paywall,\(group.name),2026-03-0\(1 + user % 3)T00:00:00Z")
        guard user < group.payers else { continue }
        for (charge, type) in ["purchase", "renewal"].enumerated() {
          events.append(
            """
            {"userId":"\(id)","eventType":"\(type)","productId":"\(group.product)","price":"\(group.price)",\
            "currency":"USD","transactionId":"\(id)-\(charge)","occurredAt":"2026-03-0\(4 + charge)T10:00:00Z"}
            """)
        }
        guard group.name == "dear", user < 5 else { continue }
        events.append(
          """
          {"userId":"\(id)","eventType":"refund","transactionId":"\(id)-1","occurredAt":"2026-03-06T10:00:00Z"}
          """)
      }
    }
    try binary.write("assignments.csv", assignments.joined(separator: "\n") + "\n")
    try binary.write("events.jsonl", events.joined(separator: "\n") + "\n")
    try binary.write(
      "jobs/job.yml",
      """
      job: prices
      assignments: {path: ../assignments.csv}
      purchases: {path: ../events.jsonl, format: events}
      metrics:
        - {name: revenue_net, window: 14d, primary: true}
      \(unitCost)
      """)
  }

  private func run(_ options: String...) throws -> Binary.Outcome {
    try binary.run(["run", "jobs/job.yml", "--date", "2026-03-31"] + options)
  }

  /// The rows of a table of the night, by column.
  private func rows(_ table: String) throws -> [[String: String]] {
    let lines = try binary.text("reports/prices/latest/\(table).csv").split(separator: "\n")
    let names = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(uniqueKeysWithValues: zip(names, cells))
    }
  }

  private func expect(_ text: String?, _ value: Double, at location: SourceLocation = #_sourceLocation) throws {
    let number = try #require(Double(text ?? ""), sourceLocation: location)
    #expect(abs(number - value) <= 1e-12 * max(1, abs(value)), "\(number) \(value)", sourceLocation: location)
  }

  @Test("The break-even, the payers and the elasticity are those by hand")
  func response() throws {
    try write()
    let outcome = try run()
    #expect(outcome.exit == 0, "\(outcome.errors)")
    let rows = try rows("price_response")
    #expect(rows.map { $0["test_group_id"] } == ["control", "dear"])
    #expect(rows.map { $0["payers"] } == ["60", "50"] && rows.map { $0["users"] } == ["400", "400"])
    try expect(rows[0]["price"], 4.99)
    try expect(rows[1]["price"], 5.99)
    try expect(rows[1]["break_even"], 4.99 / 5.99 - 1)
    try expect(rows[1]["payers_lift"], -1.0 / 6)
    try expect(rows[1]["earned_lift"], 5.0 / 6 * 5.99 / 4.99 - 1)
    try expect(rows[1]["elasticity"], (-10.0 / 55) / (1 / 5.49))
    #expect(rows[1]["state"] == "open")
  }

  @Test("What moved the money is by hand, and adds up to the difference of the metric that leads")
  func parts() throws {
    try write()
    #expect(try run().exit == 0)
    let rows = try rows("revenue_parts")
    let all = Dictionary(
      uniqueKeysWithValues: rows.filter { $0["product_id"] == "all" }.map { ($0["part"] ?? "", $0["amount_per_user"]) })
    // 60/400·2·4.99 against 50/400·2·5.99: the share moves at the mean price, the price at the mean share.
    try expect(all["conversion"] ?? "", -0.025 * 2 * 5.49)
    try expect(all["price"] ?? "", 0.1375 * 2 * 1)
    try expect(all["mix"] ?? "", 0)
    try expect(all["charges"] ?? "", 0)
    try expect(all["refunds"] ?? "", -5 * 5.99 / 400)
    try expect(all["difference"] ?? "", -0.025 * 2 * 5.49 + 0.1375 * 2 - 5 * 5.99 / 400)
    let lead = try self.rows("comparisons").first { $0["metric"] == "revenue_net_14d" && $0["segment"] == "all" }
    try expect(all["difference"] ?? "", try #require(Double(lead?["abs_diff"] ?? "")))
    #expect(Set(rows.map { $0["product_id"] }) == ["all", "weekly_499 → weekly_599"])
    // The jackknife's error of the share's part is near that of two shares, 2·5.49·√(Σ q(1 − q)/400).
    let error = try #require(Double(rows.first { $0["part"] == "conversion" }?["std_error"] ?? ""))
    let expected = 2 * 5.49 * ((0.15 * 0.85 + 0.125 * 0.875) / 400).squareRoot()
    #expect(error > expected / 2 && error < expected * 2, "\(error) \(expected)")
  }

  @Test("The page says it under the call, and unit_cost moves the break-even")
  func page() throws {
    try write()
    #expect(try run().exit == 0)
    let page = try binary.text("reports/prices/latest/report.html").replacing("\u{a0}", with: " ")
    #expect(page.contains("<h2>What does the price do?</h2>"))
    #expect(
      page.contains(
        "dear&#39;s first charges are 20 % higher. They bring less if more than 16.7 % of payers go. Today 17 % fewer pay ("
      ))
    #expect(
      page.contains("per user of dear, +0.28 came of higher prices, −0.27 of fewer payers and −0.07 of more refunds."))
    try write(unitCost: "unit_cost: 2.49")
    #expect(try run().exit == 0)
    let rows = try rows("price_response")
    try expect(rows[1]["margin"], 3.5)
    try expect(rows[1]["break_even"], 2.5 / 3.5 - 1)
  }

  @Test("Three prices have a curve and a best price")
  func threePrices() throws {
    try write(third: true)
    #expect(try run().exit == 0)
    let rows = try rows("price_response")
    // .7485, .7488 and .7990 a user: nothing is shown to earn less.
    #expect(rows.map { $0["best_price"] } == ["7.99", "7.99", "7.99"])
    #expect(rows.map { $0["best_price_low"] } == ["4.99", "4.99", "4.99"])
    #expect(rows.map { $0["demand"] } == ["0.15", "0.125", "0.1"])
    let page = try binary.text("reports/prices/latest/report.html")
    #expect(page.contains("First charges alone settle nothing: renewals count, too, and are left out here."))
  }

  @Test("The tables are the same bytes in memory, on the disk and with a state")
  func sameBytes() throws {
    try write(third: true)
    #expect(try run("--threads", "1").exit == 0)
    let names = ["price_response.csv", "revenue_parts.csv", "report.html"]
    let first = try names.map { try binary.text("reports/prices/latest/\($0)") }
    for options in [["--threads", "3"], ["--memory", "96M"]] {
      let outcome = try binary.run(["run", "jobs/job.yml", "--date", "2026-03-31"] + options)
      #expect(outcome.exit == 0, "\(outcome.errors)")
      #expect(try names.map { try binary.text("reports/prices/latest/\($0)") } == first, "\(options)")
    }
    try write(unitCost: "state: {path: ../kept}", third: true)
    for _ in 0..<2 {
      #expect(try run().exit == 0)
      #expect(try names.map { try binary.text("reports/prices/latest/\($0)") } == first)
    }
  }

  @Test("A unit cost that is none is refused with what to write")
  func badCost() throws {
    try write(unitCost: "unit_cost: much")
    let outcome = try run()
    #expect(outcome.exit == 78 && outcome.errors.contains("unit_cost: \"much\" is not an amount of money from 0."))
  }
}
