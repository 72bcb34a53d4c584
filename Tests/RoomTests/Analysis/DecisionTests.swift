import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Decisions by comparison, from hand-made sums.
struct DecisionTests {
  private func decision(
    _ control: MetricMeasurement, _ other: MetricMeasurement, users: Int = 5000,
    metric: MeasuredMetric = HandMade.conversion, job: Job = HandMade.job()
  ) throws -> Decision {
    let offering = HandMade.offering(
      HandMade.group("control", users: users, control), HandMade.group("group_a", users: users, other))
    return try HandMade.night(offering, metrics: [metric], job: job).comparison("group_a", metric).decision
  }

  @Test("A clear rise is better, a clear fall worse, a small change inconclusive")
  func clearRiseBetter() throws {
    let control = HandMade.proportion(200, of: 5000)
    #expect(try decision(control, HandMade.proportion(300, of: 5000)) == .better)
    #expect(try decision(control, HandMade.proportion(120, of: 5000)) == .worse)
    #expect(try decision(control, HandMade.proportion(205, of: 5000)) == .inconclusive)
  }

  @Test("Where less is better, a rise is worse")
  func lessBetterRise() throws {
    let refunds = HandMade.metric("refund_rate_7d", .proportion, primary: true, goal: .decrease)
    let (few, many) = (HandMade.proportion(200, of: 5000), HandMade.proportion(300, of: 5000))
    #expect(try decision(few, many, metric: refunds) == .worse)
    #expect(try decision(many, few, metric: refunds) == .better)
  }

  @Test("With fewer than 100 mature users in a group it is too early")
  func fewer100Mature() throws {
    let (control, other) = (HandMade.proportion(20, of: 99), HandMade.proportion(70, of: 99))
    #expect(try decision(control, other, users: 99) == .tooEarly)
    let (control100, other100) = (HandMade.proportion(20, of: 100), HandMade.proportion(70, of: 100))
    #expect(try decision(control100, other100, users: 100) == .better)
  }

  @Test("Users counted before their window has ended do not make a group mature")
  func usersCountedBefore() throws {
    var metric = HandMade.conversion
    metric.request.includesImmature = true
    var (control, other) = (HandMade.proportion(20, of: 150), HandMade.proportion(100, of: 150))
    control.immature = 51
    #expect(try decision(control, other, users: 150, metric: metric) == .tooEarly)
    control.immature = 50
    other.immature = 50
    #expect(try decision(control, other, users: 150, metric: metric) == .better)
  }

  @Test("With an expected cell below five it is too early and the exact p stands in")
  func expectedCellBelow() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 1000, HandMade.proportion(0, of: 1000)),
      HandMade.group("group_a", users: 1000, HandMade.proportion(9, of: 1000)))
    let night = try HandMade.night(offering, metrics: [HandMade.conversion])
    let row = try night.comparison("group_a", HandMade.conversion)
    #expect(row.decision == .tooEarly)
    #expect(row.test == "fisher")
    #expect(row.pValue == row.exactPValue)
    #expect(try #require(row.pValue) < 0.01)
  }

  @Test("Nearly everybody converting is as early as nearly nobody")
  func nearlyEverybodyConverting() throws {
    #expect(
      try decision(HandMade.proportion(4999, of: 5000), HandMade.proportion(4992, of: 5000)) == .tooEarly)
  }

  @Test("The sequential p decides unless the job reads its test once")
  func sequentialPDecides() throws {
    let (control, other) = (HandMade.proportion(200, of: 5000), HandMade.proportion(250, of: 5000))
    #expect(try decision(control, other) == .better)
    #expect(try decision(control, other, job: HandMade.job { $0.decideBy = "sequential" }) == .inconclusive)
  }

  @Test("A failed check of the offering leaves nothing to trust")
  func failedCheckOffering() throws {
    var offering = HandMade.offering(
      HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000)),
      HandMade.group("group_a", users: 5000, HandMade.proportion(300, of: 5000)))
    offering.multipleGroupUsers = 1000
    let night = try HandMade.night(offering, metrics: [HandMade.conversion])
    #expect(night.comparisons.map(\.decision) == [.doNotTrust])
    #expect(night.hasFailedCheck)
  }

  @Test("A failed check of one offering does not touch another")
  func failedCheckOne() throws {
    func offering(_ id: Identifier, broken: Bool) -> OfferingMeasurement {
      var offering = HandMade.offering(
        HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000)),
        HandMade.group("group_a", users: 5000, HandMade.proportion(300, of: 5000)), id: id)
      offering.multipleGroupUsers = broken ? 1000 : 0
      return offering
    }
    let night = try Analysis.analyze(
      measurement: HandMade.measurement(offering("a", broken: true), offering("b", broken: false)),
      metrics: [HandMade.conversion], job: HandMade.job(), asOf: HandMade.asOf)
    #expect(night.comparisons.map(\.decision) == [.doNotTrust, .better])
    #expect(night.verdicts.map(\.decision) == [.doNotTrust, .better])
  }

  @Test("Groups that look alike in one offering are no doubt of another")
  func alikeElsewhere() throws {
    func offering(_ id: Identifier, _ others: [Identifier]) -> OfferingMeasurement {
      let groups =
        [HandMade.group("control", users: 5000, HandMade.proportion(200, of: 5000))]
        + others.map { HandMade.group($0, users: 5000, HandMade.proportion(300, of: 5000)) }
      return OfferingMeasurement(id: id, groups: groups, assignedUsers: groups.count * 5000)
    }
    let night = try Analysis.analyze(
      measurement: HandMade.measurement(offering("a", ["caf\u{e9}", "cafe\u{301}"]), offering("b", ["new"])),
      metrics: [HandMade.conversion], job: HandMade.job(), asOf: HandMade.asOf)
    #expect(night.checks.contains { $0.name == "similar_groups" && $0.status == .fail && $0.offering == "a" })
    #expect(night.verdicts.map(\.decision) == [.doNotTrust, .better])
  }
}
