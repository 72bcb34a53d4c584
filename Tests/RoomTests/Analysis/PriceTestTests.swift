import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Price tests by hand: what a price does to the payers, and what moved the money.
@Suite("Price tests")
struct PriceTestTests {
  typealias Sums = GroupPayments.Sums

  /// First charges alone, all at one price.
  private func bought(_ id: Identifier, _ buyers: Int, at price: Int128, kept: Double = 1) -> GroupPayments.Product {
    var sums = Sums()
    (sums.buyers, sums.charges, sums.firsts) = (buyers, buyers, buyers)
    (sums.gross, sums.firstGross) = (Int128(buyers) * price, Int128(buyers) * price)
    sums.firstSquares = Int128(buyers) * price * price
    return GroupPayments.Product(id: id, kind: .autoRenewable, keptShare: kept, sums: [0: sums])
  }

  private func group(_ id: Identifier, users: Int, _ products: [GroupPayments.Product]) -> GroupMeasurement {
    var group = HandMade.group(id, users: users, HandMade.money(1, paying: 1, of: Int128(users)))
    let payers = products.reduce(0) { $0 + $1.all.firsts }
    group.tables.payments.blocks = [GroupPayments.Block(number: 0, users: users, payers: payers)]
    group.tables.payments.products = products
    return group
  }

  /// One product a group, at a price in micros.
  private func sold(_ id: Identifier, _ payers: Int, of users: Int, at price: Int128, kept: Double = 1)
    -> GroupMeasurement
  {
    group(id, users: users, [bought("p_\(id.text)".identifier, payers, at: price, kept: kept)])
  }

  private func night(_ groups: [GroupMeasurement], _ change: (inout Job) -> Void = { _ in }) throws -> NightResult {
    var offering = OfferingMeasurement(id: "spring", groups: groups)
    offering.priceDifference = .charged
    return try HandMade.night(offering, metrics: [HandMade.revenue], job: HandMade.job(change))
  }

  private func row(_ night: NightResult, _ group: Identifier) throws -> PriceResponseRow {
    try #require(night.priceResponse.first { $0.group == group })
  }

  @Test("A rise of 20 % that a tenth fewer pay: the break-even is a sixth, and it is not settled")
  func open() throws {
    let night = try night([
      sold("control", 200, of: 4000, at: 5_000_000), sold("new", 180, of: 4000, at: 6_000_000),
    ])
    let own = try row(night, "control")
    #expect(own.isBaseline && own.price == 5 && own.conversion == 0.05 && own.state == nil && own.breakEven == nil)
    let new = try row(night, "new")
    #expect(new.price == 6 && new.payers == 180 && new.users == 4000)
    #expect(abs(try #require(new.priceChange) - 0.2) < 1e-12)
    #expect(abs(try #require(new.breakEven).change + 1.0 / 6) < 1e-12)
    // Everybody pays one price: it is exact.
    let range = try #require(new.breakEven?.interval)
    #expect(range.high - range.low < 1e-12)
    #expect(abs(try #require(new.payersLift).change + 0.1) < 1e-12)
    #expect(abs(try #require(new.earnedLift).change - 0.08) < 1e-12)
    #expect(new.state == .open)
    // ((180 − 200)/190)/((6 − 5)/5.5), its error from both shares: 4q/(s²P) each.
    let arc = -0.105_263_157_894_736_84 * 5.5
    #expect(abs(try #require(new.elasticity) - arc) < 1e-12)
    #expect(new.best == nil && new.demand == nil)
  }

