import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Guardrails, margins, and what they do to an offering's verdict.
struct GuardrailTests {
  private var guardrail: MeasuredMetric {
    var metric = HandMade.metric("refund_rate_7d", .proportion, goal: .decrease)
    (metric.request.guardrail, metric.request.margin) = (true, 0.1)
    return metric
  }

  private func night(
    _ control: [MetricMeasurement], _ other: [MetricMeasurement], _ metrics: [MeasuredMetric],
    users: Int = 50_000, job: Job = HandMade.job()
  ) throws -> NightResult {
    func group(_ id: Identifier, _ measured: [MetricMeasurement]) -> GroupMeasurement {
      var group = HandMade.group(id, users: users)
      group.segments[0].metrics = measured
      return group
    }
    return try HandMade.night(
      HandMade.offering(group("control", control), group("group_a", other)), metrics: metrics, job: job)
  }

  /// Of 50,000 users a group, refunds of 5,000 against so many.
  private func refunds(_ refunds: Int128, _ metric: MeasuredMetric, job: Job = HandMade.job()) throws -> ComparisonRow {
    try night(
      [HandMade.proportion(5000, of: 50_000)], [HandMade.proportion(refunds, of: 50_000)], [metric], job: job
    ).comparison("group_a", metric)
  }

  @Test("A guardrail that is clearly inside its margin is not worse")
  func guardrailClearlyInside() throws {
    let row = try refunds(5000, guardrail)
    #expect(row.decision == .notWorse)
    #expect(try #require(row.marginPValue) < 0.001)
    #expect(row.margin == 0.1)
  }

  @Test("A guardrail that got worse, or that nobody can tell about, is maybe worse")
  func guardrailGotWorse() throws {
    #expect(try refunds(5600, guardrail).decision == .maybeWorse)
    #expect(try refunds(5450, guardrail).decision == .maybeWorse)
  }

