import Domain

/// Decides what each comparison comes to.
enum Decisions {
  /// Fills in every row's decision; `untrusted` are the offerings of which a check failed.
  ///
  /// - Parameter days: how long the tests have run; of one of which nothing is known any decision may be made.
  static func decide(
    _ rows: inout [ComparisonRow], untrusted: Set<Identifier>, days: WholeDays = WholeDays(),
    settings: AnalysisSettings
  ) {
    for index in rows.indices {
      let isUntrusted = untrusted.contains(rows[index].key.offering)
      rows[index].decision = isUntrusted ? .doNotTrust : decision(on: rows[index], settings)
      guard rows[index].decision == .better, let days = days.of(rows[index].key.offering), days < WholeDays.needed
      else { continue }
      rows[index].decision = .tooEarly
      rows[index].scarcity = .days(days)
    }
  }

  /// The decision where every check has passed.
  private static func decision(on row: ComparisonRow, _ settings: AnalysisSettings) -> Decision {
    // A value that cannot be computed is nothing yet.
    // So is one of which there is too little; but what must not get worse, and has got better, waits for nothing.
    let isScarce = row.scarcity != nil && !(row.isGuardrail && row.isImproved)
    if isScarce || row.value == nil || row.baselineValue == nil { return .tooEarly }
    if row.isGuardrail { return guardrail(row, settings) }
    return difference(row, alpha: settings.alpha) ?? equivalence(row) ?? .inconclusive
  }

  /// By the adjusted p and the metric's goal; nil where no difference is shown.
  private static func difference(_ row: ComparisonRow, alpha: Double) -> Decision? {
    guard let pValue = row.adjustedPValue, pValue < alpha, let difference = row.difference, difference != 0
    else { return nil }
    return (difference > 0) == (row.goal == .increase) ? .better : .worse
  }

  /// By the one-sided p, not adjusted: every guardrail has to hold by itself, so many of them do not make it
  /// easier for one. What cannot be computed is not shown. With a margin it has to be shown not to be worse by that; without
  /// one it stands against a group only where harm is shown.
  private static func guardrail(_ row: ComparisonRow, _ settings: AnalysisSettings) -> Decision {
    let outcome = row.outcome(by: settings.rule.name)
    func isShown(_ pValue: Double?) -> Bool { pValue.map { $0 < settings.alpha } ?? false }
    guard row.margin != nil else { return isShown(outcome?.harmPValue) && !row.isImproved ? .worse : .inconclusive }
    return isShown(outcome?.marginPValue) ? .notWorse : .maybeWorse
  }

  /// Whether the interval of the lift that is shown lies within the margin, ends included.
  private static func equivalence(_ row: ComparisonRow) -> Decision? {
    guard let margin = row.margin, let interval = row.decidedLiftInterval else { return nil }
    return interval.low >= -margin && interval.high <= margin ? .equivalent : nil
  }
}
