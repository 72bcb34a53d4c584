import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// A third rule comes in by the catalog alone: its figures, columns and words, and what it decides.
struct DecisionRuleTests {
  private let rules = PlannedLooks.rules

  /// 600 of 10,000 against 680: p is 0.02 for a single look.
  private func night(
    _ decideBy: String = "planned_looks", looks: LookHistory = LookHistory(), guardrail: Bool = false
  ) throws -> NightResult {
    var metric = HandMade.conversion
    if guardrail { (metric.request.guardrail, metric.request.margin) = (true, 0.05) }
    let offering = HandMade.offering(
      HandMade.group("control", users: 10_000, HandMade.proportion(600, of: 10_000)),
      HandMade.group("group_a", users: 10_000, HandMade.proportion(680, of: 10_000)))
    return try Analysis.analyze(
      measurement: HandMade.measurement(offering), metrics: [metric], job: HandMade.job { $0.decideBy = decideBy },
      asOf: HandMade.asOf, looks: looks, rules: rules)
  }

  /// Cut-offs of so many nights before.
  private func nights(_ count: Int64) -> [Instant] {
    (0..<count).map { Instant(milliseconds: HandMade.asOf.milliseconds - ($0 + 1) * Instant.millisecondsPerDay) }
  }

  @Test("It decides by its own p-value, which its look and the looks planned make")
  func decides() throws {
    let single = try #require(try night("fixed").comparisons.first)
    #expect(single.decision == .better)
    for planned in [1, 2, 3, 10] {
      let row = try #require(try night(looks: LookHistory(planned: planned)).comparisons.first)
      let outcome = try #require(row.outcome(by: "planned_looks"))
      #expect(abs(try #require(outcome.pValue) / (try #require(single.pValue)) / Double(planned) - 1) < 1e-12)
      #expect(row.adjustedPValue == outcome.pValue && row.decidedLiftInterval == outcome.liftInterval)
      #expect(row.decision == (planned < 3 ? .better : .inconclusive), "\(planned) looks")
      #expect(try #require(outcome.differenceInterval).contains(0) == (planned >= 3))
      // What a single look comes to is the same whoever decides.
      #expect(row.pValue == single.pValue && row.outcome(by: "fixed")?.pValue == single.pValue)
    }
  }

  @Test("The nights before make the number of a look: at the last one planned the rule decides, then no more")
  func looks() throws {
    #expect(LookHistory(earlier: nights(4)).look(at: HandMade.asOf).number == 5)
    func decision(_ earlier: Int64) throws -> Decision? {
      try night(looks: LookHistory(earlier: nights(earlier), planned: 2)).comparisons.first?.decision
    }
    #expect(try decision(1) == .better)
    #expect(try decision(2) == .inconclusive)
    // What was published for later nights was no look before this one.
    let later = LookHistory(
      earlier: [HandMade.asOf, Instant(milliseconds: HandMade.asOf.milliseconds + 1)], planned: 2)
    #expect(later.look(at: HandMade.asOf).number == 1)
  }

