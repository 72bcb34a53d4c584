/// What a metric averages, hence how its sums are read.
public enum MetricKind: String, Sendable, Hashable, CaseIterable {
  /// The share of users with y = 1; every y is 0 or 1.
  case proportion
  /// The mean of y over users.
  case mean
  /// Σy ÷ Σx: the mean of y per unit of x.
  case ratio
}

/// In which direction a metric is better.
public enum Goal: String, Sendable, Hashable, CaseIterable {
  /// More is better.
  case increase
  /// Less is better.
  case decrease
}

/// A closed interval of finite numbers.
public struct Interval: Sendable, Hashable {
  /// The lower end.
  public let low: Double
  /// The upper end.
  public let high: Double

  /// Makes the interval [low, high]; `nil` when an end is not finite or they are in the wrong order.
  public init?(_ low: Double, _ high: Double) {
    guard low.isFinite, high.isFinite, low <= high else { return nil }
    self.low = low
    self.high = high
  }

  /// Tells whether the interval holds `value`, ends included.
  public func contains(_ value: Double) -> Bool {
    low <= value && value <= high
  }
}

extension Double {
  /// The number itself, or `nil` where it is not one: nothing else leaves the module.
  var ifFinite: Double? {
    isFinite ? self : nil
  }
}
