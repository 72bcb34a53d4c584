import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

/// Calls that were made and stay, tests with a plan, and the first week.
struct ShownBeforeTests {
  private func cutoff(_ day: Int64) -> Instant {
    Instant(milliseconds: HandMade.asOf.milliseconds + day * Instant.millisecondsPerDay)
  }

  /// A test of which so many of 10,000 users a night and group had converted by the end of each night.
  private func night(
    _ conversions: [(control: Int128, other: Int128)], daily: Int128 = 10_000, looks: LookHistory = LookHistory(),
    metrics: [MeasuredMetric] = [HandMade.conversion], weights: [Identifier: Double]? = nil,
    _ change: (inout Job) -> Void = { _ in }
  ) throws -> NightResult {
    let nights = conversions.enumerated().map { number, counts in
      let users = daily * Int128(number + 1)
      var offering = HandMade.offering(
        HandMade.group("control", users: Int(users), HandMade.proportion(counts.control, of: users)),
        HandMade.group("group_a", users: Int(users), HandMade.proportion(counts.other, of: users)))
      offering.measuredFrom = cutoff(0)
      offering.weights = weights
      return DailyMeasurement(asOf: cutoff(Int64(number + 1)), offerings: [offering])
    }
    let last = try #require(nights.last)
    var measurement = HandMade.measurement(last.offerings[0])
    measurement.daily = DailyHistory(nights)
    let job = HandMade.job { job in
      job.decideBy = "sequential"
      change(&job)
    }
    return try Analysis.analyze(measurement: measurement, metrics: metrics, job: job, asOf: last.asOf, looks: looks)
  }

  /// The night by which so many nights have brought 500 and 500 conversions a night, and one of them more in one group.
  private func steady(_ nights: Int, extra: [Int: (Int128, Int128)] = [:]) -> [(control: Int128, other: Int128)] {
    var sums: (control: Int128, other: Int128) = (0, 0)
    return (1...nights).map { night in
      let more = extra[night] ?? (0, 0)
      sums = (sums.control + 500 + more.0, sums.other + 500 + more.1)
      return sums
    }
  }

  @Test("What was shown on an earlier night stands, with its day")
  func stands() throws {
    // Clearly better by the eighth night, and then nothing but users who differ in nothing.
    let worlds = steady(40, extra: [8: (0, 900), 9: (400, 0)])
    let row = try night(worlds).comparison("group_a", HandMade.conversion)
    #expect(row.decision == .better && row.shownSince == cutoff(8))
    #expect(try #require(row.adjustedPValue) >= 0.05)
    let verdict = try #require(try night(worlds).verdicts.first?.groups.first)
    #expect(verdict.call == .ship && verdict.shownSince == cutoff(8))
    #expect(verdict.reason.contains("shown on 8 April 2026"))
    // Tonight's interval holds 0; the one that decided does not: 4,900 of 80,000 instead of 4,000.
    #expect(try #require(row.decidedLiftInterval).contains(0))
    #expect(verdict.reason.contains(", when shown +22 %, "), "\(verdict.reason)")
    // A single look holds at no night but its own.
    #expect(try night(worlds) { $0.decideBy = "fixed" }.comparison("group_a", HandMade.conversion).shownSince == nil)
  }

  @Test("What is shown tonight is shown since tonight, and the opposite overturns it")
  func overturned() throws {
    let first = try night(steady(8, extra: [8: (0, 900)])).comparison("group_a", HandMade.conversion)
    #expect(first.decision == .better && first.shownSince == cutoff(8) && first.oppositeShown == nil)
    let later = try night(steady(12, extra: [8: (0, 900), 10: (4000, 0)])).comparison("group_a", HandMade.conversion)
    #expect(later.decision == .worse && later.oppositeShown == cutoff(8) && later.shownSince == cutoff(10))
  }

