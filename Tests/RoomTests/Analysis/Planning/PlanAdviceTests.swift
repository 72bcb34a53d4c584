import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

/// What a plan would bring, what a margin takes, and whether to go on.
struct PlanAdviceTests {
  private func offering(_ control: Int128, _ other: Int128, users: Int = 20_000) -> OfferingMeasurement {
    var offering = HandMade.offering(
      HandMade.group("control", users: users, HandMade.proportion(control, of: Int128(users))),
      HandMade.group("group_a", users: users, HandMade.proportion(other, of: Int128(users))))
    offering.measuredFrom = Instant(milliseconds: HandMade.asOf.milliseconds - 14 * Instant.millisecondsPerDay)
    return offering
  }

  private func sentences(_ metric: MeasuredMetric, _ change: (inout Job) -> Void = { _ in }) throws -> [String] {
    let job = HandMade.job { job in
      job.decideBy = nil
      job.metrics = [metric.request]
      change(&job)
    }
    return try PlanAdvice.sentences(
      HandMade.measurement(offering(1000, 1000)), [metric], job: job, cutoff: HandMade.asOf)
  }

  @Test("A job without a plan hears what one would bring; one with a plan, or that says how it is decided, does not")
  func plan() throws {
    let found = try #require(try sentences(HandMade.conversion).first)
    #expect(found.contains("a true +20 % in paying_conversion_7d would be found in "))
    #expect(found.contains(" of 100 such tests with plan: {nights: 28}, in "))
    #expect(try sentences(HandMade.conversion) { $0.plan = PlannedTest(.nights(28)) }.isEmpty)
    #expect(try sentences(HandMade.conversion) { $0.decideBy = "fixed" }.isEmpty)
  }

  @Test("A margin says how many users it takes")
  func margin() throws {
    var metric = HandMade.metric("refund_rate_7d", .proportion, goal: .decrease)
    (metric.request.guardrail, metric.request.margin) = (true, 0.02)
    let found = try #require(try sentences(metric) { $0.plan = PlannedTest(.nights(28)) }.first)
    #expect(found.hasPrefix("refund_rate_7d: to show that it is not worse by 2 % of 5 % takes "))
    #expect(found.hasSuffix(" users of all groups, read once; without margin: it warns where harm is shown."))
    metric.request.margin = nil
    #expect(try sentences(metric) { $0.plan = PlannedTest(.nights(28)) }.isEmpty)
  }

  private func stop(_ control: Int128, _ other: Int128, nights: Int = 28) throws -> StopAdvice? {
    var offering = offering(control, other)
    let day = HandMade.asOf.milliseconds / Instant.millisecondsPerDay
    for position in offering.groups.indices {
      offering.groups[position].tables.arrivals = (1...14).map { ArrivalDay(day: day - $0, users: 1428) }
    }
    let night = try HandMade.night(
      offering, metrics: [HandMade.conversion],
      job: HandMade.job { job in
        job.decideBy = nil
        job.plan = PlannedTest(.nights(nights))
      })
    return try #require(night.verdicts.first).groups.first?.stop
  }

  @Test("What is decided is to be acted on, what cannot be shown any more is futile, all else waits")
  func stopping() throws {
    #expect(try stop(1000, 1400)?.word == .ship)
    let open = try #require(try stop(1000, 1060))
    #expect(open.word == .wait)
    let (chance, nights, fewest) = (
      try #require(open.chance), try #require(open.nights), try #require(open.fewestNights)
    )
    #expect(chance > 0.05 && chance < 0.95 && nights > 0 && fewest <= nights)
    #expect(open.mostNights == nil, "what is expected may be nothing")
    let (loss, value) = (try #require(open.lossNow), try #require(open.valueOfNight))
    #expect(loss > 0 && value > 0 && value < loss)
    // One night before the end nothing that fits equal groups would be shown any more.
    let last = try #require(try stop(1000, 1000, nights: 15))
    let left = try #require(last.chance)
    #expect(last.word == .futile && left < 0.1)
  }
}
