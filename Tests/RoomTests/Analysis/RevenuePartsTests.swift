import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What moved the money of groups that sell at different prices, by hand.
@Suite("Parts of revenue")
struct RevenuePartsTests: PriceTestNights {
  /// Four blocks: buyers, charges, gross and refunds of a product in each.
  private func product(_ id: Identifier, _ kind: ProductKind, _ blocks: [(Int, Int, Int128, Int128)])
    -> GroupPayments.Product
  {
    var sums: [Int: Sums] = [:]
    for (block, reported) in blocks.enumerated() {
      var own = Sums()
      (own.buyers, own.charges, own.gross, own.refunds) = reported
      sums[block] = own
    }
    return GroupPayments.Product(id: id, kind: kind, sums: sums)
  }

  private func blocks(_ id: Identifier, _ users: [Int], _ payers: [Int], _ products: [GroupPayments.Product])
    -> GroupMeasurement
  {
    var group = HandMade.group(
      id, users: users.reduce(0, +), HandMade.money(1, paying: 1, of: Int128(users.reduce(0, +))))
    group.tables.payments.blocks = users.indices.map {
      GroupPayments.Block(number: $0, users: users[$0], payers: payers[$0])
    }
    group.tables.payments.products = products
    return group
  }

  private var twoProducts: [GroupMeasurement] {
    [
      blocks(
        "control", [50, 60, 55, 45], [12, 12, 13, 11],
        [
          product(
            "pass", .nonRenewing,
            [
              (6, 7, 69_930_000, 9_990_000), (5, 5, 49_950_000, 0), (7, 9, 89_910_000, 0),
              (4, 4, 39_960_000, 9_990_000),
            ]),
          product(
            "weekly_499", .autoRenewable,
            [(8, 12, 59_880_000, 0), (9, 15, 74_850_000, 4_990_000), (7, 10, 49_900_000, 0), (8, 13, 64_870_000, 0)]),
        ]),
      blocks(
        "dear", [52, 58, 50, 48], [12, 11, 11, 9],
        [
          product(
            "pass", .nonRenewing,
            [(7, 8, 79_920_000, 0), (6, 6, 59_940_000, 9_990_000), (5, 7, 69_930_000, 0), (6, 6, 59_940_000, 0)]),
          product(
            "weekly_599", .autoRenewable,
            [(6, 9, 53_910_000, 5_990_000), (7, 12, 71_880_000, 0), (8, 11, 65_890_000, 0), (5, 7, 41_930_000, 0)]),
        ]),
    ]
  }

