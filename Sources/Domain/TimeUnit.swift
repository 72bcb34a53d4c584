/// What a bare number in a time column counts.
package enum TimeUnit: String, Sendable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// By how many digits a count of it is longer than one of seconds.
  package var digits: Int {
    switch self {
    case .seconds: 0
    case .milliseconds: 3
    case .microseconds: 6
    case .nanoseconds: 9
    }
  }
}
