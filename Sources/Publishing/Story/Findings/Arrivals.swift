import Analysis
import Domain

/// On which days the measured users of a group began.
struct Arrivals {
  let group: StoryGroup
  /// In order; a day on which nobody began is left out.
  let days: [Day]

  struct Day {
    /// UTC, `2026-03-31`.
    let day: String
    let users: Int
  }

  var users: Int { days.reduce(0) { $0 + $1.users } }
}

extension Joining {
  /// Whether users of an offering still join, by the days on which they began.
  ///
  /// - Parameter cutoff: the night's, in RFC 3339.
  init(_ arrivals: [Arrivals], cutoff: String) {
    let last = arrivals.flatMap(\.days).map(\.day).max()
    self.init(
      users: arrivals.reduce(0) { $0 + $1.users }, lastDay: last.flatMap(CivilDays.date),
      cutoff: (try? Instant(cutoff, timezone: .gmt)) ?? Instant(milliseconds: 0))
  }
}

extension Arrivals {
  /// The baseline first.
  static func all(in source: OfferingSource) -> [Arrivals] {
    let groups = Dictionary(grouping: source.rows(of: ArrivalsTable())) { source.group($0.group) }
    return groups.sorted { $0.key < $1.key }.map { group, rows in
      Arrivals(group: group, days: rows.map { Day(day: $0.day, users: $0.users ?? 0) })
    }
  }
}
