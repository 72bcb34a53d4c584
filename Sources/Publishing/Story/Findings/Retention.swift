import Analysis
import Statistics

/// What is left of each group's subscribers as time goes on, by one metric's definition of leaving.
struct Retention {
  /// Those that read the curve, in order; never none.
  let metrics: [StoryMetric]
  let clock: Clock
  /// The baseline first.
  let curves: [Curve]
  /// No table tells how long some product lasts, so that nobody sees its subscribers leave: the curves do not say who
  /// is left.
  let isBlind: Bool

  /// What time is counted in.
  enum Clock {
    /// Days since the first payment.
    case days
    /// Renewals that were due, grace over.
    case renewals
  }

  struct Curve: Hashable {
    let group: StoryGroup
    /// By time.
    let points: [Point]
  }

  /// A time at which someone ended or was last seen.
  struct Point: Hashable {
    let time: Int
    let atRisk: Int
    let ended: Int
    let censored: Int
    /// The share that is left.
    let survival: Double?
    let interval: Interval?
  }
}

extension Retention {
  /// The offering's curves by a clock, each once, whatever number of metrics read it.
  static func all(in source: OfferingSource, by clock: Clock) -> [Retention] {
    let rows = source.rows(of: clock.table)
    let isBlind = source.hasCheck("unknown_period")
    let metrics = Dictionary(grouping: rows) { source.metric($0.metric) }
    let byMetric = metrics.sorted { $0.key < $1.key }.map { metric, rows in
      let groups = Dictionary(grouping: rows) { source.group($0.group) }.sorted { $0.key < $1.key }
      let curves = groups.map { group, rows in
        Curve(group: group, points: rows.compactMap(Point.init).sorted { $0.time < $1.time })
      }
      return Retention(metrics: [metric], clock: clock, curves: curves, isBlind: isBlind)
    }
    return byMetric.reduce(into: []) { all, one in
      guard let same = all.firstIndex(where: { $0.curves == one.curves }) else { return all.append(one) }
      all[same] = Retention(
        metrics: all[same].metrics + one.metrics, clock: clock, curves: one.curves, isBlind: isBlind)
    }
  }
}

extension Retention.Clock {
  fileprivate var table: RetentionTable {
    switch self {
    case .days: .byDay
    case .renewals: .byRenewal
    }
  }
}

extension Retention.Point {
  fileprivate init?(_ row: Table.Row<RetentionTable>) {
    guard let time = row.time else { return nil }
    self.time = time
    atRisk = row.atRisk ?? 0
    ended = row.ended ?? 0
    censored = row.censored ?? 0
    survival = row.survival
    interval = row.interval
  }
}
