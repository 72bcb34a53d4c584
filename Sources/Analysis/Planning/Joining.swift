import Domain
import Measurement

/// Whether users still join an offering's test: they do until nobody has for a week.
package struct Joining: Sendable, Hashable {
  /// Measured users of all groups.
  package var users: Int
  /// The last UTC day on which one began; nil where nothing tells.
  package var lastDay: CivilDate?
  /// A week has gone by since without anybody.
  package var isOver: Bool

  package init(users: Int, lastDay: CivilDate?, cutoff: Instant) {
    self.users = users
    self.lastDay = lastDay
    let silence = lastDay.map { cutoff.milliseconds - ($0.day + 1) * Instant.millisecondsPerDay } ?? 0
    isOver = silence >= Self.longestSilenceDays * Instant.millisecondsPerDay
  }

  init(_ offering: OfferingMeasurement, cutoff: Instant) {
    let last = offering.groups.flatMap(\.tables.arrivals).map(\.day).max()
    self.init(
      users: offering.groups.reduce(0) { $0 + $1.measuredUsers }, lastDay: last.map { CivilDate(day: $0) },
      cutoff: cutoff)
  }

  private static let longestSilenceDays: Int64 = 7

  /// `Nobody has joined since 7 April 2026`; nil while users join.
  package var ended: String? { isOver ? lastDay.map { "Nobody has joined since \(Phrase.day($0))" } : nil }
}
