/// What a bare number in a time column counts.
package enum TimeUnit: String, Sendable, CaseIterable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// What people call it, the usual name first.
  package var names: [String] {
    switch self {
    case .seconds: ["seconds", "second", "s"]
    case .milliseconds: ["milliseconds", "millisecond", "ms"]
    case .microseconds: ["microseconds", "microsecond", "us", "µs"]
    case .nanoseconds: ["nanoseconds", "nanosecond", "ns"]
    }
  }

  /// All names of all units, the usual ones first.
  package static var allNames: [String] { allCases.map { $0.names[0] } + allCases.flatMap { $0.names.dropFirst() } }

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
