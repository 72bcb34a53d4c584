import Statistics

/// Each group's survival curves over everybody: day by day, and renewal by renewal.
enum RetentionCurves {
  static func byDay(of sets: [MetricSamples], settings: AnalysisSettings) -> [RetentionRow] {
    rows(of: sets, settings, \.byDay)
  }

  static func byRenewals(of sets: [MetricSamples], settings: AnalysisSettings) -> [RetentionRow] {
    rows(of: sets, settings, \.byRenewals)
  }

  private static func rows(
    of sets: [MetricSamples], _ settings: AnalysisSettings, _ counts: (SurvivalCounts) -> [SurvivalCount]
  ) -> [RetentionRow] {
    sets.filter { $0.metric.isSurvival && $0.metric.standsFor == nil && $0.segment == CellKey.everybody }.flatMap {
      set in
      set.samples.flatMap { sample in
        let curve = SurvivalCurve(sample.survival.map(counts) ?? [], alpha: settings.alpha)
        return (curve?.points ?? []).map { RetentionRow(key: set.key(of: sample.group), point: $0) }
      }
    }
  }
}

/// One time of one group's curve: a time at which someone ended, or was last seen.
package struct RetentionRow: Sendable {
  package var key: CellKey
  /// `time` in days since the first payment, or in renewals that were due.
  package var point: SurvivalCurve.Point
}
