import Domain
import Measurement
import Statistics

/// `robust: true`: an interval and a test that do not trust the bell curve, for revenue that a few users make.
///
/// A bootstrap of how many users have each value (BCa, 10,000 draws), and Mann and Whitney's test of whether
/// users of one group tend to have more. Both are of the plain values, whatever else the comparison adjusts,
/// for a single look, and over everybody: segments are there to explore, and too many for this.
enum Robustness {
  /// Draws of each bootstrap.
  static let draws = 10_000

  /// Of each metric that asks for it, by id, the users with a value in the group that has the fewest.
  static func leastPayers(of offering: OfferingMeasurement, metrics: [MeasuredMetric]) -> [(String, Int)] {
    metrics.enumerated().filter { isAskedFor($0.element, in: offering) }.map { index, metric in
      let counts = valueCounts(of: offering, index: index, metric).values
      return (metric.request.id, offering.groups.isEmpty ? 0 : counts.map(\.nonzero).min() ?? 0)
    }
  }

  /// Where groups are compared within days or phases, the values of all their users together say nothing of it.
  private static func isAskedFor(_ metric: MeasuredMetric, in offering: OfferingMeasurement) -> Bool {
    metric.request.robust && metric.kind != .ratio && metric.hasSums && metric.request.stratify != .day
      && offering.weightPhases.isEmpty
  }

  /// Fills in the columns of the rows of one offering whose metrics ask for it.
  static func fill(
    _ rows: inout [ComparisonRow], from offering: OfferingMeasurement, metrics: [MeasuredMetric],
    settings: AnalysisSettings
  ) {
    for (index, metric) in metrics.enumerated() where isAskedFor(metric, in: offering) {
      let counts = valueCounts(of: offering, index: index, metric)
      for row in rows.indices where isRow(rows[row], of: metric) {
        guard let a = counts[rows[row].baseline], let b = counts[rows[row].key.group] else { continue }
        rows[row].fill(a, b, alpha: settings.alpha)
      }
    }
  }

  private static func isRow(_ row: ComparisonRow, of metric: MeasuredMetric) -> Bool {
    row.key.segment == CellKey.everybody && row.key.metric == Identifier(metric.request.id)
  }

  /// The values of each group's users over everybody; a group whose values were not counted has none.
  private static func valueCounts(
    of offering: OfferingMeasurement, index: Int, _ metric: MeasuredMetric
  ) -> [Identifier: ValueCounts] {
    var counts: [Identifier: ValueCounts] = [:]
    for group in offering.groups {
      let everybody = group.segments.first { $0.id == CellKey.everybody }
      guard let measured = everybody?.metrics[index], !measured.values.isEmpty else { continue }
      counts[group.id] = QuantileFigures.counts(measured.values, metric)
    }
    return counts
  }

  /// Where the draws begin: the ids of what is compared, so that the same inputs give the same interval, and no
  /// two comparisons the same draws.
  ///
  /// FNV-1a, 64 bits (Fowler, Noll & Vo), each id ended by a byte that no UTF-8 text has.
  static func seed(_ key: CellKey) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for id in [key.offering, key.metric, key.group] {
      for byte in Array(id.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    return hash
  }
}

extension ComparisonRow {
  fileprivate mutating func fill(_ a: ValueCounts, _ b: ValueCounts, alpha: Double) {
    let bootstrap = Bootstrap(
      baseline: a, other: b, alpha: alpha, draws: Robustness.draws, seed: Robustness.seed(key))
    bootstrapDifferenceInterval = bootstrap?.absInterval
    bootstrapLiftInterval = bootstrap?.relInterval
    rankPValue = RankSum(baseline: a, other: b)?.pValue
  }
}
