import Domain
import Statistics

/// How one group's sums of one metric came from an earlier night's cut-off to the run's own.
package struct MeasuredChange: Sendable {
  package var offering: Identifier
  package var group: Identifier
  /// The metric's id.
  package var metric: Identifier
  /// The sums at the earlier cut-off, by the events of files that night had read.
  package var known: SufficientStatistics
  /// The same by all events before that cut-off.
  package var before: SufficientStatistics
  /// What was added since, by part; of users and sums that went away, less than nothing.
  package var parts: [Part]

  package struct Part: Sendable, Hashable {
    package var part: ChangePart
    package var sums: SufficientStatistics

    package init(_ part: ChangePart, _ sums: SufficientStatistics) {
      self.part = part
      self.sums = sums
    }
  }

  package init(
    offering: Identifier, group: Identifier, metric: Identifier, known: SufficientStatistics,
    before: SufficientStatistics, parts: [Part]
  ) {
    self.offering = offering
    self.group = group
    self.metric = metric
    self.known = known
    self.before = before
    self.parts = parts
  }
}

extension SufficientStatistics {
  /// What has to be added to `other` for these: users, and the sums of y and x; the other sums are left out.
  package func less(_ other: Self) -> Self {
    SufficientStatistics(n: n - other.n, sumY: sumY - other.sumY, sumX: sumX - other.sumX)
  }
}
