import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// The checks of assignments, inputs, metrics and the baseline.
struct CheckTests {
  private let twoGroups = HandMade.offering(
    HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000)),
    HandMade.group("group_a", users: 5000, HandMade.proportion(210, of: 5000)))

  private func check(
    _ name: String, _ offering: OfferingMeasurement, job: Job = HandMade.job()
  ) throws -> Check {
    try #require(
      try HandMade.night(offering, metrics: [HandMade.conversion], job: job).checks(named: name).first)
  }

  @Test(
    "Users in several groups warn from one per cent and fail from ten",
    arguments: [(99, Check.Status.pass), (100, .warn), (999, .warn), (1000, .fail)])
  func usersSeveralGroups(
    users: Int, status: Check.Status
  ) throws {
    var offering = twoGroups
    offering.multipleGroupUsers = users
    #expect(try check("multiple_groups", offering).status == status)
  }

  @Test("A job's own warn level takes the place of the default")
  func jobOwnWarn() throws {
    var offering = twoGroups
    offering.multipleGroupUsers = 200
    let job = HandMade.job { $0.warnLevels = ["multiple_groups": 0.05] }
    #expect(try check("multiple_groups", offering, job: job).status == .pass)
  }

  @Test("Events that name another group are told as a share of those that name one")
  func eventsNameAnother() throws {
    var offering = twoGroups
    (offering.groupMismatches, offering.loggedEvents) = (3, 200)
    let check = try check("group_mismatch", offering)
    #expect(check.status == .warn)
    #expect(check.observed == 0.015)
    #expect(check.message.hasPrefix("3 of 200 events that name a group (1.5 %) name another"))
  }

  @Test("Logs without groups have no mismatch to check")
  func logsWithoutGroups() throws {
    #expect(
      try HandMade.night(twoGroups, metrics: [HandMade.conversion]).checks(named: "group_mismatch").isEmpty)
  }

  @Test("Rows set aside are shares of the purchase rows")
  func rowsSetAside() throws {
    var account = HandMade.account()
    account.outcomes = RowOutcomes(
      used: 78, setAside: [.duplicate: 6, .sandbox: 2, .familyShared: 11, .malformed: 3])
    var measurement = HandMade.measurement(twoGroups)
    measurement.accounts = [account, HandMade.account(input: "assignments", file: "users.csv")]
    measurement.orphanRefunds = 2
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [], job: HandMade.job(), asOf: HandMade.asOf)
    let statuses = Dictionary(night.checks.map { ($0.name + $0.subject, $0.status) }) { first, _ in first }
    #expect(statuses["duplicate"] == .warn)
    #expect(statuses["sandbox"] == .pass)
    #expect(statuses["family_shared"] == .warn)
    #expect(statuses["unassigned"] == .pass)
    #expect(statuses["orphan_refund"] == .warn)
    #expect(statuses["rejectsinput purchases"] == .warn)
    #expect(statuses["rejectsinput assignments"] == .pass)
    #expect(statuses["accounting"] == .pass)
  }

  @Test("Rows that do not add up fail the run and name the file")
  func rowsDoAdd() throws {
    var measurement = HandMade.measurement(twoGroups)
    measurement.accounts[0].outcomes = RowOutcomes(used: 99)
    let error = try #require(throws: OfferliftError.self) {
      try Analysis.analyze(measurement: measurement, metrics: [], job: HandMade.job(), asOf: HandMade.asOf)
    }
    #expect(error.exit == .badData)
    #expect(
      error.message.hasPrefix("data/purchases.jsonl.gz: 100 rows were read, but 99 used and 0 set aside"))
  }

  @Test("A file left out whole is said loudly")
  func fileLeftOut() throws {
    var measurement = HandMade.measurement(twoGroups)
    measurement.accounts[0].outcomes = RowOutcomes(setAside: [.corruptFile: 100])
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [], job: HandMade.job(), asOf: HandMade.asOf)
    #expect(night.checks(named: "corrupt_file").map(\.status) == [.warn])
  }

  @Test("What the engine notices becomes a warning")
  func engineNoticesBecomes() throws {
    var measurement = HandMade.measurement(twoGroups)
    measurement.notices = [Notice(kind: .unknownProduct, offering: nil, count: 2, message: "Two are unknown.")]
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [], job: HandMade.job(), asOf: HandMade.asOf)
    let check = try #require(night.checks(named: "unknown_product").first)
    #expect(check.status == .warn)
    #expect(check.observed == 2)
  }

  @Test("Maturity tells the share of users still waiting, by metric")
  func maturityReportsShare() throws {
    var offering = twoGroups
    offering.groups[1].segments[0].metrics[0]?.immature = 2500
    let check = try check("maturity", offering)
    #expect(check.subject == "metric paying_conversion_7d")
    #expect(check.observed == 0.2)
    #expect(check.status == .pass)
  }

  @Test("Small counts warn with what is needed")
  func smallCountsWarn() throws {
    let few = HandMade.offering(
      HandMade.group("control", users: 50, HandMade.proportion(10, of: 50)),
      HandMade.group("group_a", users: 50, HandMade.proportion(12, of: 50)))
    #expect(try check("small_counts", few).message.contains("50 users whose time is over; 100 are needed"))
    let rare = HandMade.offering(
      HandMade.group("control", users: 5000, HandMade.proportion(2, of: 5000)),
      HandMade.group("group_a", users: 5000, HandMade.proportion(6, of: 5000)))
    #expect(try check("small_counts", rare).observed == 4)
    #expect(try check("small_counts", twoGroups).status == .pass)
  }

  @Test("Few effective events warn: to decide below 30, for intervals below 100")
  func fewEffectiveEvents() throws {
    func check(_ payers: Int128, of users: (Int, Int)) throws -> Check {
      let control = HandMade.money(payers * Int128(users.0 / users.1), paying: 10, of: Int128(users.0))
      let offering = HandMade.offering(
        HandMade.group("control", users: users.0, control),
        HandMade.group("group_a", users: users.1, HandMade.money(payers, paying: 10, of: Int128(users.1))))
      return try #require(HandMade.night(offering, metrics: [HandMade.revenue]).checks(named: "small_counts").first)
    }
    let few = try check(29, of: (1000, 1000))
    #expect(few.status == .warn)
    #expect((few.observed, few.expected) == (29, 30))
    #expect(
      few.message.contains("as few as 29 equal payments; 30 are needed"))
    let rough = try check(99, of: (1000, 1000))
    #expect((rough.observed, rough.expected) == (99, 100))
    #expect(rough.message.hasSuffix("below 100 the interval of its own value is rough."))
    let unequal = try check(99, of: (9000, 1000))
    #expect(unequal.message.contains("of its own value and of its difference from a larger group are rough"))
    #expect(try check(100, of: (9000, 1000)).status == .pass)
  }

  @Test("Users who count once each need no more than a decision does")
  func usersCountOnce() throws {
    let metric = HandMade.metric("default_uptake_30d", .ratio)
    let first = HandMade.conversion
    func uptake(_ y: Int128, _ x: Int128) -> MetricMeasurement {
      MetricMeasurement(statistics: SufficientStatistics(n: 1000, sumY: y, sumYY: y, sumX: x, sumXX: x, sumXY: y))
    }
    func check(_ y: Int128, _ x: Int128) throws -> Check {
      let offering = HandMade.offering(
        HandMade.group("control", users: 1000, HandMade.proportion(500, of: 1000), uptake(90, 200)),
        HandMade.group("group_a", users: 1000, HandMade.proportion(500, of: 1000), uptake(y, x)))
      let checks = try HandMade.night(offering, metrics: [first, metric]).checks(named: "small_counts")
      return try #require(checks.first { $0.subject.contains("default_uptake_30d") })
    }
    #expect(try check(31, 120).status == .pass)
    #expect(try check(29, 120).observed == 29)
    #expect(try check(31, 99).message.contains("the smallest group's denominator is 99; 100 are needed"))
  }

  @Test("A bootstrap of fewer than a hundred payers is not advised")
  func bootstrapFewerHundred() throws {
    var metric = HandMade.revenue
    metric.request.robust = true
    func check(_ payers: Int) throws -> Check {
      func group(_ id: Identifier) -> GroupMeasurement {
        var money = HandMade.money(Int128(payers), paying: 10, of: 1000)
        money.values = [
          ValueCount(y: 0, x: 0, users: 1000 - payers), ValueCount(y: 10_000_000, x: 0, users: payers),
        ]
        return HandMade.group(id, users: 1000, money)
      }
      let night = try HandMade.night(HandMade.offering(group("control"), group("group_a")), metrics: [metric])
      return try #require(night.checks(named: "small_counts").first { $0.subject.hasSuffix("bootstrap") })
    }
    #expect(try check(99).status == .warn)
    #expect(try check(99).message.contains("below 100 the bootstrap's intervals are not advised"))
    #expect(try check(100).status == .pass)
  }

  @Test("What cannot be computed is empty and a check says why")
  func cannotComputedEmpty() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 5000, HandMade.money(2, paying: 10, of: 5000)),
      HandMade.group("group_a", users: 5000, HandMade.money(0, paying: 10, of: 5000)),
      HandMade.group("group_b", users: 5000, HandMade.money(90, paying: 10, of: 5000)))
    let night = try HandMade.night(offering, metrics: [HandMade.revenue])
    let row = try night.comparison("group_a", HandMade.revenue)
    #expect(row.lift == -1)
    #expect(row.liftInterval == nil)
    let check = try #require(night.checks(named: "not_computable").first)
    #expect(check.status == .warn)
    #expect(
      check.message == """
        revenue_net_30d, group_a and group_b: the lift's interval is unbounded: the baseline may be zero.
        """)
  }

  @Test("A metric in which nobody differs has no p-value, and is inconclusive")
  func metricNobodyDiffers() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 500, HandMade.money(500, paying: 1, of: 500)),
      HandMade.group("group_a", users: 500, HandMade.money(500, paying: 1, of: 500)))
    let night = try HandMade.night(offering, metrics: [HandMade.revenue])
    let row = try night.comparison("group_a", HandMade.revenue)
    #expect(row.pValue == nil)
    #expect(row.test == nil)
    #expect(row.decision == .inconclusive)
    #expect(row.notComputable == .noVariation)
  }
}
