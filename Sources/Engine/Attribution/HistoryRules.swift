import Jobs

/// What it takes to turn a user's events into a history: the same for all users of a run.
struct HistoryRules: Sendable {
  let facts: ProductFacts
  let types: EventTypes
  let rates: ExchangeRates
  /// The order of names, for ties.
  let names: RosterOrder
  /// Which feed each file of the log belongs to.
  let feeds: FeedIndex
  /// What the log tells beside charges, by number.
  let details: ChargeDetailsIndex

  /// How many files the log has.
  var fileCount: Int { feeds.fileCount }

  /// - Parameter cutoff: the cut-off, in milliseconds since 1970.
  func makeBuilder(cutoff: Int64) -> HistoryBuilder { HistoryBuilder(self, cutoff: cutoff) }
}
