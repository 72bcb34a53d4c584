import Analysis
import Domain

/// How many of each group's users took each step of a funnel.
struct Funnel {
  let name: Identifier
  /// First to last.
  let steps: [Step]
  /// The same users parted by an event; nil where the job parts them by none.
  let split: FunnelSplit?

  struct Step {
    /// From 1.
    let number: Int
    /// The event, or several: `purchase or renewal`.
    let name: Identifier
    /// The baseline first.
    let groups: [Count]
  }

  /// One group's users at one step.
  struct Count {
    let group: StoryGroup
    /// Users who took this step and all before it.
    let users: Int
    /// The share of those who took the step before; of the first step, of all measured users.
    let ofPrevious: Double?
    /// The share of those who took the first step.
    let ofFirst: Double?
    /// Of the share of the first step's users, against the baseline's.
    let pValue: Double?
    /// Users who took the first step too short a time before the cut-off to be counted.
    let immature: Int
    /// The group can take this step and all before it.
    let isReachable: Bool
  }
}

extension Funnel {
  /// The offering's funnels by name.
  static func all(in source: OfferingSource) -> [Funnel] {
    let splits = FunnelSplit.all(in: source)
    let funnels = Dictionary(grouping: source.rows(.funnels)) { $0.name("funnel") }
    return funnels.sorted { $0.key < $1.key }.map { name, rows in
      let steps = Dictionary(grouping: rows) { $0.integer("step") ?? 0 }
      return Funnel(
        name: name,
        steps: steps.sorted { $0.key < $1.key }.map { Step(number: $0, rows: $1, in: source) },
        split: splits.first { $0.funnel == name })
    }
  }
}

extension Funnel.Step {
  fileprivate init(number: Int, rows: [Table.Row], in source: OfferingSource) {
    self.number = number
    name = rows.first?.name("name") ?? ""
    groups = rows.map { Funnel.Count($0, group: source.group($0)) }
  }
}

extension Funnel.Count {
  fileprivate init(_ row: Table.Row, group: StoryGroup) {
    self.group = group
    users = row.integer("users") ?? 0
    ofPrevious = row.real("of_previous")
    ofFirst = row.real("of_first")
    pValue = row.real("p_value_vs_baseline")
    immature = row.integer("immature") ?? 0
    isReachable = row.flag("reachable") ?? true
  }
}
