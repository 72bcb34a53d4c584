import Domain

/// When a metric will show a difference, in a sentence.
package struct Outlook {
  /// The lift to find, below 0 where less is better.
  package var lift: Double
  /// Users of all groups that it takes; nil where no number does.
  package var usersNeeded: Int?
  package var enrolmentEndsBefore: Bool
  /// The lift, up or down, that today's users would show.
  package var detectableLift: Double?
  /// Somebody asked for the lift: the job has a plan, or the metric a margin.
  package var isAsked: Bool

  package init(
    lift: Double, usersNeeded: Int?, enrolmentEndsBefore: Bool, detectableLift: Double?,
    isAsked: Bool
  ) {
    self.lift = lift
    self.usersNeeded = usersNeeded
    self.enrolmentEndsBefore = enrolmentEndsBefore
    self.detectableLift = detectableLift
    self.isAsked = isAsked
  }

  /// `With today's users it reliably sees 56 % or more; 10 % takes 617,000 users.`; nil where nothing can be planned.
  package func sentence(_ joining: Joining) -> String? {
    guard let now = detectableLift.map({ Phrase.spoken($0) }) else { return nil }
    if joining.isOver { return "Nobody joins any more: it can only see \(now) or more." }
    let aim = Phrase.spoken(lift.magnitude)
    let wanted =
      switch (isAsked && detectableLift ?? 0 > lift.magnitude, enrolmentEndsBefore, usersNeeded) {
      case (true, true, _): "; enrolment ends before it sees \(aim)"
      case (true, false, let users?): "; \(aim) takes \(Phrase.rounded(Double(users))) users"
      default: ""
      }
    return "With today's users it reliably sees \(now) or more\(wanted)."
  }
}

extension PlanRow {
  /// Nil where nothing can be planned.
  ///
  /// - Parameter isAsked: somebody asked for the lift.
  func outlook(isAsked: Bool) -> Outlook? {
    lift.map { lift in
      Outlook(
        lift: lift, usersNeeded: usersNeeded, enrolmentEndsBefore: enrolmentEndsBefore,
        detectableLift: detectableLift, isAsked: isAsked)
    }
  }
}
