import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// The checks that look for missing files, mistaken units and single big spenders.
struct LogCheckTests {
  private let noon = Instant(milliseconds: 1_774_958_400_000)  // 2026-03-31T12:00:00Z

  /// - Parameter first: when the first measured user's time began; nil where nobody is measured.
  private func freshness(_ last: Instant?, missing: [Int64] = [], first: Instant? = nil) -> [Check] {
    var measurement = HandMade.measurement(OfferingMeasurement(id: "spring", groups: [], measuredFrom: first))
    measurement.freshness = Freshness(lastEvent: last, daysWithoutEvents: missing)
    let night = CheckedNight(measurement: measurement, job: HandMade.job(), asOf: HandMade.asOf, last: nil)
    return FreshnessCheck().checks(of: night)
  }

  @Test("An event half a day before the cut-off is fresh")
  func eventHalfDay() {
    let checks = freshness(noon)
    #expect(checks.map(\.status) == [.pass, .pass])
    #expect(checks[0].observed == 12)
    #expect(checks[0].message == "The last event is of 2026-03-31T12:00:00Z, 12 hours before the cut-off.")
  }

  @Test("Silence for more than 36 hours before the cut-off warns, 36 hours do not")
  func silenceMore36() {
    let edge = HandMade.asOf.milliseconds - 36 * 3_600_000
    #expect(freshness(Instant(milliseconds: edge))[0].status == .pass)
    #expect(freshness(Instant(milliseconds: edge - 1))[0].status == .warn)
  }

  @Test("Logs without any event warn")
  func logsWithoutEvent() {
    let check = freshness(nil)[0]
    #expect(check.status == .warn)
    #expect(check.observed == nil)
  }

  @Test("A day without any event warns and is named")
  func dayWithoutEvent() {
    let check = freshness(noon, missing: [20_530, 20_531])[1]
    #expect(check.status == .warn)
    #expect(check.observed == 2)
    #expect(check.message.contains("have no event at all: 2026-03-18 and 2026-03-19."))
    let many = freshness(noon, missing: Array(20_500..<20_520))[1]
    #expect(many.message.contains("and 15 more."))
  }

  @Test("A day without any event before anybody was measured is told and warns of nothing")
  func dayBeforeTest() {
    // 20,531 days since 1970 are 2026-03-19, whose first hour is the first measured user's.
    let first = Instant(milliseconds: 20_531 * Instant.millisecondsPerDay + 3_600_000)
    let before = freshness(noon, missing: [20_529, 20_530], first: first)[1]
    #expect(before.status == .pass)
    #expect(before.observed == 0)
    #expect(
      before.message == """
        Every day from the first user's beginning to the cut-off has events. 2 days before anybody was measured have no \
        event at all; nothing of the test is missing by that.
        """)
    let both = freshness(noon, missing: [20_530, 20_531], first: first)[1]
    #expect(both.status == .warn)
    #expect(both.observed == 1)
    #expect(
      both.message.contains(
        "1 day between the first user's beginning and the cut-off has no event at all: 2026-03-19."))
  }

  private func concentration(_ group: GroupMeasurement, job: Job = HandMade.job()) -> [Check] {
    ConcentrationCheck().checks(of: HandMade.checked(HandMade.offering(group), job: job))
  }

  private func prices(_ odd: [PriceMismatch], hasCatalog: Bool) -> [Check] {
    var measurement = HandMade.measurement(OfferingMeasurement(id: "spring", groups: []))
    measurement.oddPrices = odd
    let job = HandMade.job { $0.catalog = hasCatalog ? CatalogInput() : nil }
    return PriceSanityCheck().checks(of: CheckedInputs(measurement: measurement, job: job))
  }

  @Test(
    "A user with more than five per cent of a group's revenue warns, and the share is told",
    arguments: [(49_999_999, Check.Status.pass), (50_000_000, .pass), (50_000_001, .warn)])
  func userMoreFive(
    largest: Int, status: Check.Status
  ) throws {
    var group = HandMade.group("group_a", users: 500, HandMade.proportion(100, of: 500))
    (group.revenue, group.largestUserRevenue) = (1_000_000_000, Int128(largest))
    let check = try #require(concentration(group).first)
    #expect(check.status == status)
    #expect(check.message.hasPrefix("One user makes 5 % of group_a's net revenue (50 of 1,000 USD)."))
  }

  @Test("A group without revenue has nothing to be concentrated")
  func groupWithoutRevenue() {
    #expect(concentration(HandMade.group("control", users: 5, HandMade.proportion(0, of: 5))).isEmpty)
  }

  @Test("The level of concentration is the job's if it has one")
  func levelConcentrationJob() {
    var group = HandMade.group("group_a", users: 500, HandMade.proportion(100, of: 500))
    (group.revenue, group.largestUserRevenue) = (100, 15)
    let job = HandMade.job { $0.warnLevels = ["concentration": 0.2] }
    #expect(concentration(group, job: job).map(\.status) == [.pass])
  }

  @Test("Charges a thousand times the catalog's price are named with one of them")
  func chargesThousandTimes() throws {
    let odd = PriceMismatch(
      product: "weekly_799", catalogPrice: "$7.99", exampleMicros: 7_990_000_000, currency: "USD", charges: 3)
    let check = try #require(prices([odd], hasCatalog: true).first)
    #expect(check.status == .warn)
    #expect(check.observed == 3)
    #expect(
      check.message == """
        3 charges of weekly_799 are a thousand times, or a thousandth of, its catalog price $7.99: 7,990 USD, for \
        one. Is the price in another unit?
        """)
    #expect(
      prices([], hasCatalog: true).map(\.message) == [
        "The catalog tells no price that can be read, so no charge was held against one."
      ])
    #expect(prices([], hasCatalog: true).map(\.status) == [.pass])
    #expect(prices([], hasCatalog: false).isEmpty)
  }

  @Test("A night carries these checks beside the others")
  func nightCarriesThese() throws {
    var group = HandMade.group("group_a", users: 500, HandMade.proportion(100, of: 500))
    (group.revenue, group.largestUserRevenue) = (100, 15)
    var measurement = HandMade.measurement(HandMade.offering(group))
    measurement.freshness.lastEvent = noon
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [HandMade.conversion], job: HandMade.job(), asOf: HandMade.asOf)
    #expect(night.checks(named: "concentration").map(\.status) == [.warn])
    #expect(night.checks(named: "freshness").map(\.status) == [.pass, .pass])
  }
}
