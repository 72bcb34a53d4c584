import Analysis
import Statistics

/// The lifts of one primary metric as they were at the end of each day.
struct LiftsByNight {
  let metric: StoryMetric
  /// By day, then by group.
  let lifts: [DayLift]
  /// What the night at hand decides of each group.
  var decisions: [StoryGroup: Decision] = [:]
  /// The UTC day whose end showed it first; none where nothing is shown, and in folders of versions that did not write it.
  var shownOn: [StoryGroup: String] = [:]

  struct DayLift {
    /// The UTC day, `2026-03-31`.
    let day: String
    let group: StoryGroup
    /// A part of the baseline's value.
    let lift: Double?
    /// By the test that decides, as of that day.
    let interval: Interval?
  }

  /// The days, first to last.
  var days: [String] {
    lifts.reduce(into: []) { days, lift in if days.last != lift.day { days.append(lift.day) } }
  }
}

extension LiftsByNight {
  /// One for each primary metric.
  static func all(in source: OfferingSource) -> [LiftsByNight] {
    let rows = source.rows(of: DailyLifts()).filter { $0.isPrimary == true }
    let decided = source.rows(of: ComparisonsTable()).filter { $0.segment == CellKey.everybody }
    return Dictionary(grouping: rows) { source.metric($0.metric) }.sorted { $0.key < $1.key }.map { metric, rows in
      let lifts = rows.map { DayLift($0, group: source.group($0.group), unit: metric.unit) }
      let own = decided.filter { source.metric($0.metric) == metric }
      let decisions = own.map { (source.group($0.group), Decision(named: $0.decision)) }
      let shown = own.filter { !$0.shownOn.isEmpty }.map { (source.group($0.group), $0.shownOn) }
      return LiftsByNight(
        metric: metric, lifts: lifts.sorted { ($0.day, $0.group) < ($1.day, $1.group) },
        decisions: Dictionary(decisions) { first, _ in first }, shownOn: Dictionary(shown) { first, _ in first })
    }
  }
}

extension LiftsByNight.DayLift {
  fileprivate init(_ row: Table.Row<DailyLifts>, group: StoryGroup, unit: Unit) {
    day = row.day
    self.group = group
    lift = row.lift.map(unit.shown(lift:))
    interval = row.decidedInterval.flatMap(unit.shown(lifts:))
  }
}
