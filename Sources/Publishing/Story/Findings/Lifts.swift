import Analysis
import Domain
import Statistics

/// One group held against the baseline: a metric in a segment.
struct Lift {
  let metric: StoryMetric
  let group: StoryGroup
  /// The group it is held against.
  let baseline: Identifier
  /// `all`, or `attribute=value`.
  let segment: Identifier
  /// In the metric's unit, like `value`; nil where nothing can be computed yet.
  let baselineValue: Double?
  let value: Double?
  /// A part of the baseline's value: 0.1 is 10 % more.
  let lift: Double?
  /// The lift's interval by the test that decides, at the level that is left among so many comparisons.
  let interval: Interval?
  /// The deciding p-value, adjusted for the number of comparisons.
  let adjustedPValue: Double?
  /// The probability that the group is better, as a single look sees it.
  let chanceToWin: Double?
  let outcome: Outcome
  /// Less is better.
  var isCost = false
  /// It is watched, not hoped for: it must not get worse.
  var isGuardrail = false
  /// It is only described.
  var isDescriptive = false

  /// What a comparison comes to.
  enum Outcome: Hashable {
    case decided(Decision)
    /// The metric is only described: this is its direction, which is neither good nor bad.
    case higher, lower

    /// `not worse`, `higher`.
    var words: String {
      switch self {
      case .decided(let decision): decision.words
      case .higher: "higher"
      case .lower: "lower"
      }
    }
  }
}

extension Lift {
  /// Every comparison of the offering: by metric, then by group, then by segment.
  static func all(in source: OfferingSource) -> [Lift] {
    source.rows(of: ComparisonsTable()).map { Lift($0, in: source) }
      .sorted { ($0.metric, $0.group) < ($1.metric, $1.group) }
  }

  private init(_ row: Table.Row<ComparisonsTable>, in source: OfferingSource) {
    metric = source.metric(row.metric)
    group = source.group(row.group)
    baseline = row.baseline
    segment = row.segment
    baselineValue = row.baselineValue
    value = row.value
    lift = row.lift.map(metric.unit.shown(lift:))
    interval = row.decidedInterval.flatMap(metric.unit.shown(lifts:))
    adjustedPValue = row.adjustedPValue
    chanceToWin = row.chanceToWin
    outcome = Outcome(row)
    isGuardrail = row.isGuardrail == true
    isDescriptive = row.isDescriptive == true
    isCost = row.goal == Goal.decrease.rawValue
  }

  /// The lift, above 0 where that is good; nil where none can be computed.
  var gain: Double? { lift.map { isCost ? -$0 : $0 } }

  /// Up to so many groups stand by name; of more the best are looked for, and they stand by what they gain.
  static let inNamesOrder = 3

  /// The same lifts, by metric; of many groups those of a metric by their gain, those without one last.
  static func ranked(_ lifts: [Lift]) -> [Lift] {
    guard Set(lifts.map(\.group)).count > inNamesOrder else { return lifts }
    return lifts.sorted { left, right in
      guard left.metric == right.metric else { return left.metric < right.metric }
      let (a, b) = (left.gain ?? -.infinity, right.gain ?? -.infinity)
      return a != b ? a > b : left.group < right.group
    }
  }
}

extension Lift.Outcome {
  fileprivate init(_ row: Table.Row<ComparisonsTable>) {
    switch row.decision {
    case "higher":
      self = .higher
      return
    case "lower":
      self = .lower
      return
    default: break
    }
    // Folders of earlier versions say better and worse of what is described, too.
    let decision = Decision(named: row.decision)
    let isDirection = row.isDescriptive == true && [.better, .worse].contains(decision)
    self = !isDirection ? .decided(decision) : (row.difference ?? 0) > 0 ? .higher : .lower
  }
}
