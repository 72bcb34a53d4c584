import Domain

/// What became of rows: used, or set aside for a reason. The one book of it, from reading to `inputs.csv`.
package struct RowOutcomes: Sendable, Codable, Equatable {
  package private(set) var used = 0
  /// Rows not used, by reason; only reasons that occurred.
  package private(set) var setAside: [SetAsideReason: Int] = [:]

  package init(used: Int = 0, setAside: [SetAsideReason: Int] = [:]) {
    self.used = used
    self.setAside = setAside
  }

  /// Books rows that count.
  @inline(__always)
  package mutating func use(_ rows: Int = 1) { used += rows }

  /// Books rows that do not count.
  package mutating func setAside(_ reason: SetAsideReason, _ rows: Int = 1) {
    if rows > 0 { setAside[reason, default: 0] += rows }
  }

  /// Books a row: for a reason set aside, without one used.
  package mutating func record(_ reason: SetAsideReason?) {
    if let reason { setAside(reason) } else { use() }
  }

  package mutating func merge(_ other: RowOutcomes) {
    used += other.used
    setAside.merge(other.setAside, uniquingKeysWith: +)
  }

  /// All rows that were booked.
  package var rows: Int { used + setAside.values.reduce(0, +) }
}
