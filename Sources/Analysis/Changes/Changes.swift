import Domain
import Measurement
import Statistics

/// Why each group's primary metrics are not what the previous night published.
///
/// The way from one value to the other is walked in the order of `ChangePart`. Each part adds to users and sums exactly
/// what it says; it moves the value by what the value is after it less what it was before, both rounded to millionths.
/// So the parts of every column add up to the whole change in the digits that are printed.
package struct Changes: Sendable {
  package let previous: PreviousNight
  let metrics: [Identifier: MeasuredMetric]
  private let measured: [CellKey: MeasuredChange]

  /// - Parameter measured: what the run took at the previous night's cut-off and at its own.
  package init(since previous: PreviousNight, measured: [MeasuredChange], metrics: [MeasuredMetric]) {
    self.previous = previous
    let primary = metrics.filter(\.request.primary).map { (Identifier($0.request.id), $0) }
    self.metrics = Dictionary(primary) { first, _ in first }
    self.measured = Dictionary(
      measured.map { (CellKey(offering: $0.offering, group: $0.group, metric: $0.metric), $0) }
    ) { first, _ in first }
  }

  /// Whether the events of files that the previous night had not read are all that is different about the time before
  /// its cut-off: without them today's run comes to what it published.
  package var areLateEventsAll: Bool {
    sumKeys.allSatisfy { isNew($0.metric) || published($0) == measured[$0].map { SufficientSums($0.known) } ?? .none }
  }

  /// The sums at the previous night's cut-off as they are counted today.
  package var counted: [CellKey: SufficientSums] { measured.mapValues { SufficientSums($0.before) } }

  /// The sums that the previous night published.
  package var published: [CellKey: SufficientSums] {
    sumKeys.reduce(into: [:]) { $0[$1] = published($1) }
  }

  /// Every part of every primary metric of every group.
  ///
  /// - Parameter values: tonight's values, for metrics that are no sums.
  package func rows(_ past: PastCount, values: [GroupMetricRow]) -> [ChangeRow] {
    sumKeys.sorted(by: Self.precedes).flatMap { rows($0, past) } + wholeRows(values)
  }

  // MARK: - What is compared

  /// The groups and primary metrics with sums of either night.
  var sumKeys: Set<CellKey> {
    let known = previous.sums.keys.filter { metrics[$0.metric]?.hasSums ?? false }
    return Set(measured.keys).union(known)
  }

  /// What the previous night published; nothing where it had no such metric, or one of that name made otherwise.
  func published(_ key: CellKey) -> SufficientSums {
    guard let row = previous.sums[key], let metric = metrics[key.metric], row.kind == metric.kind,
      row.scale == metric.scale
    else { return .none }
    return row.sums
  }

  /// Whether the previous night had no such metric; a night on which nobody was measured tells of none.
  func isNew(_ metric: Identifier) -> Bool {
    guard let now = metrics[metric] else { return true }
    guard !previous.sums.isEmpty else { return false }
    return !previous.sums.contains {
      $0.key.metric == metric && $0.value.kind == now.kind && $0.value.scale == now.scale
    }
  }

  static func precedes(_ left: CellKey, _ right: CellKey) -> Bool {
    (left.offering, left.group, left.metric) < (right.offering, right.group, right.metric)
  }

  // MARK: - Sums

  private func rows(_ key: CellKey, _ past: PastCount) -> [ChangeRow] {
    guard let metric = metrics[key.metric] else { return [] }
    var parts = pastParts(key, past)
    let later = measured[key]?.parts ?? ChangePart.ofUsers.map { MeasuredChange.Part($0, SufficientStatistics()) }
    parts += later.map { ($0.part, SufficientSums($0.sums)) }
    func value(_ sums: SufficientSums) -> Int128? { sums.valueMicros(metric.kind, scale: metric.scale) }
    let start = published(key)
    let end = parts.reduce(start) { $0 + $1.sums }
    let (before, now) = (value(start), value(end))
    var sums = start
    var last = before
    return parts.map { part, change in
      sums = sums + change
      // A step that leaves nobody moves nothing; the next one moves all the way.
      let reached = value(sums) ?? last
      defer { last = reached }
      return ChangeRow(
        key: key, kind: metric.resultKind, isMoney: metric.isMoney, previousNight: previous.night,
        previousAsOf: previous.asOf, part: part, sums: change,
        valueMicros: before == nil || now == nil ? nil : reached.flatMap { here in last.map { here - $0 } },
        before: before, now: now)
    }
  }

  /// The parts that lead from what was published to what is counted today up to the same cut-off.
  private func pastParts(_ key: CellKey, _ past: PastCount) -> [(part: ChangePart, sums: SufficientSums)] {
    let (start, end) = (published(key), counted[key] ?? .none)
    let isNew = isNew(key.metric)
    let middle = isNew ? end : past.knownFiles.map { $0[key] ?? .none } ?? end
    let cause: ChangePart =
      if isNew {
        .changedJob
      } else if past.knownFiles == nil || past.areFilesRewritten == past.isJobChanged {
        .changedPast
      } else {
        past.isJobChanged ? .changedJob : .correctedRows
      }
    let parts: [ChangePart] = [.correctedRows, .changedJob, .changedPast]
    let reported = parts.map { ($0, $0 == cause ? middle - start : .none) }
    return reported.filter { $0.0 != .changedPast || $0.1 != .none } + [(.lateRows, end - middle)]
  }

  // MARK: - What is no sum

  /// One row each for quantiles and curves, whose value is no sum over users.
  private func wholeRows(_ values: [GroupMetricRow]) -> [ChangeRow] {
    let now = Dictionary(values.map { ($0.key, $0.value) }) { first, _ in first }
    let keys = Set(now.keys).union(previous.values.keys).filter { key in
      key.segment == CellKey.everybody && metrics[key.metric].map { !$0.hasSums } ?? false
    }
    return keys.sorted(by: Self.precedes).compactMap { key in
      guard let metric = metrics[key.metric] else { return nil }
      let (old, new) = (previous.values[key].micros, (now[key] ?? nil).micros)
      return ChangeRow(
        key: key, kind: metric.resultKind, isMoney: metric.isMoney, previousNight: previous.night,
        previousAsOf: previous.asOf, part: .notSplit, valueMicros: old.flatMap { old in new.map { $0 - old } },
        before: old, now: new)
    }
  }
}