  @Test("Where all pay one price, the state is where the payers' interval lies against the break-even")
  func states() throws {
    for payers in stride(from: 100, through: 280, by: 4) {
      let night = try night([
        sold("control", 200, of: 4000, at: 5_000_000), sold("new", payers, of: 4000, at: 6_000_000),
      ])
      let new = try row(night, "new")
      let (interval, limit) = (try #require(new.payersLift?.interval), try #require(new.breakEven?.change))
      let expected: PriceResponseRow.State =
        interval.low > limit ? .earnsMore : interval.high < limit ? .earnsLess : .open
      #expect(new.state == expected, "\(payers)")
    }
  }

  @Test("Tax, commission and what a charge costs move the break-even")
  func margins() throws {
    let night = try night([
      sold("control", 200, of: 4000, at: 10_000_000, kept: 0.7), sold("new", 180, of: 4000, at: 12_000_000, kept: 0.7),
    ]) { $0.unitCost = 2 }
    let new = try row(night, "new")
    #expect(abs(try #require(new.margin) - 6.4) < 1e-12)
    #expect(abs(try #require(new.breakEven).change - (5 / 6.4 - 1)) < 1e-12)
    // What loses money on every charge has no break-even.
    let lost = try row(
      try self.night([
        sold("control", 200, of: 4000, at: 1_000_000), sold("new", 180, of: 4000, at: 6_000_000),
      ]) { $0.unitCost = 2 }, "new")
    #expect(lost.breakEven == nil && lost.state == nil && lost.earnedLift == nil)
  }

  @Test("Prices that differ among payers make the break-even uncertain, and less is shown")
  func mixedPrices() throws {
    // Weekly at 2 or 3, yearly at 40 or 48: the mean first price has an error of a tenth.
    func mixed(_ id: Identifier, _ weekly: Int, _ yearly: Int, _ prices: [Int128]) -> GroupMeasurement {
      group(id, users: 4000, [bought("week", weekly, at: prices[0]), bought("year", yearly, at: prices[1])])
    }
    let new = try row(
      try night([
        mixed("control", 150, 50, [2_000_000, 40_000_000]), mixed("new", 185, 55, [2_000_000, 48_000_000]),
      ]), "new")
    let payers = try #require(new.payersLift?.interval)
    let limit = try #require(new.breakEven)
    #expect(payers.low > limit.change)
    #expect(new.state == .open)
    let range = try #require(limit.interval)
    #expect(range.low < limit.change && limit.change < range.high)
    // The mean price by hand: (150·2 + 50·40)/200 and (185·2 + 55·48)/240.
    #expect(abs(limit.change - ((2300.0 / 200) / (3010.0 / 240) - 1)) < 1e-12)
    // Prices that may be the same tell no elasticity.
    #expect(new.elasticity == nil)
  }

  @Test("Too few payers, or a failed check, and nothing is said")
  func thin() throws {
    let few = try row(
      try night([sold("control", 200, of: 4000, at: 5_000_000), sold("new", 29, of: 4000, at: 6_000_000)]), "new")
    #expect(few.state == .tooEarly)
    let night = try night([sold("control", 200, of: 4000, at: 5_000_000), sold("new", 60, of: 4000, at: 6_000_000)])
    #expect(try row(night, "new").state == .earnsLess)
    var offering = OfferingMeasurement(
      id: "spring",
      groups: [sold("control", 200, of: 9000, at: 5_000_000), sold("new", 60, of: 4000, at: 6_000_000)])
    offering.priceDifference = .charged
    let untrusted = try HandMade.night(offering, metrics: [HandMade.revenue])
    #expect(untrusted.verdicts.first?.decision == .doNotTrust)
    #expect(try row(untrusted, "new").state == .doNotTrust)
  }

  @Test("Few payers who have not bought the dear product yet are too few for their mean price")
  func unevenPrices() throws {
    let control = group(
      "control", users: 9000, [bought("week", 380, at: 2_000_000), bought("year", 20, at: 60_000_000)])
    let small = group("new", users: 9000, [bought("week", 60, at: 3_000_000)])
    #expect(try row(try night([control, small]), "new").state == .tooEarly)
  }

  @Test("Groups at one price have no rows")
  func onePrice() throws {
    let offering = OfferingMeasurement(
      id: "spring", groups: [sold("control", 200, of: 4000, at: 5_000_000), sold("new", 60, of: 4000, at: 5_000_000)])
    let night = try HandMade.night(offering, metrics: [HandMade.revenue])
    #expect(night.priceResponse.isEmpty && night.revenueParts.isEmpty)
  }

  @Test("Of three prices the curve falls, and the best has an interval")
  func threePrices() throws {
    let night = try night([
      sold("b_7", 300, of: 9000, at: 7_000_000), sold("control", 420, of: 9000, at: 5_000_000),
      sold("c_9", 310, of: 9000, at: 9_000_000), sold("d_20", 60, of: 9000, at: 20_000_000),
    ])
    let rows = night.priceResponse
    // 300 and 310 of 9,000 rise: both are pooled.
    #expect(rows.map { $0.demand.map { ($0 * 9000).rounded() } } == [305, 420, 305, 60])
    // .2333, .2372, .3050, .1333 a user: 9 is best, and 20 is shown to earn less than it.
    let best = try #require(rows[0].bestRange)
    #expect(rows.allSatisfy { $0.bestPrice == 9 && $0.bestRange == best })
    #expect(best.high == 9 && best.low >= 5)
  }

  @Test("The best price is refused where it is thin, and where demand rises beyond chance")
  func refused() throws {
    let thin = try night([
      sold("a", 300, of: 9000, at: 7_000_000), sold("control", 420, of: 9000, at: 5_000_000),
      sold("d", 20, of: 9000, at: 20_000_000),
    ])
    #expect(thin.priceResponse.allSatisfy { $0.bestRefusal == .tooFewPayers && $0.bestPrice == nil })
    let two = try night([sold("a", 300, of: 9000, at: 7_000_000), sold("control", 420, of: 9000, at: 5_000_000)])
    #expect(two.priceResponse.allSatisfy { $0.best == nil && $0.demand == nil })
    // 5.20 earns 1.44 a user as seen; pooled with 5.00 it is .78, and 7.00's 1.01 would be best.
    let rising = try night([
      sold("a", 2500, of: 9000, at: 5_200_000), sold("control", 200, of: 9000, at: 5_000_000),
      sold("d", 1300, of: 9000, at: 7_000_000),
    ])
    #expect(rising.priceResponse.allSatisfy { $0.bestRefusal == .demandRises })
  }

  // MARK: - What moved the money

  /// Four blocks: buyers, charges, gross and refunds of a product in each.
  private func product(_ id: Identifier, _ kind: ProductKind, _ blocks: [(Int, Int, Int128, Int128)])
    -> GroupPayments.Product
  {
    var sums: [Int: Sums] = [:]
    for (block, told) in blocks.enumerated() {
      var own = Sums()
      (own.buyers, own.charges, own.gross, own.refunds) = told
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

extension String {
  fileprivate var identifier: Identifier { Identifier(self) }
}
