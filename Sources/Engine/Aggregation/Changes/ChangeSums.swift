import Measurement

/// How the sums of each group's metrics came from an earlier night's cut-off to the run's own.
struct ChangeSums: Mergeable {
  /// By group, then by place among the metrics that are followed.
  private(set) var groups: [GroupKey: [MetricChange]] = [:]
  /// What files of the log, and of the assignments, that came late tell of the time before the earlier cut-off, by their
  /// numbers.
  var lateLogs: [UInt32: LateCounts] = [:]
  var lateAssignments: [UInt32: LateCounts] = [:]
  /// How many metrics are followed.
  let width: Int

  init(metrics: Int) {
    width = metrics
  }

  /// One metric of one group.
  struct MetricChange: Tally {
    /// The users who counted at the earlier cut-off, by the events of files that night had read.
    var known = Accumulator()
    /// The same by all events before that cut-off.
    var before = Accumulator()
    /// What each part has added since and taken away, by its place in `ChangePart.ofUsers`.
    var since = Array(repeating: Accumulator(), count: ChangePart.ofUsers.count)

    static let parts: [TallyPart<Self>] = [
      TallyPart(\.known), TallyPart(\.before), TallyPart("changes", \.since, count: { _ in ChangePart.ofUsers.count }),
    ]

    /// Everybody at the run's own cut-off.
    var now: Accumulator { since.reduce(into: before) { $0.merge($1) } }
  }

  /// Changes what is known of a group.
  @inline(__always)
  mutating func update(_ group: GroupKey, _ change: (inout [MetricChange]) -> Void) {
    change(&groups[group, default: Array(repeating: MetricChange(), count: width)])
  }

  mutating func merge(_ other: ChangeSums) {
    for (key, theirs) in other.groups { update(key) { mine in mine.merge(theirs) { $0.merge($1) } } }
    lateLogs.merge(other.lateLogs)
    lateAssignments.merge(other.lateAssignments)
  }

  func misfit(_ shape: SumsShape) -> String? {
    guard lateLogs.keys.allSatisfy({ $0 < shape.files }),
      lateAssignments.keys.allSatisfy({ $0 < shape.assignmentFiles })
    else { return "late files" }
    let count = shape.followedMetrics
    let isFit = width == count && groups.allSatisfy { shape.knows($0) && $1.count == count }
    return isFit ? groups.values.joined().lazy.compactMap { $0.misfit(shape) }.first : "changes"
  }
}
