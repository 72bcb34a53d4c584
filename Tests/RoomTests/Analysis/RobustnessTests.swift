import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// Bootstrap intervals and rank tests from how many users have each value.
struct RobustnessTests {
  private var metric: MeasuredMetric {
    var metric = HandMade.revenue
    metric.request.robust = true
    return metric
  }

  /// Users by what each paid, in units of the currency.
  private func group(_ id: Identifier, _ users: [Int128: Int]) -> GroupMeasurement {
    var measured = MetricMeasurement()
    for (units, count) in users.sorted(by: { $0.key < $1.key }) {
      let added = measured.statistics.add(y: units * 1_000_000, count: Int128(count))
      #expect(added)
      measured.values.append(ValueCount(y: units * 1_000_000, x: 0, users: count))
    }
    let everybody = SegmentMeasurement(id: "all", users: 500, metrics: [measured])
    let germany = SegmentMeasurement(id: "country=DE", users: 500, metrics: [measured])
    return GroupMeasurement(id: id, assignedUsers: 500, measuredUsers: 500, segments: [everybody, germany])
  }

  private var offering: OfferingMeasurement {
    HandMade.offering(
      group("control", [0: 400, 10: 60, 30: 35, 900: 5]), group("group_a", [0: 370, 10: 80, 30: 45, 900: 5]),
      group("group_b", [0: 370, 10: 80, 30: 45, 900: 5]))
  }

  @Test("The same inputs give the same interval, and every comparison has draws of its own")
  func sameInputsGive() throws {
    let first = try HandMade.night(offering, metrics: [metric])
    let again = try HandMade.night(offering, metrics: [metric])
    let rows = try ["group_a", "group_b"].map { try first.comparison(Identifier($0), metric) }
    #expect(
      rows[0].bootstrapDifferenceInterval == (try again.comparison("group_a", metric)).bootstrapDifferenceInterval)
    #expect(rows[0].bootstrapDifferenceInterval != rows[1].bootstrapDifferenceInterval)
  }

  @Test("They lie about the difference of the plain values and see what ranks see")
  func theyLieAbout() throws {
    let row = try HandMade.night(offering, metrics: [metric]).comparison("group_a", metric)
    let (interval, difference) = (try #require(row.bootstrapDifferenceInterval), try #require(row.difference))
    #expect(interval.contains(difference))
    #expect(abs(difference - 1) < 1e-12)
    // The five big spenders make the means uncertain, not the ranks (SciPy: mannwhitneyu, asymptotic).
    #expect(try #require(row.pValue) > 0.8)
    #expect(abs(try #require(row.rankPValue) - 0.028011568003439086) < 1e-12)
  }

  @Test("Segments and metrics that do not ask stay empty")
  func segmentsMetricsDo() throws {
    let night = try HandMade.night(offering, metrics: [metric])
    #expect(night.comparisons.filter { $0.key.segment != "all" }.allSatisfy { $0.rankPValue == nil })
    let plain = try HandMade.night(offering, metrics: [HandMade.revenue])
    #expect(plain.comparisons.allSatisfy { $0.bootstrapLiftInterval == nil })
  }

  @Test("Values that were not counted leave the columns empty")
  func valuesCountedLeave() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 500, HandMade.money(20, paying: 9, of: 500)),
      HandMade.group("group_a", users: 500, HandMade.money(20, paying: 9, of: 500)))
    #expect(try HandMade.night(offering, metrics: [metric]).comparison("group_a", metric).rankPValue == nil)
  }

  @Test("The columns stand behind the decision")
  func columnsStandBehind() throws {
    let names = ComparisonsTable().table(of: try HandMade.night(offering, metrics: [metric])).columns.map(\.name)
    let decision = try #require(names.firstIndex(of: "decision"))
    #expect(
      names[(decision + 1)...].prefix(5)
        == ["boot_abs_ci_low", "boot_abs_ci_high", "boot_rel_ci_low", "boot_rel_ci_high", "rank_p_value"])
  }

  @Test("The seed is a hash of the ids, in which no two keys run together")
  func seedHashIds() {
    func seed(_ offering: Identifier, _ metric: Identifier, _ group: Identifier) -> UInt64 {
      Robustness.seed(CellKey(offering: offering, group: group, segment: "all", metric: metric))
    }
    #expect(seed("a", "b", "c") != seed("ab", "", "c"))
    #expect(seed("a", "b", "c") != seed("a", "c", "b"))
  }
}
