import Domain

/// How much a job asks to be measured, at most: known once its users' groups are, before anything is added up.
struct MeasurementSize {
  let groups: Int
  let metrics: Int
  let nights: Int
  /// By group and value of what users are parted by, everybody included.
  let cells: Int

  /// - Parameters:
  ///   - splits: by way in which users are parted how many values there are.
  ///   - users: each is in one cell of a split.
  init(groups: Int, metrics: Int, nights: Int, splits: [Int], users: Int) {
    (self.groups, self.metrics, self.nights) = (groups, metrics, nights)
    cells = splits.reduce(groups) { $0 + min(groups * $1, users) }
  }

  /// What sums, the tables made of them and the page take in memory. Seen with 20,000 groups: half a kilobyte or more for a metric's sums in a
  /// cell, 200 bytes for a group's metric on a night.
  var bytes: Int64 {
    Int64(metrics) * (Int64(cells) * 500 + Int64(groups) * Int64(nights) * 200)
  }

  /// What there is to say where that is more than a run may take; exit 71.
  ///
  /// - Parameter limit: in bytes.
  func refusal(beyond limit: Int64) -> OfferliftError {
    OfferliftError(
      .systemLimit,
      "the job asks for \(Phrase.count(metrics, "metric")) of \(Phrase.count(groups, "group")), \(Phrase.count(cells, "segment")) "
        + "and \(Phrase.count(nights, "night")): about \(Phrase.count(Int(bytes / 1_000_000))) MB, and the run may take "
        + "\(Phrase.count(Int(limit / 1_000_000))) MB. Name the tests to measure in offerings:, ask for fewer metrics or "
        + "segments, or give --memory more.")
  }
}

extension MeasurementSize {
  init(_ plan: MeasurementPlan, groups: Int, users: Int) {
    let shape = plan.shape
    self.init(
      groups: groups, metrics: shape.metrics, nights: shape.nights, splits: shape.splits.map { $0 ?? shape.nights },
      users: users)
  }
}
