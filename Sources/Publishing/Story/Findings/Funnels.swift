import Analysis
import Domain

/// How many of each group's users took each step of a funnel.
struct Funnel {
  let name: Identifier
  /// First to last.
  let steps: [Step]
  /// How long after the first step the later ones may come; nil: any time, or not known.
  let withinMilliseconds: Int64?
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
  /// `Funnel recovery, from billing_retry to billing_recovery within 16 days: control 50 % (21 of 42), group_a 54.3 % (19
  /// of 35).`; nil of a funnel of one step.
  var reached: String? {
    guard let first = steps.first, let last = steps.last, last.number > first.number else { return nil }
    let counts = last.groups.filter(\.isReachable).compactMap { count -> String? in
      guard let share = count.ofFirst, let began = first.groups.first(where: { $0.group == count.group })
      else { return nil }
      let users = "\(Phrase.count(count.users)) of \(Phrase.count(began.users))"
      return "\(count.group.inWords) \(Phrase.percent(share)) (\(users))"
    }
    guard !counts.isEmpty else { return "Nobody began the funnel \(name) yet." }
    let within = withinMilliseconds.map { " within \(Phrase.duration(milliseconds: $0))" } ?? ""
    return "Funnel \(name), from \(first.name) to \(last.name)\(within): \(StoryWords.list(counts))."
  }

  /// The offering's funnels by name.
  static func all(in source: OfferingSource) -> [Funnel] {
    let splits = FunnelSplit.all(in: source)
    let funnels = Dictionary(grouping: source.rows(of: FunnelsTable()), by: \.funnel)
    return funnels.sorted { $0.key < $1.key }.map { name, rows in
      let steps = Dictionary(grouping: rows) { $0.step ?? 0 }
      return Funnel(
        name: name,
        steps: steps.sorted { $0.key < $1.key }.map { Step(number: $0, rows: $1, in: source) },
        withinMilliseconds: source.window(ofFunnel: name),
        split: splits.first { $0.funnel == name })
    }
  }
}

extension Funnel.Step {
  fileprivate init(number: Int, rows: [Table.Row<FunnelsTable>], in source: OfferingSource) {
    self.number = number
    name = rows.first?.stepName ?? ""
    groups = rows.map { Funnel.Count($0, group: source.group($0.group)) }
  }
}

extension Funnel.Count {
  fileprivate init(_ row: Table.Row<FunnelsTable>, group: StoryGroup) {
    self.group = group
    users = row.users ?? 0
    ofPrevious = row.ofPrevious
    ofFirst = row.ofFirst
    pValue = row.pValue
    immature = row.immature ?? 0
    isReachable = row.isReachable ?? true
  }
}
