import Domain
import Engine
import Jobs

/// `before_assignment`: did measured users buy after their time began?
///
/// Purchases that all came before are those of another time, or times were misread.
struct BeforeAssignmentCheck: HealthCheck {
  let terms = CheckTerms("before_assignment", "all purchases of measured users came before their assignment: fails")

  /// One row; none where measured users bought nothing.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    let purchases = offering.groups.reduce(into: PurchaseTimes()) { $0.merge($1.purchases) }
    let total = purchases.before + purchases.after
    guard total > 0 else { return [] }
    let share = Double(purchases.before) / Double(total)
    var check = Check(
      offering: offering.id, name: name, status: .pass, observed: share,
      message:
        "\(Phrase.count(purchases.before)) of \(Phrase.count(total, "purchase")) of measured users "
        + "(\(Phrase.percent(share))) came before their assignment.")
    guard purchases.after == 0, let first = offering.measuredFrom else { return [check] }
    check.status = .fail
    check.message =
      "All \(Phrase.count(total, "purchase")) of measured users came before their assignment: the last is of "
      + "\(Instant(milliseconds: purchases.latest).rfc3339), the first user was assigned at \(first.rfc3339). Are both "
      + "inputs of the same time, and are timezone:, time_unit: and the column of assigned_at right?"
    return [check]
  }
}
