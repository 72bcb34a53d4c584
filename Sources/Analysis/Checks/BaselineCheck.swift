import Domain
import Jobs

/// `baseline`: is anybody of the baseline measured, so that there is something to compare with?
struct BaselineCheck: HealthCheck {
  let terms = CheckTerms("baseline", "nobody of the baseline is measured yet, so nothing is compared: warns")

  func checks(of comparisons: CheckedComparisons) -> [Check] {
    let groups = comparisons.offering.groups.map(\.id)
    return checks(baseline: comparisons.baseline, groups: groups, offering: comparisons.offering.id)
  }

  /// One row where there are groups with users, and the baseline is none of them.
  func checks(baseline: Identifier?, groups: [Identifier], offering: Identifier) -> [Check] {
    guard baseline == nil, !groups.isEmpty else { return [] }
    return [
      Check(
        offering: offering, name: name, status: .warn, observed: 0,
        message:
          "Nobody of the baseline is measured here, so nothing is compared; there are users of "
          + "\(Phrase.list(groups.sorted().map(\.text))).")
    ]
  }
}
