import Domain

/// An earlier night of the job, as far as counting has to know it.
package struct EarlierCount: Sendable {
  /// That night's cut-off.
  package var cutoff: Instant
  /// Whether that night had read a file.
  package var hasRead: @Sendable (FileAccount) -> Bool

  package init(cutoff: Instant, hasRead: @escaping @Sendable (FileAccount) -> Bool) {
    self.cutoff = cutoff
    self.hasRead = hasRead
  }
}

/// What is taken of every user beside the metrics, to tell why they are not what they were on an earlier night.
struct ChangePlan: Sendable {
  /// The earlier night's cut-off, in milliseconds since 1970.
  let cutoff: Int64
  /// By index of the log's files: the earlier night had not read it.
  let isNew: [Bool]
  /// Some file is.
  let hasNew: Bool
  /// Indices of the metrics that are followed: the primary ones that are sums over users.
  let metrics: [Int]

  init(_ earlier: EarlierCount, logs: [FileReading], metrics: [CompiledMetric]) {
    cutoff = earlier.cutoff.milliseconds
    isNew = logs.map { !earlier.hasRead($0.account) }
    hasNew = isNew.contains(true)
    self.metrics = metrics.indices.filter { metrics[$0].measured.request.primary && metrics[$0].measured.hasSums }
  }

  /// Whether the earlier night could have known an event.
  func isLate(_ event: EventHead) -> Bool { isNew[Int(event.file)] && event.time < cutoff }
}
