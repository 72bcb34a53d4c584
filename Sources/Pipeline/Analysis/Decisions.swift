/// Decides what each comparison comes to.
enum Decisions {
  /// Below so many mature users in a group nothing is decided.
  static let fewestUsers: Int128 = 100
  /// Below so many expected successes or failures in a group nothing is decided about a proportion.
  static let fewestExpected = 5.0

  /// Fills in every row's decision; `untrusted` are the offerings of which a check failed.
  static func decide(
    _ rows: inout [ComparisonRow], untrusted: Set<Identifier>, settings: AnalysisSettings
  ) {
    for index in rows.indices {
      let isUntrusted = untrusted.contains(rows[index].key.offering)
      rows[index].decision = isUntrusted ? .doNotTrust : decision(on: rows[index], alpha: settings.alpha)
    }
  }

  /// The decision where every check has passed: by the adjusted p and the metric's goal.
  private static func decision(on row: ComparisonRow, alpha: Double) -> Decision {
    guard !isTooEarly(row) else { return .tooEarly }
    guard let pValue = row.adjustedPValue, pValue < alpha, let difference = row.difference, difference != 0
    else { return .inconclusive }
    return (difference > 0) == (row.goal == .increase) ? .better : .worse
  }

  /// Whether there are too few users, or too few events for the normal approximation.
  static func isTooEarly(_ row: ComparisonRow) -> Bool {
    if row.matureUsers < fewestUsers { return true }
    return row.smallestExpectedCell.map { $0 < fewestExpected } ?? false
  }
}
