import Analysis
import Measurement

/// How many of each group's measured users stand in one state at the cut-off.
struct StateCounts {
  let state: UserState
  /// The baseline first.
  let groups: [Count]

  struct Count {
    let group: StoryGroup
    let users: Int
    /// Of all measured users.
    let share: Double?
  }

  func count(of group: StoryGroup) -> Count? { groups.first { $0.group == group } }
}

extension StateCounts {
  /// The states somebody is in, in the order in which a user falls to the first that fits.
  static func all(in source: OfferingSource) -> [StateCounts] {
    let rows = Dictionary(grouping: source.rows(of: StatesTable()), by: \.state)
    return UserState.allCases.compactMap { state in
      let counts = (rows[state.name] ?? []).map { row in
        Count(group: source.group(row.group), users: row.users ?? 0, share: row.share)
      }
      return counts.contains { $0.users > 0 } ? StateCounts(state: state, groups: counts) : nil
    }
  }
}
