import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// The interval that stands beside a decision: the deciding test's, at its adjusted level.
struct DecidedIntervalTests {
  /// Several groups and two metrics, so that there is something to adjust.
  private func night(_ change: (inout Job) -> Void = { _ in }) throws -> NightResult {
    let users = 5000
    func group(_ id: Identifier, _ conversions: Int128, _ payers: Int128) -> GroupMeasurement {
      HandMade.group(
        id, users: users, HandMade.proportion(conversions, of: 5000), HandMade.money(payers, paying: 9, of: 5000))
    }
    var revenue = HandMade.revenue
    revenue.request.primary = true
    let offering = HandMade.offering(
      group("control", 200, 200), group("group_a", 247, 240), group("group_b", 262, 205), group("group_c", 300, 320))
    return try HandMade.night(offering, metrics: [HandMade.conversion, revenue], job: HandMade.job(change))
  }

  @Test(
    "It leaves 0 out exactly where the adjusted p is below 5 %", arguments: Adjustment.allCases,
    ["sequential", "fixed"])
  func leaves0Out(
    adjust: Adjustment, decideBy: String
  ) throws {
    let night = try night {
      ($0.adjust, $0.decideBy) = (adjust, decideBy)
      $0.liftInterval = .delta
    }
    var excluded = 0
    for row in night.comparisons {
      let interval = try #require(row.decidedLiftInterval)
      let isShown = try #require(row.adjustedPValue) < 0.05
      #expect(isShown == !interval.contains(0))
      // Where many differences are decided together, two hundred payers are few.
      #expect(
        isShown == (row.decision == .better) || row.decision == .tooEarly && row.effectiveEvents?.count ?? 0 < 250)
      excluded += isShown ? 1 : 0
    }
    #expect(excluded > 0 && excluded < night.comparisons.count)
  }

  @Test("What was plainly below 5 % and is no longer shows an interval with 0")
  func plainlyBelow5() throws {
    let row = try night().comparison("group_a", HandMade.conversion)
    #expect(try #require(row.pValue) < 0.05)
    #expect(try !#require(row.liftInterval).contains(0))
    #expect(row.decision == .inconclusive)
    #expect(try #require(row.decidedLiftInterval).contains(0))
  }

  @Test("Where nothing is adjusted it is the deciding test's own")
  func nothingAdjustedDeciding() throws {
    for row in try night({ $0.adjust = .none }).comparisons { #expect(row.decidedLiftInterval == row.liftInterval) }
    let nightly = try night {
      $0.adjust = .none
      $0.decideBy = "sequential"
    }
    for row in nightly.comparisons { #expect(row.decidedLiftInterval == row.outcome(by: "sequential")?.liftInterval) }
  }

  @Test("What is shown within its margin is equivalent, and no wider")
  func shownWithinMargin() throws {
    func decision(_ comparisons: Int) throws -> (Decision, Interval?) {
      var metric = HandMade.conversion
      metric.request.margin = 0.08
      func group(_ id: Identifier, _ conversions: Int128) -> GroupMeasurement {
        HandMade.group(id, users: 50_000, HandMade.proportion(conversions, of: 50_000))
      }
      var offering = HandMade.offering(group("control", 5000))
      let others: [(Identifier, Int128)] = [("a", 5080), ("b", 5500), ("c", 5050)]
      offering.groups += others.prefix(comparisons).map { group($0.0, $0.1) }
      let row = try HandMade.night(offering, metrics: [metric]).comparison("a", metric)
      return (row.decision, row.decidedLiftInterval)
    }
    #expect(try decision(1).0 == .equivalent)
    for count in 1...3 {
      let (decision, interval) = try decision(count)
      #expect((decision == .equivalent) == (try #require(interval).high <= 0.08))
    }
  }

  @Test("A rate's interval ends at −100 %, in the table and in words")
  func rateIntervalEnds() throws {
    let metric = HandMade.metric("default_uptake_30d", .ratio, primary: true)
    func rate(_ y: Int128, of x: Int128) -> MetricMeasurement {
      MetricMeasurement(statistics: SufficientStatistics(n: 2000, sumY: y, sumYY: y, sumX: x, sumXX: x, sumXY: y))
    }
    let offering = HandMade.offering(
      HandMade.group("control", users: 2000, rate(200, of: 300)), HandMade.group("a", users: 2000, rate(1, of: 300)))
    let night = try HandMade.night(offering, metrics: [metric], job: HandMade.job { $0.decideBy = "sequential" })
    let row = try night.comparison("a", metric)
    #expect(try #require(row.outcome(by: "sequential")?.liftInterval).low < -1)
    #expect(row.decidedLiftInterval?.low == -1)
    #expect(try Report.html(of: NightStory(of: night)).contains("−100.0 to "))
  }

  @Test("Where an exact test disagrees with the interval there is none to show")
  func exactTestDisagrees() throws {
    // 0 of 100 against 6 of 100: Fisher's p is 0.029, Welch's 0.013; at 1 % neither, at 2 % they part.
    let offering = HandMade.offering(
      HandMade.group("control", users: 100, HandMade.proportion(6, of: 100)),
      HandMade.group("a", users: 100, HandMade.proportion(0, of: 100)))
    let row = try HandMade.night(offering, metrics: [HandMade.conversion], job: HandMade.job { $0.confidence = 0.98 })
      .comparison("a", HandMade.conversion)
    #expect(row.test == "fisher")
    #expect(row.decision == .tooEarly)
    if let interval = row.decidedLiftInterval { #expect(interval.contains(0)) }
  }

  @Test("The lift that could be found is the deciding test's")
  func liftCouldFound() throws {
    let (once, nightly) = (try night(), try night { $0.decideBy = "sequential" })
    for (fixed, sequential) in zip(once.comparisons, nightly.comparisons) {
      #expect(try #require(sequential.detectableLift) > (try #require(fixed.detectableLift)) * 1.3)
    }
  }

  @Test("What only describes is higher or lower, unless its goal is told")
  func onlyDescribesHigher() throws {
    var revenue = HandMade.revenue
    func words(_ change: (inout MeasuredMetric) -> Void) throws -> String {
      var metric = revenue
      change(&metric)
      let offering = HandMade.offering(
        HandMade.group(
          "control", users: 5000, HandMade.proportion(200, of: 5000), HandMade.money(400, paying: 9, of: 5000)),
        HandMade.group("a", users: 5000, HandMade.proportion(210, of: 5000), HandMade.money(200, paying: 9, of: 5000)))
      let story = try NightStory.spring(try HandMade.night(offering, metrics: [HandMade.conversion, metric]))
      return try #require(story.lifts.first { $0.metric.text == metric.request.id }).outcome.words
    }
    #expect(try words { _ in } == "lower")
    #expect(try words { $0.request.statedGoal = .increase } == "worse")
    #expect(try words { $0.request.statedGoal = .decrease } == "better")
    #expect(try words { $0.request.primary = true } == "worse")
    revenue.request.guardrail = true
    revenue.request.margin = 0.1
    #expect(try words { _ in } == "maybe worse")
  }
}