  @Test("Parts and their jackknife errors are those of all orders of the factors, written out in NumPy")
  func parts() throws {
    let night = try night(twoProducts)
    func amounts(_ product: Identifier) -> [Double] {
      RevenuePart.allCases.compactMap { part in
        night.revenueParts.first { $0.product == product && $0.part == part }?.amount
      }
    }
    func errors(_ product: Identifier) -> [Double] {
      RevenuePart.allCases.compactMap { part in
        night.revenueParts.first { $0.product == product && $0.part == part }?.standardError
      }
    }
    func expect(_ own: [Double], _ other: [Double], at location: SourceLocation = #_sourceLocation) {
      #expect(own.count == other.count, sourceLocation: location)
      for (a, b) in zip(own, other) { #expect(abs(a - b) < 1e-12, "\(a) \(b)", sourceLocation: location) }
    }
    expect(
      amounts("all"),
      [
        0.08460073260073275, -0.24186568313741724, 0.13212700794945517, 0.21216673144362097, -0.05990516248276518,
        0.04207783882783882,
      ])
    expect(
      errors("all"),
      [
        0.028400454645502265, 0.11432764676681219, 0.10318535472590648, 0.0068096022188681845, 0.048561927494678546,
        0.06542099524653962,
      ])
    expect(
      amounts("pass"),
      [
        0.15460714285714294, -0.12536202612340408, 0.24539221811074094, 0, -0.012537060119205004, 0.04711401098901098,
      ])
    expect(
      amounts("weekly_499 → weekly_599"),
      [
        -0.07000641025641019, -0.11650365701401315, -0.11326521016128577, 0.21216673144362097, -0.04736810236356018,
        -0.005036172161172161,
      ])
    expect(
      errors("weekly_499 → weekly_599"),
      [
        0.2014152544739952, 0.055876419798547045, 0.16852255141135003, 0.0068096022188681845, 0.04314664170860338,
        0.04359918628404394,
      ])
    let whole = try #require(night.revenueParts.first { $0.product == "all" && $0.part == .difference }?.interval)
    #expect(abs(whole.low + 0.005782189354223449) < 1e-10 && abs(whole.high - 0.17498365455568896) < 1e-10)
  }

  @Test("Products add up to all, and parts to the difference")
  func addUp() throws {
    let night = try night(twoProducts)
    for part in RevenuePart.allCases {
      let rows = night.revenueParts.filter { $0.part == part }
      let all = try #require(rows.first { $0.product == "all" }).amount
      #expect(abs(rows.filter { $0.product != "all" }.reduce(0) { $0 + $1.amount } - all) < 1e-12)
    }
    for product in Set(night.revenueParts.map(\.product)) {
      let rows = night.revenueParts.filter { $0.product == product }
      let whole = try #require(rows.first { $0.part == .difference }).amount
      #expect(abs(rows.filter { $0.part != .difference }.reduce(0) { $0 + $1.amount } - whole) < 1e-12)
    }
  }

  // MARK: - Which product stands for which

  private func names(_ own: [GroupPayments.Product], _ others: [GroupPayments.Product]) -> Set<String> {
    let groups = [group("a", users: 1000, own), group("b", users: 1000, others)].map(\.tables.payments)
    return Set(ProductSlots(groups[0], groups[1]).slots.map(\.name.text))
  }

  @Test("A product that only one group sells stands for the other group's of its kind, but for some old clients'")
  func slots() {
    #expect(
      names(
        [bought("w_5", 90, at: 5_000_000), bought("pass", 40, at: 9_000_000)],
        [bought("w_6", 80, at: 6_000_000), bought("w_5", 4, at: 5_000_000), bought("pass", 30, at: 9_000_000)])
        == ["w_5 → w_6", "pass"])
    // Two and two go by price, two and one do not go.
    #expect(
      names(
        [bought("b_week", 90, at: 5_000_000), bought("a_year", 40, at: 40_000_000)],
        [bought("year_2", 80, at: 48_000_000), bought("week_2", 40, at: 6_000_000)])
        == ["b_week → week_2", "a_year → year_2"])
    #expect(
      names(
        [bought("b_week", 90, at: 5_000_000), bought("a_year", 40, at: 40_000_000)],
        [bought("week_2", 40, at: 6_000_000)])
        == ["b_week", "a_year", "week_2"])
    // Another period is another product.
    var month = bought("m", 80, at: 6_000_000)
    month.period = Period("P1M")
    #expect(names([bought("w", 90, at: 5_000_000)], [month]) == ["w", "m"])
  }

  @Test("Beyond twenty products the rest is one, and nothing is lost")
  func manyProducts() throws {
    let own = (0..<400).map { bought("p\($0)".identifier, 2 + $0 % 3, at: 5_000_000 + Int128($0)) }
    let other = (0..<400).map { bought("p\($0)".identifier, 1 + $0 % 5, at: 6_000_000 + Int128($0)) }
    let night = try night([group("control", users: 9000, own), group("new", users: 9000, other)])
    let products = Set(night.revenueParts.map(\.product))
    #expect(products.count == 22 && products.contains("(other)"))
    let whole = night.revenueParts.filter { $0.part == .difference }
    let all = try #require(whole.first { $0.product == "all" }).amount
    let gross = [other, own].map { products in products.reduce(0.0) { $0 + Double($1.all.gross) } / 9000e6 }
    #expect(abs(all - (gross[0] - gross[1])) < 1e-12)
  }
}
