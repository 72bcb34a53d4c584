import Domain
import Jobs

/// `group_mismatch`: do events name the group that their user is assigned to?
struct GroupMismatchCheck: HealthCheck {
  let terms = CheckTerms("group_mismatch", "events that name another group than their user's", warnsFrom: 0.01)

  /// One row; none where no event names a group.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    guard offering.loggedEvents > 0 else { return [] }
    let share = Double(offering.groupMismatches) / Double(offering.loggedEvents)
    return [
      row(
        offering: offering.id, count: offering.groupMismatches, of: offering.loggedEvents, job: checked.job,
        message:
          "\(Phrase.count(offering.groupMismatches)) of \(Phrase.count(offering.loggedEvents, "event")) that "
          + "name a group (\(Phrase.percent(share))) name another than the user's; they count in the user's own.")
    ]
  }
}
