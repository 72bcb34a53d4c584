import Jobs

/// A run's users and their events, waiting by partition to be attributed and added up.
protocol UserPartitions: Sendable {
  /// Attributes and adds up every partition, on at most `threads` tasks. Once: what waited is given back.
  ///
  /// - Parameters:
  ///   - rule: what becomes of users who were put into several groups.
  ///   - abandoned: files whose assignments do not count, because they turned out to be damaged.
  /// - Throws: `OfferliftError` (74) where partitions lie on a disk that does not give them back.
  func attribute(
    by plan: MeasurementPlan, retaining rule: Job.MultipleGroups, abandoned: Set<Int>, threads: Int
  ) async throws -> AttributedEvents

  /// What the ids of the users look like beside those of purchases that nobody was assigned for.
  ///
  /// - Throws: as `attribute`.
  func assignedIDs(beside unassigned: UnassignedPurchases, threads: Int) async throws -> AssignedIDs
}

/// What a run's events came to.
struct AttributedEvents: Codable, Sendable {
  var sums: PartitionSums
  /// What users in no offering bought.
  var outside = OutsideTally()
  /// By file of the log what was counted since it was read; empty where nothing was.
  var counts: [EventRouter.Counts] = []
  /// The purchases that were routed since, and those of users nobody assigned.
  var unassigned = UnassignedPurchases()

  /// Adds what other users came to.
  mutating func merge(_ other: AttributedEvents) {
    unassigned.merge(other.unassigned)
    sums.merge(other.sums)
    outside.merge(other.outside)
    guard !counts.isEmpty else { return counts = other.counts }
    for (file, theirs) in other.counts.enumerated() { counts[file].merge(theirs) }
  }

  /// As `Mergeable.misfit`.
  func misfit(_ shape: SumsShape) -> String? {
    guard counts.isEmpty || counts.count == shape.files else { return "files" }
    return sums.misfit(shape) ?? outside.misfit(shape)
  }
}
