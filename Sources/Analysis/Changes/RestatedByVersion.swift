import Domain
import Measurement

extension PreviousNight {
  /// Every figure over everybody, and every call, that another version of this program counts otherwise; of a metric that
  /// moved in some group all groups, and of an offering whose call moved the primary metrics.
  ///
  /// - Parameters:
  ///   - again: the night as this version counts it, over the files that it had read.
  ///   - version: this one.
  ///   - cause: `version`, or what else is different.
  ///   - tonight: what is called tonight.
  package func restated(as again: NightResult, by version: String, _ cause: RestatedRow.Cause, tonight: [GroupCall])
    -> [RestatedRow]
  {
    let everybody = again.groupMetrics.filter { $0.key.segment == CellKey.everybody }
    let counted = Dictionary(everybody.map { ($0.key, $0) }) { first, _ in first }
    let baselines = Dictionary(everybody.filter(\.isBaseline).map { ($0.key.offering, $0.key.group) }) { first, _ in
      first
    }
    let intervals = again.comparisons.decidedIntervals
    let calls = CallsByGroup(published: self.calls, restated: again.calls, now: tonight)
    let primary = Set(again.comparisons.filter(\.primary).map(\.key.metric))
    let keys = Set(values.keys.filter { $0.segment == CellKey.everybody }).intersection(counted.keys)
    let moved = Set(keys.filter { values[$0].micros != counted[$0]?.value.micros }.map(\.metricOfOffering))
    return keys.sorted(by: Changes.precedes).compactMap { key -> RestatedRow? in
      let isOfMovedCall = primary.contains(key.metric) && calls.moved.contains(key.offering)
      guard let metric = counted[key], moved.contains(key.metricOfOffering) || isOfMovedCall else { return nil }
      func lift(_ value: (CellKey) -> Double?) -> Double? {
        guard let baseline = baselines[key.offering], baseline != key.group,
          let other = value(CellKey(offering: key.offering, group: baseline, metric: key.metric)), other > 0
        else { return nil }
        return value(key).map { $0 / other - 1 }
      }
      var row = RestatedRow(
        key: key, kind: metric.kind, isMoney: metric.isMoney, previousNight: night, previousAsOf: asOf,
        published: values[key].micros, restated: metric.value.micros, publishedLift: lift { values[$0] },
        restatedLift: lift { counted[$0]?.value })
      (row.publishedCall, row.restatedCall, row.call) = calls.of(key)
      (row.publishedInterval, row.restatedInterval) = (self.intervals[key], intervals[key])
      (row.cause, row.publishedVersion, row.restatedVersion) = (cause, self.version, version)
      return row
    }
  }
}

/// What a night said to do about each group, would say today, and what tonight says.
struct CallsByGroup {
  private let published: [Position: GroupCall]
  private let restated: [Position: GroupCall]
  private let now: [Position: GroupCall]

  private struct Position: Hashable {
    var offering: Identifier
    var group: Identifier
  }

  init(published: [GroupCall], restated: [GroupCall], now: [GroupCall]) {
    func byGroup(_ calls: [GroupCall]) -> [Position: GroupCall] {
      Dictionary(calls.map { (Position(offering: $0.offering, group: $0.group), $0) }) { first, _ in first }
    }
    (self.published, self.restated, self.now) = (byGroup(published), byGroup(restated), byGroup(now))
  }

  func of(_ key: CellKey) -> (published: GroupCall?, restated: GroupCall?, now: GroupCall?) {
    let position = Position(offering: key.offering, group: key.group)
    return (published[position], restated[position], now[position])
  }

  /// The offerings of whose groups some would be called otherwise today.
  var moved: Set<Identifier> {
    Set(
      published.filter { position, was in restated[position].map { $0.call != was.call } ?? false }.map(\.key.offering))
  }
}

extension CellKey {
  fileprivate var metricOfOffering: [Identifier] { [offering, metric] }
}

extension Optional<Double> {
  /// In millionths, rounded half to even; nil where there is none, or it leaves 128 bits.
  var micros: Int128? { flatMap { Int128(exactly: ($0 * 1_000_000).rounded(.toNearestOrEven)) } }
}
