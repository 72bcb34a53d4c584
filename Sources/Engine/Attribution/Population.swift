import Jobs

/// Who of an offering's users is measured, and from when on.
package struct Population {
  let rule: Job.Population
  /// When a user's first assignment must lie; nil takes everybody.
  package var enrolment: Job.Enrolment?
  let newCustomersOnly: Bool

  /// What becomes of one membership.
  package enum Verdict: BitwiseCopyable {
    /// Measured from this time on.
    case measured(from: Int64)
    case inSeveralGroups
    /// In no group but such as the job leaves out.
    case inExcludedGroup
    /// First assigned before or after the enrolment.
    case notEnrolled
    /// Never saw the offering.
    case unexposed
    /// Had paid before.
    case earlierCustomer

    /// The user is in no count of a group, not even of its assigned users; only how many are left out so is told.
    var isOutside: Bool {
      switch self {
      case .notEnrolled, .inExcludedGroup: true
      default: false
      }
    }
  }

  /// Judges a membership by all events of its user; duplicates may be among them, as they change no verdict.
  func verdict(on membership: Membership, events: UserEvents) -> Verdict {
    if membership.isExcluded { return .inExcludedGroup }
    guard isEnrolled(membership) else { return .notEnrolled }
    return membership.isInSeveralGroups ? .inSeveralGroups : verdictAlone(on: membership, events: events)
  }

  private func isEnrolled(_ membership: Membership) -> Bool {
    enrolment?.contains(membership.assignedAt) ?? true
  }

  /// The verdict as long as the user was in no other group.
  func verdictAlone(on membership: Membership, events: UserEvents) -> Verdict {
    guard isEnrolled(membership) else { return .notEnrolled }
    var start = membership.assignedAt
    if rule == .exposed {
      guard let view = events.firstPaywallView(from: membership.assignedAt) else { return .unexposed }
      start = view
    }
    if newCustomersOnly, let first = events.firstCharge, first < start { return .earlierCustomer }
    return .measured(from: start)
  }
}

extension Job.Enrolment {
  /// Whether a time is inside: from the first instant up to, not with, the last.
  func contains(_ milliseconds: Int64) -> Bool {
    (from.map { $0.milliseconds <= milliseconds } ?? true) && (to.map { milliseconds < $0.milliseconds } ?? true)
  }
}
