import Analysis
import Domain

/// A funnel's users parted by an event that came to some of them between its first step and its second.
struct FunnelSplit {
  let funnel: Identifier
  let event: Identifier
  /// By group, those without the event first, then by step.
  let counts: [Count]

  struct Count {
    let group: StoryGroup
    /// The event came to these users.
    let happened: Bool
    /// From 1.
    let step: Int
    let name: Identifier
    let users: Int
    /// The share of those users of theirs who took the first step.
    let ofFirst: Double?
  }

  /// What must stand beside it.
  var note: String {
    "Who took the second step before \(event) came is among those without it. \(Outside.noComparison)"
  }
}

extension FunnelSplit {
  /// The offering's split funnels by name.
  static func all(in source: OfferingSource) -> [FunnelSplit] {
    let splits = Dictionary(grouping: source.rows(of: FunnelSplitsTable()), by: \.funnel)
    return splits.sorted { $0.key < $1.key }.map { funnel, rows in
      let counts = rows.map { Count($0, group: source.group($0.group)) }
      return FunnelSplit(funnel: funnel, event: rows.first?.event ?? "", counts: counts)
    }
  }
}

extension FunnelSplit.Count {
  fileprivate init(_ row: Table.Row<FunnelSplitsTable>, group: StoryGroup) {
    self.group = group
    happened = row.happened == "yes"
    step = row.step ?? 0
    name = row.stepName
    users = row.users ?? 0
    ofFirst = row.ofFirst
  }
}
