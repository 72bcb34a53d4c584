import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What `power` makes of a job's own figures.
@Suite("power, from a job")
struct JobPowerTests {

  private func report(_ change: (inout PowerArguments) -> Void = { _ in }) async throws -> String {
    var arguments = PowerArguments()
    change(&arguments)
    let job = repository.appending(path: "jobs/offering-price-test.yml").path
    return try await PowerRun.report(job: job, night: .date("2026-04-30"), arguments: arguments, threads: 2).text
  }

  @Test("where groups sell at different prices it plans on revenue per user, and says so")
  func revenue() async throws {
    let text = try await report { $0.lift = 0.2 }
    #expect(text.hasPrefix("revenue_net_30d: It takes "))
    #expect(text.contains("a lift of +20 % on 0."))
    #expect(text.contains("Groups sell at different prices, so the plan is for revenue per user: revenue_net_30d."))
    #expect(text.contains("Measured: spring_2026_price_test by the night of 2026-04-30, "))
    #expect(!text.contains("paying_conversion_7d"))
  }

  @Test("figures that the job measures itself are refused")
  func figures() async throws {
    let error = try await #require(throws: OfferliftError.self) { try await report { $0.baseline = 0.03 } }
    #expect(error.exit == .usage)
    #expect(error.message.contains("A job measures its baseline"))
  }

  @Test("primary metrics are planned, else the first; where prices differ, revenue")
  func chosen() {
    func names(_ metrics: MeasuredMetric..., pricesDiffer: Bool = false) -> [String] {
      PlannedMetrics(metrics, prices: pricesDiffer ? .displayed : nil).metrics.map(\.request.id)
    }
    let charges = HandMade.metric("charges", .mean)
    #expect(names(HandMade.revenue, HandMade.conversion) == ["paying_conversion_7d"])
    #expect(names(HandMade.revenue, charges) == ["revenue_net_30d"])
    #expect(names(HandMade.conversion, charges, HandMade.revenue, pricesDiffer: true) == ["revenue_net_30d"])
    #expect(names(HandMade.conversion, charges, pricesDiffer: true) == ["paying_conversion_7d"])
    let without = PlannedMetrics([HandMade.conversion], prices: .displayed)
    #expect(without.note?.contains("measures no revenue per user") == true)
  }

  @Test("the rate is the users over the days since the first, up to the end of enrolment")
  func rate() throws {
    let day = Instant.millisecondsPerDay
    var offering = HandMade.offering(
      HandMade.group("control", users: 3000, HandMade.proportion(90, of: 3000)),
      HandMade.group("group_a", users: 3000, HandMade.proportion(90, of: 3000)))
    offering.measuredFrom = Instant(milliseconds: HandMade.asOf.milliseconds - 20 * day)
    let open = ArrivalRate(offering, cutoff: HandMade.asOf, enrolment: nil)
    #expect(open.usersPerDay == 300 && open.usersToJoin == nil)
    let over = Job.Enrolment(to: Instant(milliseconds: HandMade.asOf.milliseconds - 10 * day))
    let closed = ArrivalRate(offering, cutoff: HandMade.asOf, enrolment: over)
    #expect(closed.usersPerDay == 600 && closed.usersToJoin == 0)
    let later = Job.Enrolment(to: Instant(milliseconds: HandMade.asOf.milliseconds + 5 * day))
    #expect(ArrivalRate(offering, cutoff: HandMade.asOf, enrolment: later).usersToJoin == 1500)
    offering.groups[0].tables.arrivals = [ArrivalDay(day: HandMade.asOf.milliseconds / day - 9, users: 3000)]
    #expect(ArrivalRate(offering, cutoff: HandMade.asOf, enrolment: nil).usersPerDay == 0)
  }

  @Test("a plan rests on the baseline's users and the smallest other group's")
  func crowd() throws {
    let plan = try metricPlan(HandMade.proportion(90, of: 3000), HandMade.proportion(60, of: 1500))
    #expect(plan.crowd.baselineUsers == 3000)
    #expect(plan.crowd.ratio == 0.5)
    #expect(plan.crowd.usersPerBaselineUser == 1.5)
    #expect(plan.lift == 0.1)
    guard case .proportion(let share) = plan.baseline else { return #expect(Bool(false), "no share") }
    #expect(share == 0.03)
  }

  @Test("a baseline without conversions is nothing to plan from")
  func nothing() throws {
    let error = try #require(throws: Missing.self) {
      try metricPlan(HandMade.proportion(0, of: 3000), HandMade.proportion(0, of: 1500))
    }
    #expect(error.why.hasPrefix("nothing to plan from yet"))
  }

  private struct Missing: Error { var why: String }

  private func metricPlan(_ control: MetricMeasurement, _ other: MetricMeasurement) throws -> TestPlan {
    let offering = HandMade.offering(
      HandMade.group("control", users: 3000, control), HandMade.group("group_a", users: 1500, other))
    let sets = try MetricSamples.sets(of: offering, metrics: [HandMade.conversion], baseline: "control")
    let rate = ArrivalRate(offering, cutoff: HandMade.asOf, enrolment: nil)
    let planned = MetricPlan(HandMade.conversion, in: sets, offering, rate, rules: TestPlan.Rules(), lift: nil)
    guard let plan = planned.plan else { throw Missing(why: planned.obstacle ?? "") }
    return plan
  }
}
