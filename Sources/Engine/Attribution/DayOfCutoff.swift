import Domain

/// Days that end at a cut-off and, whole days apart, before and after it.
package struct DayOfCutoff: Sendable {
  /// When days begin, in milliseconds after midnight in UTC.
  private let start: Int64
  /// The number of the day that ends at the cut-off.
  private let last: Int64

  package init(cutoff: Int64) {
    start = cutoff - cutoff.dividedRoundingDown(by: Instant.millisecondsPerDay) * Instant.millisecondsPerDay
    last = cutoff.dividedRoundingDown(by: Instant.millisecondsPerDay)
  }

  /// The number of the first day that begins at a time or later: the same whatever the cut-off, if it is whole days apart.
  func firstDay(from time: Int64) -> Int64 {
    -(start - time).dividedRoundingDown(by: Instant.millisecondsPerDay)
  }

  /// How many whole days lie before the cut-off from such a day on.
  func daysSince(_ day: Int64) -> Int64 { last - day }
}
