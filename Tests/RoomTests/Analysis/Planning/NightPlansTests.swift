import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("What a night plans")
struct NightPlansTests {
  /// 3,000 users in each of two groups, 300 a day.
  private func offering(_ control: MetricMeasurement..., pricesDiffer: Bool = false) -> OfferingMeasurement {
    let groups = ["control", "group_a"].map { id in
      let everybody = SegmentMeasurement(id: "all", users: 3000, metrics: control)
      return GroupMeasurement(
        id: Identifier(id), assignedUsers: 3000, measuredUsers: 3000, segments: [everybody])
    }
    let first = HandMade.asOf.milliseconds - 20 * Instant.millisecondsPerDay
    var offering = OfferingMeasurement(id: "spring", groups: groups, assignedUsers: 6000)
    offering.measuredFrom = Instant(milliseconds: first)
    offering.priceDifference = pricesDiffer ? .displayed : nil
    return offering
  }

  private let conversion = HandMade.proportion(90, of: 3000)
  private let revenue = HandMade.money(90, paying: 8, of: 3000)

  private func plans(
    _ offering: OfferingMeasurement, _ metrics: [MeasuredMetric], _ change: (inout Job) -> Void = { _ in }
  ) throws -> [PlanRow] {
    try HandMade.night(offering, metrics: metrics, job: HandMade.job(change)).plans
  }

  @Test("A verdict's metric is planned as power plans it: a share of 3 % takes 2 × 53,210 users to show 10 %")
  func figures() throws {
    let row = try #require(try plans(offering(conversion), [HandMade.conversion]).first)
    #expect(row.offering == "spring" && row.metric == "paying_conversion_7d")
    #expect(row.lift == 0.1 && row.usersNow == 6000 && row.usersPerDay == 300)
    #expect(row.usersNeeded == 106_418)
    #expect(row.nightsMore == 335 && !row.enrolmentEndsBefore)
    let detectable = try #require(row.detectableLift)
    #expect(detectable > 0.4 && detectable < 0.5)
  }

  @Test("The way the job decides, its shared level and the metric's margin count")
  func rules() throws {
    let once = try #require(try plans(offering(conversion), [HandMade.conversion]).first?.usersNeeded)
    let nightly = try #require(
      try plans(offering(conversion), [HandMade.conversion]) { $0.decideBy = "sequential" }.first?.usersNeeded)
    #expect(nightly > once)
    var second = HandMade.metric("second", .proportion, primary: true, goal: .decrease)
    second.request.margin = 0.2
    let two = offering(conversion, conversion)
    let shared = try plans(two, [HandMade.conversion, second])
    #expect(shared.map(\.metric) == ["paying_conversion_7d", "second"])
    #expect(shared.map(\.lift) == [0.1, -0.2])
    #expect(try #require(shared[0].usersNeeded) > once)
    #expect(try plans(two, [HandMade.conversion, second]) { $0.adjust = .none }[0].usersNeeded == once)
  }

  @Test("Where prices differ revenue is planned too, primary or not")
  func revenueToo() throws {
    let metrics = [HandMade.conversion, HandMade.revenue]
    #expect(try plans(offering(conversion, revenue), metrics).map(\.metric) == ["paying_conversion_7d"])
    #expect(
      try plans(offering(conversion, revenue, pricesDiffer: true), metrics).map(\.metric)
        == ["paying_conversion_7d", "revenue_net_30d"])
  }

  @Test("Enrolment that ends before leaves no nights to tell")
  func enrolment() throws {
    let row = try plans(offering(conversion), [HandMade.conversion]) { job in
      job.enrolment = Job.Enrolment(to: HandMade.asOf)
    }.first
    #expect(row?.enrolmentEndsBefore == true && row?.nightsMore == nil && row?.usersNeeded == 106_418)
  }

  @Test("Where there is nothing to plan from the row has the rate alone")
  func nothing() throws {
    var quantile = HandMade.metric("median", .mean, primary: true)
    quantile.quantile = MetricRequest.Quantile(of: "charges", q: 0.5, includesZeros: false)
    for (sums, metric) in [(HandMade.proportion(0, of: 3000), HandMade.conversion), (conversion, quantile)] {
      let row = try #require(try plans(offering(sums), [metric]).first)
      #expect(row.lift == nil && row.usersNow == nil && row.usersNeeded == nil && row.detectableLift == nil)
      #expect(row.usersPerDay == 300 && row.nightsMore == nil && !row.enrolmentEndsBefore)
    }
  }
}