  @Test("Each day of the past is the look that it was")
  func days() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 10_000, HandMade.proportion(600, of: 10_000)),
      HandMade.group("group_a", users: 10_000, HandMade.proportion(680, of: 10_000)))
    var measurement = HandMade.measurement(offering)
    let days = nights(3).reversed()
    measurement.daily = DailyHistory(days.map { DailyMeasurement(asOf: $0, offerings: [offering]) })
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [HandMade.conversion], job: HandMade.job { $0.decideBy = "planned_looks" },
      asOf: HandMade.asOf, looks: LookHistory(earlier: nights(3), planned: 2), rules: rules)
    let found = try night.daily.rows().map { $0.comparison.outcome(by: "planned_looks")?.pValue != nil }
    #expect(found == [true, true, false])
  }

  @Test("A guardrail holds by its p-value against the margin, a metric by it may say why it is empty")
  func margin() throws {
    let row = try #require(try night(guardrail: true).comparisons.first)
    let outcome = try #require(row.outcome(by: "planned_looks"))
    #expect(outcome.marginPValue != nil && outcome.marginPValue != row.marginPValue)
    #expect(row.decision == .notWorse)
    let spent = try #require(try night(looks: LookHistory(earlier: nights(2), planned: 2)).comparisons.first)
    #expect(spent.notComputable == PlannedLooks().unboundedLift)
    let check = try #require(
      NotComputableCheck().checks(of: [spent], metric: "m", offering: "spring").first)
    #expect(check.subject == "metric m, unbounded_planned_lift")
  }

  @Test("Its columns stand behind those of the other rules")
  func columns() throws {
    let columns = ComparisonsTable(by: rules).writers
    let names = columns.map(\.column.name)
    let own = [
      "planned_p_value", "planned_abs_ci_low", "planned_abs_ci_high", "planned_rel_ci_low", "planned_rel_ci_high",
    ]
    let first = try #require(names.firstIndex(of: own[0]))
    #expect(names[first - 1] == "seq_rel_ci_high" && Array(names[first..<first + 5]) == own)
    #expect(names[first + 5] == "decided_ci_low")
    #expect(Array(names.suffix(3)) == ["seq_margin_p_value", "planned_margin_p_value", "descriptive"])
    #expect(columns[first].column.meaning == "p that holds at each of the looks planned")
    let others = ComparisonsTable().columns.map(\.name).filter { name in
      !["plan_", "look_", "stage_"].contains { name.hasPrefix($0) }
    }
    #expect(names.filter { !$0.hasPrefix("planned_") } == others)
    let row = try #require(try night().comparisons.first)
    let cell = columns[first].cell(row, TableScope())
    #expect(cell == row.outcome(by: "planned_looks")?.pValue.map { .real($0) })
  }

  @Test("The verdict, the report and its advice are in its words")
  func words() throws {
    let night = try night()
    #expect(night.decideBy == "planned_looks")
    let story = NightStory(
      StorySource(
        head: StoryHead(night), inputs: [], tables: ResultTables.tables(of: night).filter { $0.name != "daily" }),
      rules: rules)
    #expect(
      story.readingAdvice == """
        Decisions and the intervals of lifts (95 %, adjusted for the number of comparisons) hold at each of the looks \
        planned.
        """)
    #expect(try Report.html(of: story).contains("Lines hold at each of the looks planned."))
  }

  @Test("Stored figures that were decided by a rule nobody knows are not taken for another's")
  func unknown() throws {
    let story = try NightStory(
      head: """
        {"job":"j","night":"2026-03-31","asOf":"","currency":"USD","confidence":0.9,"decideBy":"planned_looks",
        "questions":[],"verdicts":[]}
        """, tables: [:])
    #expect(
      story.readingAdvice == """
        Decisions and the intervals of lifts (90 %, adjusted for the number of comparisons) were made by the rule \
        "planned_looks", which this version does not know: how often they may be read the version can say that wrote them.
        """)
  }

  @Test("A job is read and refused by the names there are")
  func names() throws {
    #expect(rules.vocabulary.all.map(\.name) == ["sequential", "fixed", "planned_looks"])
    #expect(
      rules.vocabulary.meaning.hasSuffix(
        "settled before. `planned_looks`: for looks that are counted beforehand"))
    #expect(
      rules.choices == "sequential (may be read every night) or fixed or planned_looks (read as often as planned)")
    #expect(rules.ways.hasPrefix("Says it for all ways to decide: read every night (decide_by: sequential), read once"))
    let error = try #require(throws: OfferliftError.self) {
      try AnalysisSettings(HandMade.job { $0.decideBy = "planned_looks" })
    }
    #expect(error.exit == .badJobFile)
    #expect(error.message.contains("\"planned_looks\" is none of sequential, fixed, planned, group_sequential."))
  }

  @Test("A plan reckons by it, beside the others")
  func plan() throws {
    var plan = TestPlan(baseline: .proportion(0.03), lift: 0.1)
    (plan.rules.rules, plan.rules.rule) = (rules, PlannedLooks())
    #expect(plan.outcomes.map(\.rule.name) == ["planned_looks", "sequential", "fixed"])
    // Five looks at 1 % each.
    let users = Power(alpha: 0.01).users(baseline: .proportion(0.03), lift: 0.1)
    #expect(plan.outcome(PlannedLooks()).baselineUsers == users)
    let sentences = PlanWords(plan: plan, value: "3 %").sentences
    #expect(sentences[0].hasSuffix("with 80 % power, read as planned."))
    #expect(sentences[1].contains("with every planned look's, 5 looks, it is"))
    #expect(sentences[2].hasPrefix("If it is read every night instead: "))
    #expect(sentences[3].hasPrefix("If it is read once instead: "))
  }
}
