import Domain

/// Rows with times before 2000: nobody bought anything in an app then, so their times were misread.
package struct EarlyTimes: Sendable, Codable {
  package private(set) var rows = 0
  /// The earliest, in milliseconds since 1970.
  package private(set) var earliest = Self.limit

  package init() {}

  /// The beginning of the year 2000, in milliseconds since 1970.
  package static let limit: Int64 = 946_684_800_000

  @inline(__always)
  package mutating func look(at time: Int64) {
    if time < Self.limit { add(time) }
  }

  private mutating func add(_ time: Int64) {
    rows += 1
    earliest = min(earliest, time)
  }

  package mutating func merge(_ other: EarlyTimes) {
    rows += other.rows
    earliest = min(earliest, other.earliest)
  }
}
