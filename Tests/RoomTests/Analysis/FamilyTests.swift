import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement

/// Which p-values are adjusted together, and how.
struct FamilyTests {
  /// A row whose fixed p is given; everything else is of no matter here.
  private func row(
    _ pValue: Double?, primary: Bool, segment: Identifier = "all", offering: Identifier = "spring",
    group: Identifier = "group_a"
  ) -> ComparisonRow {
    var row = ComparisonRow(
      key: CellKey(offering: offering, group: group, segment: segment, metric: "m"), baseline: "control",
      kind: .mean, primary: primary, goal: .increase, isMoney: false)
    row.outcomes = [
      DecisionOutcome(rule: "sequential", pValue: pValue.map { min(1, $0 * 10) }),
      DecisionOutcome(rule: "fixed", pValue: pValue),
    ]
    return row
  }

  private func adjusted(_ rows: [ComparisonRow], _ change: (inout AnalysisSettings) -> Void = { _ in })
    -> [Double?]
  {
    var (rows, settings) = (rows, AnalysisSettings())
    settings.rule = Fixed()
    change(&settings)
    Families.adjust(&rows, settings: settings)
    return rows.map { $0.adjustedPValue.map { ($0 * 1e12).rounded() / 1e12 } }
  }

  @Test("Primary metrics go through Holm, groups and metrics together")
  func primaryMetricsGo() {
    let rows = [0.01, 0.04, 0.03].map { row($0, primary: true) }
    #expect(adjusted(rows) == [0.03, 0.06, 0.06])
  }

  @Test("All other metrics go through Benjamini and Hochberg")
  func otherMetricsGo() {
    let rows = [0.01, 0.04, 0.03].map { row($0, primary: false) }
    #expect(adjusted(rows) == [0.03, 0.04, 0.04])
  }

  @Test("Segments are a family of their own, primary metrics or not")
  func segmentsFamilyOwn() {
    let rows = [
      row(0.01, primary: true), row(0.02, primary: true, segment: "country=DE"),
      row(0.03, primary: false, segment: "country=US"),
    ]
    #expect(adjusted(rows) == [0.01, 0.03, 0.03])
  }

  @Test("Offerings are families of their own")
  func offeringsFamiliesOwn() {
    let rows = [row(0.01, primary: true), row(0.02, primary: true, offering: "summer")]
    #expect(adjusted(rows) == [0.01, 0.02])
  }

  @Test("A missing p-value stays missing and counts for nothing")
  func missingPValue() {
    let rows = [row(0.01, primary: true), row(nil, primary: true), row(0.03, primary: true)]
    #expect(adjusted(rows) == [0.02, nil, 0.03])
  }

  @Test("The p that decides is the one that is adjusted")
  func pDecidesOne() {
    let rows = [row(0.01, primary: true), row(0.001, primary: true)]
    #expect(adjusted(rows) { $0.rule = Sequential() } == [0.1, 0.02])
  }

  @Test("The job's method is for the primary metrics")
  func jobMethodPrimary() {
    let rows =
      [0.01, 0.04, 0.03].map { row($0, primary: true) } + [0.01, 0.04].map { row($0, primary: false) }
    #expect(adjusted(rows) { $0.adjust = .bh } == [0.03, 0.04, 0.04, 0.02, 0.04])
    #expect(adjusted(rows) { $0.adjust = .hochberg } == [0.03, 0.04, 0.04, 0.02, 0.04])
  }

  @Test("Adjusting nothing leaves every family as it is")
  func adjustingNothingLeaves() {
    let rows = [row(0.01, primary: true), row(0.02, primary: true), row(0.03, primary: false)]
    #expect(adjusted(rows) { $0.adjust = .none } == [0.01, 0.02, 0.03])
  }
}
