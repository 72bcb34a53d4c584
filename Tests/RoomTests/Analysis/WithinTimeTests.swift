import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Groups compared among users of the same days, or phases, of assignment.
struct WithinTimeTests {
  /// Users and conversions by day.
  private func group(_ id: Identifier, _ days: [UInt32: (Int128, of: Int128)]) -> GroupMeasurement {
    let (converted, users) = days.values.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.of) }
    var group = HandMade.group(id, users: Int(users), HandMade.proportion(converted, of: users))
    group.byDay = days.sorted { $0.key < $1.key }.map { number, day in
      StratumMeasurement(number: number, metrics: [HandMade.proportion(day.0, of: day.of)])
    }
    return group
  }

  private var metric: MeasuredMetric {
    var metric = HandMade.conversion
    metric.request.stratify = .day
    return metric
  }

  private func row(_ groups: GroupMeasurement..., of id: Identifier = "b") throws -> ComparisonRow {
    var offering = HandMade.offering()
    offering.groups = groups
    offering.weights = Dictionary(uniqueKeysWithValues: groups.map { ($0.id, Double($0.assignedUsers)) })
    return try HandMade.night(offering, metrics: [metric]).comparison(id, metric)
  }

  @Test("A ramp of +20 and +14 % is a lift between, where pooled it is a loss")
  func ramp() throws {
    let row = try row(
      group("control", [1: (990, of: 4_950), 2: (175, of: 2_500)]), group("b", [1: (12, of: 50), 2: (200, of: 2_500)]))
    // statsmodels 0.14: StratifiedTable([[[12, 38], [990, 3960]], [[200, 2300], [175, 2325]]]).test_null_odds().
    #expect(abs(try #require(row.pValue) - 0.13669626772492) < 1e-10)
    #expect(row.test == "mantel_haenszel")
    #expect(abs(try #require(row.lift) - 0.14866529774127) < 1e-10)
    #expect(row.decision == .inconclusive)
  }

  @Test("Each group is held against the baseline on the days that both have")
  func pairs() throws {
    let control = group("control", [1: (100, of: 1_000), 2: (50, of: 1_000), 3: (80, of: 800)])
    let early = group("a", [1: (120, of: 1_000)])
    let late = group("late", [3: (100, of: 800)])
    let (a, b) = (try row(control, early, late, of: "a"), try row(control, early, late, of: "late"))
    #expect(a.baselineValue == 0.1 && a.value == 0.12)
    #expect(b.baselineValue == 0.1 && b.value == 0.125)
  }

  @Test("Groups without a common day cannot be compared, and a check says why")
  func noCommonDay() throws {
    var offering = HandMade.offering()
    offering.groups = [group("control", [1: (100, of: 1_000)]), group("b", [2: (100, of: 1_000)])]
    let night = try HandMade.night(offering, metrics: [metric])
    let row = try night.comparison("b", metric)
    #expect(row.notComputable == .noCommonTime && row.value == nil && row.decision == .tooEarly)
    let check = try #require(night.checks(named: "not_computable").first)
    #expect(check.message.contains("no day or phase of assignment has enough mature users of both groups"))
  }

  @Test("Dated weights make phases the strata of every metric, asked for or not")
  func phases() throws {
    var (control, b) = (group("control", [:]), group("b", [:]))
    control.segments[0].metrics = [HandMade.proportion(1_165, of: 7_450)]
    b.segments[0].metrics = [HandMade.proportion(212, of: 2_550)]
    control.byPhase = [(1, 990, 4_950), (2, 175, 2_500)].map {
      StratumMeasurement(number: $0.0, metrics: [HandMade.proportion($0.1, of: $0.2)])
    }
    b.byPhase = [(1, 12, 50), (2, 200, 2_500)].map {
      StratumMeasurement(number: $0.0, metrics: [HandMade.proportion($0.1, of: $0.2)])
    }
    var offering = HandMade.offering(control, b)
    offering.weightPhases = [
      WeightPhase(from: nil, name: "", weights: ["control": 99, "b": 1]),
      WeightPhase(from: Instant(milliseconds: 1), name: "2026-03-08", weights: ["control": 1, "b": 1]),
    ]
    let row = try HandMade.night(offering, metrics: [HandMade.conversion]).comparison("b", HandMade.conversion)
    #expect(abs(try #require(row.lift) - 0.14866529774127) < 1e-10)
  }
}