  @Test(
    "A guardrail that improved waits for nothing, however much it did; without a margin harm alone stands against a group"
  )
  func improved() throws {
    func call(_ refunds: Int128, margin: Double?) throws -> Call? {
      var metric = guardrail
      metric.request.margin = margin
      return try night(
        [HandMade.proportion(2000, of: 50_000), HandMade.proportion(11, of: 50_000)],
        [HandMade.proportion(2400, of: 50_000), HandMade.proportion(refunds, of: 50_000)],
        [HandMade.conversion, metric]
      ).verdicts.first?.groups.first?.call
    }
    for margin in [0.02, nil] { #expect(try call(0, margin: margin) == .ship) }
    #expect(try call(13, margin: 0.02) == .choose && call(13, margin: nil) == .ship)
    #expect(try call(60, margin: nil) == .choose)
  }

  @Test("A guardrail that it is too early to judge is named")
  func tooEarlyGuardrail() throws {
    let night = try night(
      [HandMade.proportion(5000, of: 50_000), HandMade.proportion(1, of: 50_000)],
      [HandMade.proportion(6000, of: 50_000), HandMade.proportion(2, of: 50_000)], [HandMade.conversion, guardrail])
    let sentence = try #require(night.verdicts.first).sentence
    #expect(sentence.hasPrefix("Wait for group_a. In 7 days "))
    #expect(sentence.contains(" Too early for its refund_rate_7d: "))
  }

  @Test("A guardrail has a side: much better is not worse")
  func guardrailSideMuch() throws {
    #expect(try refunds(4000, guardrail).decision == .notWorse)
    var rising = guardrail
    rising.request.statedGoal = .increase
    #expect(try refunds(4000, rising).decision == .maybeWorse)
    #expect(try refunds(6000, rising).decision == .notWorse)
  }

  @Test("Looked at every night, a guardrail needs the always-valid p")
  func lookedEveryNight() throws {
    let row = try refunds(5200, guardrail, job: HandMade.job { $0.decideBy = "sequential" })
    #expect(try #require(row.marginPValue) < 0.05)
    #expect(try #require(row.outcome(by: "sequential")?.marginPValue) > 0.05)
    #expect(row.decision == .maybeWorse)
  }

  @Test("A guardrail of which nobody ever had any is too early to judge")
  func guardrailNobodyEver() throws {
    var charges = HandMade.metric("charges_7d", .mean)
    (charges.request.guardrail, charges.request.margin) = (true, 0.1)
    let none = HandMade.money(0, paying: 1, of: 500)
    let row = try night([none], [none], [charges], users: 500).comparison("group_a", charges)
    #expect(row.marginPValue == nil)
    #expect(row.decision == .tooEarly)
  }

  @Test("A margin alone makes equivalent what lies inside it, and hides no difference")
  func marginAloneMakes() throws {
    var metric = HandMade.metric("paying_conversion_7d", .proportion, primary: true)
    metric.request.margin = 0.05
    #expect(try refunds(5010, metric).decision == .equivalent)
    #expect(try refunds(5150, metric).decision == .inconclusive)
    metric.request.margin = 0.5
    #expect(try refunds(5500, metric).decision == .better)
  }

  @Test("A better group with an unproven guardrail may be worse, and the guardrail is named")
  func betterGroupUnproven() throws {
    let metrics = [HandMade.conversion, guardrail]
    let verdict = try #require(
      try night(
        [HandMade.proportion(2000, of: 50_000), HandMade.proportion(5000, of: 50_000)],
        [HandMade.proportion(2400, of: 50_000), HandMade.proportion(5600, of: 50_000)], metrics
      ).verdicts.first)
    #expect(verdict.decision == .maybeWorse)
    #expect(verdict.groups[0].call == .choose)
    #expect(
      verdict.sentence == """
        Refund_rate_7d went from 10.0 % to 11.2 %: ship group_a only if that is worth it. In 7 days paying_conversion_7d \
        came to 4.8 % instead of 4.0 % (+20 %, 13 to 27 %). Expect about +19 % to last. Chance that it is better: over 99 %.
        """)
    #expect(
      verdict.calls[0].details.contains("That is not shown to be worse by less than 10 %, as the job asks."))
  }

  @Test("A better group of an ended test whose guardrail nothing tells of stays untested, and it says why")
  func betterGroupUntested() throws {
    var offering = HandMade.offering(
      HandMade.group(
        "control", users: 50_000, HandMade.proportion(2000, of: 50_000), HandMade.proportion(0, of: 50_000)),
      HandMade.group(
        "group_a", users: 50_000, HandMade.proportion(2400, of: 50_000), HandMade.proportion(0, of: 50_000)))
    let day = HandMade.asOf.milliseconds / Instant.millisecondsPerDay - 60
    for position in offering.groups.indices {
      offering.groups[position].tables.arrivals = [ArrivalDay(day: day, users: 50_000)]
    }
    let night = try HandMade.night(offering, metrics: [HandMade.conversion, guardrail])
    let group = try #require(night.verdicts.first?.groups.first)
    #expect(group.call == .choose)
    #expect(group.headline == "Ship group_a only if its refund_rate_7d may stay untested.")
    #expect(group.reason.contains("The test is over and was too small for its refund_rate_7d"))
  }

  @Test("A better group whose guardrails hold is better")
  func betterGroupWhose() throws {
    let verdict = try #require(
      try night(
        [HandMade.proportion(2000, of: 50_000), HandMade.proportion(5000, of: 50_000)],
        [HandMade.proportion(2400, of: 50_000), HandMade.proportion(5000, of: 50_000)],
        [guardrail, HandMade.conversion].reversed()
      ).verdicts.first)
    #expect(verdict.decision == .better)
    #expect(verdict.calls[0].details.contains("Its refund_rate_7d is shown not to be worse by 10 % or more."))
  }

  @Test("A guardrail with too little data holds a better group back")
  func guardrailTooLittle() throws {
    var rare = guardrail
    rare.request.id = "chargebacks_7d"
    let verdict = try #require(
      try night(
        [HandMade.proportion(2000, of: 50_000), HandMade.proportion(1, of: 50_000)],
        [HandMade.proportion(2400, of: 50_000), HandMade.proportion(2, of: 50_000)], [HandMade.conversion, rare]
      ).verdicts.first)
    #expect(verdict.decision == .tooEarly)
  }

  @Test("Without a primary metric the first that is no guardrail speaks")
  func withoutPrimaryMetric() throws {
    var conversion = HandMade.conversion
    conversion.request.primary = false
    let verdict = try #require(
      try night(
        [HandMade.proportion(5000, of: 50_000), HandMade.proportion(2000, of: 50_000)],
        [HandMade.proportion(5000, of: 50_000), HandMade.proportion(2400, of: 50_000)], [guardrail, conversion]
      ).verdicts.first)
    #expect(verdict.decision == .better)
  }
}
