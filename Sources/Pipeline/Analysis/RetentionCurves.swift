import Statistics

/// Each group's survival curves over everybody, day by day.
enum RetentionCurves {
  static func rows(of sets: [MetricSamples], settings: AnalysisSettings) -> [RetentionRow] {
    sets.filter { $0.metric.isSurvival && $0.segment == CellKey.everybody }.flatMap { set in
      set.samples.flatMap { sample in
        let curve = SurvivalCurve(sample.survival ?? [], alpha: settings.alpha)
        return (curve?.points ?? []).map { RetentionRow(key: set.key(of: sample.group), point: $0) }
      }
    }
  }
}

/// One day of one group's curve: a day on which someone ended, or was last seen.
struct RetentionRow: Sendable {
  var key: CellKey
  /// `time` in days since the first payment.
  var point: SurvivalCurve.Point
}
