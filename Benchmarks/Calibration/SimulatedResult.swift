import Analysis
import Domain
import Measurement
import Statistics

extension SimulatedNight {
  /// What Analysis made of a night.
  package struct Result: Sendable {
    /// By metric, then by group.
    package var values: [[Value]]
    /// By metric, then by group without the baseline.
    package var comparisons: [[Row]]
    /// The same of what is decided: of a ratio or a curve its numerator over all users.
    package var decided: [[Row]]
    /// By group without the baseline.
    package var verdicts: [Verdict]
    /// A row that decides, of whatever metric and segment, is better or worse, or a group is to be shipped or dropped.
    package var isAnythingCalled: Bool
    /// Names of the checks that failed.
    package var failedChecks: Set<String>
    /// Names of the checks that warned.
    package var warnedChecks: Set<String>
    /// Names of those whose p-value is too small to believe, whether they fail by it or warn.
    package var suspiciousChecks: Set<String>
  }

  /// One group's value of one metric.
  package struct Value: Sendable {
    package var value: Double?
    package var interval: Interval?
  }

  /// One group held against the baseline.
  package struct Row: Sendable {
    package var pValue: Double?
    package var adjustedPValue: Double?
    package var sequentialPValue: Double?
    package var difference: Interval?
    package var lift: Interval?
    package var sequentialDifference: Interval?
    package var sequentialLift: Interval?
    package var bootstrapDifference: Interval?
    package var bootstrapLift: Interval?
    package var test: String?
    /// It decides, and its decision is `better` or `worse`.
    package var isCalled: Bool
    package var decision: Decision
    /// The night, from 1, from which on the decision stands; nil where nothing is shown.
    package var shownOn: Int?
  }

  /// What to do about a group, and what will come of it.
  package struct Verdict: Sendable {
    package var call: Call
    /// The lift that was measured of the metric that the call names first.
    package var measured: Double?
    /// What will come of that lift.
    package var expected: Double?
    /// The interval of that.
    package var expectedInterval: Interval?
    /// The night, from 1, from which on the decision of its first metric stands; nil where nothing is shown.
    package var shownOn: Int?
  }
}

extension SimulatedNight.Result {
  /// - Parameter metrics: of which to keep what was made.
  init(_ night: NightResult, of metrics: [MeasuredMetric]) {
    (values, comparisons, decided) = ([], [], [])
    let overall = night.comparisons.filter { $0.key.segment == CellKey.everybody }
    for metric in metrics {
      let id = Identifier(metric.request.id)
      values.append(
        night.groupMetrics.filter { $0.key.metric == id && $0.key.segment == CellKey.everybody }.map {
          SimulatedNight.Value(value: $0.value, interval: $0.interval)
        })
      let perUser = Identifier("\(metric.request.id)_per_user")
      let (own, decides) = (overall.filter { $0.key.metric == id }, overall.filter { $0.key.metric == perUser })
      comparisons.append(own.map(SimulatedNight.Row.init))
      decided.append((decides.isEmpty ? own : decides).map(SimulatedNight.Row.init))
    }
    let groups = night.verdicts.flatMap(\.groups).sorted { $0.group < $1.group }
    verdicts = groups.map {
      SimulatedNight.Verdict(
        call: $0.call, measured: $0.measured?.lift, expected: $0.expected?.lift,
        expectedInterval: $0.expected?.interval,
        shownOn: $0.shownSince.map(SimulatedNight.number(of:)))
    }
    isAnythingCalled = night.comparisons.contains(where: \.isCalled) || verdicts.contains { $0.isActedOn }
    failedChecks = Set(night.checks.filter { $0.status == .fail }.map(\.name))
    warnedChecks = Set(night.checks.filter { $0.status == .warn }.map(\.name))
    suspiciousChecks = Set(
      night.checks.filter { $0.pValue.map { $0 < SampleRatioLimits.suspectBelow } ?? false }.map(\.name))
  }
}

extension SimulatedNight {
  /// The number of a night, from 1.
  fileprivate static func number(of end: Instant) -> Int { Int(end.milliseconds / Instant.millisecondsPerDay) }
}

extension SimulatedNight.Verdict {
  fileprivate var isActedOn: Bool { call == .ship || call == .drop }
}

extension ComparisonRow {
  fileprivate var isCalled: Bool { !isDescriptive && (decision == .better || decision == .worse) }
}

extension SimulatedNight.Row {
  fileprivate init(_ row: ComparisonRow) {
    let nightly = row.outcome(by: "sequential")
    self.init(
      pValue: row.pValue, adjustedPValue: row.adjustedPValue, sequentialPValue: nightly?.pValue,
      difference: row.differenceInterval, lift: row.liftInterval,
      sequentialDifference: nightly?.differenceInterval, sequentialLift: nightly?.liftInterval,
      bootstrapDifference: row.bootstrapDifferenceInterval, bootstrapLift: row.bootstrapLiftInterval,
      test: row.test, isCalled: row.isCalled, decision: row.decision,
      shownOn: row.shownSince.map(SimulatedNight.number(of:)))
  }
}