  @Test("The page says why a call no longer stands")
  func reversal() throws {
    let ship = MadeCall(night: "2026-04-08", offering: "spring", group: "group_a", call: .ship)
    // The data of that time has changed: it showed something, and shows nothing now.
    let quiet = try #require(try night(steady(12), looks: LookHistory(made: [ship])).verdicts.first?.groups.first)
    #expect(quiet.call == .keep)
    #expect(
      quiet.reason.hasSuffix(
        "Ship was said on 8 April 2026 and is taken back: the data of that time has changed and no longer shows it."))
    #expect(try night(steady(12)).verdicts.first?.groups.first?.reason.contains("taken back") == false)
    // The opposite has been shown since.
    let overturned = steady(12, extra: [8: (0, 900), 10: (4000, 0)])
    let worse = try #require(try night(overturned, looks: LookHistory(made: [ship])).verdicts.first?.groups.first)
    #expect(worse.call == .drop && !worse.reason.contains("has changed"))
    #expect(worse.reason.contains("shown on 10 April 2026, which takes back the opposite of 8 April 2026"))
    // It still stands.
    let stands = try night(steady(40, extra: [8: (0, 900), 9: (400, 0)]), looks: LookHistory(made: [ship]))
    #expect(stands.verdicts.first?.groups.first?.reason.contains("taken back") == false)
    // A check has failed since.
    let failed = try night(steady(12, extra: [8: (0, 900)]), weights: ["control": 3, "group_a": 1])
    #expect(failed.verdicts.first?.decision == .doNotTrust)
    #expect(
      failed.verdicts.first?.sentence.hasSuffix("What was shown on 8 April 2026 is taken back while that is so.")
        == true)
  }

  @Test("A difference that was shown is not taken back because it may be too small to matter")
  func equivalentLater() throws {
    var metric = HandMade.conversion
    metric.request.margin = 0.3
    let worlds = steady(40, extra: [8: (0, 900), 9: (400, 0)])
    let row = try night(worlds, metrics: [metric]).comparison("group_a", metric)
    let interval = try #require(row.decidedLiftInterval)
    #expect(interval.low > -0.3 && interval.high < 0.3 && interval.contains(0))
    #expect(row.decision == .better && row.shownSince == cutoff(8))
  }

  @Test("Before seven whole days no group is called better, and harm may be")
  func firstWeek() throws {
    let better = try night(steady(6, extra: [5: (0, 900)]))
    let row = try better.comparison("group_a", HandMade.conversion)
    #expect(row.decision == .tooEarly && row.scarcity == .days(6))
    let verdict = try #require(better.verdicts.first?.groups.first)
    #expect(
      verdict.call == .wait && verdict.reason.contains("Too early: 6 of 7 days. People buy otherwise at weekends."))
    let worse = try night(steady(6, extra: [5: (900, 0)])).comparison("group_a", HandMade.conversion)
    #expect(worse.decision == .worse)
    #expect(try night(steady(7, extra: [5: (0, 900)])).comparison("group_a", HandMade.conversion).decision == .better)
  }

  // MARK: - Plans

  private func planned(_ nights: Int, _ worlds: [(control: Int128, other: Int128)]) throws -> NightResult {
    try night(worlds) { job in
      job.decideBy = nil
      job.plan = PlannedTest(.nights(nights))
    }
  }

  @Test("A plan finds at its end what may be read for ever does not, and nothing of that size behind it")
  func plannedEnd() throws {
    // z is 2.4 at the last of 28 nights: 140,000 users a group.
    let worlds = steady(28).enumerated().map { number, counts in
      number == 27 ? (control: counts.control, other: counts.other + 395) : counts
    }
    let row = try planned(28, worlds).comparison("group_a", HandMade.conversion)
    #expect(row.decision == .better, "\(String(describing: row.outcome(by: "planned")?.pValue))")
    #expect(try night(worlds).comparison("group_a", HandMade.conversion).decision == .inconclusive)
    #expect(try planned(21, worlds).comparison("group_a", HandMade.conversion).decision == .inconclusive)
    #expect(try planned(56, worlds).comparison("group_a", HandMade.conversion).decision == .inconclusive)
    #expect(row.outcome(by: "planned")?.pValue == row.adjustedPValue)
    // Without a plan there is nothing to say by it.
    #expect(try night(worlds).comparison("group_a", HandMade.conversion).outcome(by: "planned")?.pValue == nil)
  }

  @Test("A plan that is complete and showed nothing ends the test")
  func end() throws {
    let running = try #require(try planned(28, steady(14)).verdicts.first)
    #expect(running.groups[0].call == .keep)
    #expect(running.dates?.contains("Planned until 28 April 2026, 14 nights to go. Only a very clear") == true)
    let complete = try #require(try planned(28, steady(28)).verdicts.first)
    #expect(complete.groups[0].call == .end && complete.groups[0].headline == "End: keep control.")
    #expect(complete.dates == "Started 1 April 2026, 28 nights so far. The plan ends tonight.")
    #expect(complete.groups[0].reason.hasPrefix("The plan is complete and no difference was shown; anything above "))
    let behind = try #require(try planned(14, steady(28)).verdicts.first)
    #expect(
      behind.dates?.contains("The plan ended on 14 April 2026. Later nights count only if they are very clear.") == true
    )
  }

  @Test("What is clear before the end says how much earlier, and without a plan what one would bring")
  func early() throws {
    let clear = try #require(try planned(28, steady(10, extra: [9: (0, 1500)])).verdicts.first?.groups.first)
    #expect(clear.call == .ship && clear.reason.contains("Chance that it is better"))
    let unplanned = try #require(try night(steady(10)).verdicts.first)
    #expect(
      unplanned.dates?.contains("No end is planned, so only a very clear difference is called. With `plan:") != false)
  }

  @Test("A plan that was made after nights had been read is named for good")
  func madeLate() throws {
    func note(_ plans: [(night: String, plan: String?)], looks: LookSchedule? = nil) throws -> String? {
      try night(steady(14), looks: LookHistory(plans: plans)) { job in
        job.decideBy = looks.map { _ in "group_sequential" }
        (job.plan, job.looks) = (PlannedTest(.nights(28)), looks)
      }.verdicts.first?.dates
    }
    let nights = (1...13).map { (night: "2026-04-\($0 < 10 ? "0" : "")\($0)", plan: $0 < 5 ? nil : "28 nights") }
    #expect(try note(nights)?.contains("Planned on 5 April 2026, after 4 nights had been read.") == true)
    #expect(try note(nights.map { (night: $0.night, plan: "28 nights") })?.contains("had been read") == false)
    #expect(try note(nights.map { (night: $0.night, plan: "14 nights") })?.contains("Changed on 14 April 2026") == true)
    // Other looks, or another spending, are another plan.
    let halves = LookSchedule(
      [.share(0.5), .day(CivilDate(year: 2026, month: 4, dayOfMonth: 20).day)], spending: .pocock)
    let text = "28 nights, looks at 0.5 2026-04-20, spending pocock"
    #expect(try note(nights.map { (night: $0.night, plan: text) }, looks: halves)?.contains("been read") == false)
    for other in ["28 nights", "28 nights, looks at 0.5 2026-04-21, spending pocock", text + "x"] {
      let changed = try note(nights.map { (night: $0.night, plan: other) }, looks: halves)
      #expect(changed?.contains("Changed on 14 April 2026, after 13 nights had been read.") == true)
    }
  }

  @Test("A plan of users is over with them")
  func users() throws {
    let offering = try #require(try night(steady(10)) { $0.plan = PlannedTest(.users(150_000)) }.plans.first)
    #expect(offering.plan == "150000 users")
    let calendar = PlanCalendar(plan: PlannedTest(.users(150_000)), first: cutoff(0), timezone: .gmt)
    #expect(calendar.time(by: cutoff(3), users: 75_000) == 0.5 && calendar.time(by: cutoff(3), users: 200_000) == 1)
    let nights = PlanCalendar(plan: PlannedTest(.nights(28)), first: cutoff(0), timezone: .gmt)
    #expect(nights.time(by: cutoff(14), users: 0) == 0.5 && nights.nights(by: cutoff(1)) == 1)
    #expect(nights.lastDay?.description == "2026-04-28")
  }

  // MARK: - A few looks

  private func grouped(
    _ looks: [LookSchedule.Time], _ worlds: [(control: Int128, other: Int128)]
  ) throws -> NightResult {
    try night(worlds) { job in
      job.decideBy = "group_sequential"
      (job.plan, job.looks) = (PlannedTest(.nights(28)), LookSchedule(looks))
    }
  }

  @Test("A test of a few looks is decided at them, and not between")
  func fewLooks() throws {
    let halves: [LookSchedule.Time] = [.share(0.5)]
    func row(_ nights: Int, _ extra: [Int: (Int128, Int128)]) throws -> ComparisonRow {
      try grouped(halves, steady(nights, extra: extra)).comparison("group_a", HandMade.conversion)
    }
    // Plainly better from the tenth night on.
    let early = [10: (Int128(0), Int128(900))]
    let between = try row(13, early)
    #expect(between.decision == .inconclusive && between.adjustedPValue == nil)
    #expect(between.outcome(by: "group_sequential")?.isSaid == false)
    let first = try row(14, early)
    #expect(first.decision == .better && first.shownSince == cutoff(14))
    let outcome = try #require(first.outcome(by: "group_sequential"))
    // The bound at half of the plan is 2.962588; the estimate of a test that ends at its first look is the plain one.
    #expect(outcome.pValue == first.adjustedPValue)
    #expect(abs(try #require(outcome.stage?.difference) - (try #require(first.difference))) < 1e-9)
    #expect(try row(20, early).decision == .better)
    // Between the looks something came and went.
    #expect(try row(28, [16: (0, 900), 18: (900, 0)]).decision == .inconclusive)
    #expect(try row(17, [16: (0, 900), 18: (900, 0)]).decision == .inconclusive)
    #expect(try row(40, [30: (0, 4000)]).decision == .inconclusive)
  }

  @Test("Dates are looks as well, and the page says when the next one is")
  func dates() throws {
    let days: [LookSchedule.Time] = [.day(CivilDate(year: 2026, month: 4, dayOfMonth: 9).day)]
    let extra = [8: (Int128(0), Int128(900))]
    let before = try grouped(days, steady(8, extra: extra))
    #expect(try before.comparison("group_a", HandMade.conversion).decision == .inconclusive)
    #expect(
      before.verdicts.first?.dates?.contains("decided at its planned looks only, the next on 9 April 2026") == true)
    let night = try grouped(days, steady(9, extra: extra))
    #expect(try night.comparison("group_a", HandMade.conversion).decision == .better)
  }

  @Test("Below the bound of futility going on is of little use")
  func futile() throws {
    let worlds = steady(14, extra: [14: (0, 30)])
    let stop = try #require(try grouped([.share(0.5)], worlds).verdicts.first?.groups.first?.stop)
    #expect(stop.word == .futile)
    #expect(try grouped([.share(0.5)], steady(13)).verdicts.first?.groups.first?.stop?.word == .wait)
  }
}
