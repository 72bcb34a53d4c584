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
  /// A course, as it stood at the cut-off.
  package init(_ course: AccessTimeline.Course, cutoff: Int64) {
    let (course, end) = (course.stretches, course.accessEnd)
    let start = course.first?.start ?? cutoff
    isEnded = end <= cutoff
    days = max(0, ((isEnded ? end : cutoff) - start) / Instant.millisecondsPerDay)
    let paid = zip(course, course.dropFirst()).prefix { stretch, next in
      // Where nothing tells when the next charge was due, it was when it came.
      (stretch.renewalDue == AccessTimeline.open ? next.start : stretch.renewalDue) <= cutoff
    }.count
    renewals = Int64(paid)
    let lastDue = course.last.map { $0.renewalDue == AccessTimeline.open ? $0.accessEnd : $0.renewalDue }
    isRenewalMissed = isEnded && paid + 1 == course.count && lastDue.map { $0 <= cutoff } ?? false
  }

  /// As a quantity, so that it is counted and merged like any other: y is the days, x all the rest; nobody without a
  /// start has an x.
  var quantity: Quantity {
    Quantity(y: Int128(days), x: 1 + 3 * Int128(renewals) + (isRenewalMissed ? 2 : isEnded ? 1 : 0))
  }

  /// What a quantity says; nil for those without a start.
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
    let quantity = survival.quantity
    self.init(y: quantity.y, x: quantity.x, users: users)
  }
}
