import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Price tests by hand: what a price does to the payers.
@Suite("Price tests")
struct PriceTestTests: PriceTestNights {
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
      sold("control", 200, of: 4000, at: 10_000_000, retained: 0.7),
      sold("new", 180, of: 4000, at: 12_000_000, retained: 0.7),
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
}
