import Domain
import Measurement
import Statistics

/// A group's value of a metric as an earlier night published it, and as that night would publish it today.
package struct RestatedRow: Sendable, Hashable {
  /// What is another than on that night.
  package enum Cause: String, Sendable, CaseIterable {
    /// The program alone: job and files are those of that night.
    case version
    /// The program, and the job or bytes of the files, too.
    case versionAndMore = "version_and_more"
    /// Files, the job, the program: all that is different today.
    case today
  }

  /// Everybody of a group.
  package var key: CellKey
  package var kind: ResultKind
  package var isMoney: Bool
  package var previousNight: String
  package var previousAsOf: Instant
  /// The values, in millionths, rounded; nil of nobody.
  package var published: Int128?
  package var restated: Int128?
  /// Each against the baseline's, without any adjustment; nil of the baseline, and where that has nothing.
  package var publishedLift: Double?
  package var restatedLift: Double?
  /// Of each lift the interval that decided, or would today, with the adjustments that `publishedLift` is without; nil of
  /// the baseline, and where none was published or none was counted.
  package var publishedInterval: Interval?
  package var restatedInterval: Interval?
  /// What that night said to do about the group, what it would say today, and what tonight says; nil of the baseline.
  package var publishedCall: GroupCall?
  /// Nil where tonight's call is the published one, or where it could not be counted.
  package var restatedCall: GroupCall?
  package var call: GroupCall?
  package var cause = Cause.today
  /// The program that published the night, nil where it did not say so, and the one that counts today.
  package var publishedVersion: String?
  package var restatedVersion: String?

  /// Whether the past is another than was published.
  package var isMoved: Bool { published != restated }
}

extension Changes {
  /// The offerings some of whose figures up to the previous night's cut-off are not what it published, a metric that it
  /// did not have aside.
  package var movedOfferings: Set<Identifier> {
    Set(sumKeys.filter { !isNew($0.metric) && published($0) != counted[$0] ?? .none }.map(\.offering))
  }

  /// The primary metrics of those offerings.
  ///
  /// - Parameters:
  ///   - night: tonight's result, which knows the baselines and the calls.
  ///   - again: that night as it would be today; nil where that was not asked for, or cannot be counted. What lifts'
  ///     intervals would be, tonight knows of the ends of days.
  package func restated(beside night: NightResult, again: NightResult?) -> [RestatedRow] {
    let moved = movedOfferings
    let baselines = Dictionary(night.groupMetrics.filter(\.isBaseline).map { ($0.key.offering, $0.key.group) }) {
      first, _ in first
    }
    let calls = CallsByGroup(published: previous.calls, restated: again?.calls ?? [], now: night.calls)
    let today = again?.comparisons ?? (try? night.daily.comparisons(at: previous.asOf)) ?? []
    let intervals = today.decidedIntervals
    return sumKeys.filter { moved.contains($0.offering) && !isNew($0.metric) }.sorted(by: Self.precedes).compactMap {
      guard var row = row($0, baseline: baselines[$0.offering]) else { return nil }
      (row.publishedCall, row.restatedCall, row.call) = calls.of($0)
      (row.publishedInterval, row.restatedInterval) = (previous.intervals[$0], intervals[$0])
      return row
    }
  }

  private func row(_ key: CellKey, baseline: Identifier?) -> RestatedRow? {
    guard let metric = metrics[key.metric] else { return nil }
    func lift(_ sums: (CellKey) -> SufficientSums) -> Double? {
      guard let baseline, baseline != key.group else { return nil }
      return sums(key).lift(
        over: sums(CellKey(offering: key.offering, group: baseline, metric: key.metric)), metric.kind)
    }
    let counted = { self.counted[$0] ?? .none }
    return RestatedRow(
      key: key, kind: metric.resultKind, isMoney: metric.isMoney, previousNight: previous.night,
      previousAsOf: previous.asOf, published: published(key).valueMicros(metric.kind, scale: metric.scale),
      restated: counted(key).valueMicros(metric.kind, scale: metric.scale), publishedLift: lift(published),
      restatedLift: lift(counted))
  }
}

extension SufficientSums {
  /// The value against another's, less one; nil where either is of nobody, or the other is not above 0.
  fileprivate func lift(over other: Self, _ kind: MetricKind) -> Double? {
    let (own, others) = (denominator(kind), other.denominator(kind))
    guard own > 0, others > 0, other.y > 0 else { return nil }
    return (Double(y) / Double(own)) / (Double(other.y) / Double(others)) - 1
  }
}

extension [ComparisonRow] {
  /// The intervals that decide over everybody.
  var decidedIntervals: [CellKey: Interval] {
    reduce(into: [:]) { intervals, row in
      if row.key.segment == CellKey.everybody { intervals[row.key] = row.decidedLiftInterval }
    }
  }
}
