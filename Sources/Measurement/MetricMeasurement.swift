import Domain
import Statistics

/// One segment of a group.
package struct SegmentMeasurement: Sendable {
  /// `all`, or `attribute=value`.
  package var id: Identifier
  /// Measured users in it.
  package var users = 0
  /// Of them those of each phase of dated weights, first those before all phases; empty where weights have no dates.
  package var phases: [Int] = []
  /// One for each metric of the job, in the job's order; nil where the metric is not split this way.
  package var metrics: [MetricMeasurement?]

  package init(id: Identifier, users: Int = 0, metrics: [MetricMeasurement?]) {
    self.id = id
    self.users = users
    self.metrics = metrics
  }
}

/// One metric's sums over one segment of one group.
package struct MetricMeasurement: Sendable {
  package var statistics = SufficientStatistics()
  /// Users whose window has not ended at the cut-off; they are not in `statistics` unless the metric includes them.
  package var immature = 0
  /// How many users have each value, after caps, by value: for quantiles, survival and `robust: true`; else empty.
  package var values: [ValueCount] = []
  /// The quantities of the ten users who have most, over everybody, of a mean of money without a cap; else empty.
  package var largest: [Int128] = []

  package init(statistics: SufficientStatistics = SufficientStatistics(), immature: Int = 0, values: [ValueCount] = [])
  {
    self.statistics = statistics
    self.immature = immature
    self.values = values
  }
}

/// Users with one and the same value.
package struct ValueCount: Sendable, Hashable {
  /// In the sums' units.
  package var y: Int128
  /// Of a ratio the denominator, else 0.
  package var x: Int128
  package var users: Int

  package init(y: Int128, x: Int128, users: Int) {
    self.y = y
    self.x = x
    self.users = users
  }

  /// The value without its users.
  package struct Value: Hashable {
    package var y: Int128
    package var x: Int128

    @inline(__always)
    package init(y: Int128, x: Int128) {
      self.y = y
      self.x = x
    }
  }
}

/// The metrics' sums of a group's users of one phase or day.
package struct StratumMeasurement: Sendable {
  /// Which phase or day; the same number for all groups of an offering.
  package var number: UInt32
  /// One for each metric of the job; nil where the metric is not compared so.
  package var metrics: [MetricMeasurement?]

  package init(number: UInt32, metrics: [MetricMeasurement?]) {
    self.number = number
    self.metrics = metrics
  }
}
