import Domain
import Jobs

/// `enrolment`: who is left out because their first assignment lies outside `enrolment:`?
struct EnrolmentCheck: HealthCheck {
  let terms = CheckTerms("enrolment", "says how many users were first assigned outside `enrolment:`")

  /// One row; none where nobody is left out.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    guard offering.notEnrolled > 0 else { return [] }
    return [
      Check(
        offering: offering.id, name: name, status: .pass, observed: Double(offering.notEnrolled),
        message:
          "\(Phrase.count(offering.notEnrolled, "user")) were first assigned outside enrolment: and are left out; "
          + "\(Phrase.count(offering.assignedUsers)) were first assigned within it.",
        figures: ["enrolled": Double(offering.assignedUsers)])
    ]
  }
}
