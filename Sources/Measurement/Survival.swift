import Domain

/// How long a subscription lasted, by days and by the renewals that came due.
package struct Survival: Hashable {
  /// Whole days from the first charge to the end of access, or to the cut-off.
  package var days: Int64
  /// Access had ended at the cut-off.
  package var isEnded: Bool
  /// Renewals that were due at the cut-off, grace and all, and were paid.
  package var renewals: Int64
  /// The one after them was due at the cut-off, and access had ended without it. While it may yet come nobody counts as
  /// gone, for those who stay would be missing beside those who left early.
  package var isRenewalMissed: Bool

  package init(days: Int64, isEnded: Bool, renewals: Int64, isRenewalMissed: Bool) {
    self.days = days
    self.isEnded = isEnded
    self.renewals = renewals
    self.isRenewalMissed = isRenewalMissed
  }
}

extension Survival {
  /// As the value of a user, which is counted and merged like any other: the days.
  package var y: Int128 { Int128(days) }

  /// All the rest of it; of nobody without a start it is 0.
  package var x: Int128 { 1 + 3 * Int128(renewals) + (isRenewalMissed ? 2 : isEnded ? 1 : 0) }

  /// What a value says; nil for those without a start.
  package init?(_ value: ValueCount) {
    guard value.x > 0 else { return nil }
    let (renewals, rest) = (value.x - 1).quotientAndRemainder(dividingBy: 3)
    self.init(
      days: Int64(value.y), isEnded: rest > 0, renewals: Int64(renewals), isRenewalMissed: rest == 2)
  }
}

extension ValueCount {
  /// Users of one and the same course.
  package init(_ survival: Survival, users: Int) {
    self.init(y: survival.y, x: survival.x, users: users)
  }
}
