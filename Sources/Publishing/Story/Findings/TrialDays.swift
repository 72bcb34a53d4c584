import Analysis

/// How many of a group's users first paid on one day of their trial.
struct TrialDayFinding {
  /// The trial's first 24 hours are day 1.
  let day: Int
  let group: StoryGroup
  /// Users whose trial began so long before the cut-off that the day is over.
  let trials: Int
  /// Those of them who first paid on that day.
  let paid: Int
  let share: Double?
}

extension TrialDayFinding {
  /// By day, then by group.
  static func all(in source: OfferingSource) -> [TrialDayFinding] {
    source.rows(of: TrialDaysTable()).map { row in
      TrialDayFinding(
        day: row.day ?? 0, group: source.group(row.group), trials: row.trials ?? 0, paid: row.paid ?? 0,
        share: row.share)
    }
    .sorted { ($0.day, $0.group) < ($1.day, $1.group) }
  }
}
