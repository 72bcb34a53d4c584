import Domain

/// When a metric will show a difference, in a sentence.
package struct Outlook {
  /// The lift to find, below 0 where less is better.
  package var lift: Double
  package var nightsMore: Int?
  /// Users of all groups that it takes; nil where no number does.
  package var usersNeeded: Int?
  package var enrolmentEndsBefore: Bool
  /// The lift, up or down, that today's users would show.
  package var detectableLift: Double?

  package init(
    lift: Double, nightsMore: Int?, usersNeeded: Int?, enrolmentEndsBefore: Bool, detectableLift: Double?
  ) {
    self.lift = lift
    self.nightsMore = nightsMore
    self.usersNeeded = usersNeeded
    self.enrolmentEndsBefore = enrolmentEndsBefore
    self.detectableLift = detectableLift
  }

  /// `61 more nights would show 10 %.`; nil where nothing can be planned.
  package func sentence(_ joining: Joining) -> String? {
    let aim = Phrase.spoken(lift.magnitude)
    let now = detectableLift.map { "; its users show only \(Phrase.spoken($0)) or more" } ?? ""
    if enrolmentEndsBefore { return "Enrolment ends before enough users have come to show \(aim)." }
    if nightsMore == 0 { return "A difference of \(aim) would have shown." }
    if joining.isOver, usersNeeded.map({ $0 > joining.users }) ?? true {
      return "Nobody joins any more, so this test will not show \(aim)\(now)."
    }
    guard let nightsMore else { return nil }
    if nightsMore > Self.longestWait { return "To show \(aim) would take years\(now)." }
    return "\(Phrase.count(nightsMore, "more night")) would show \(aim)."
  }

  /// More nights than these nobody waits for.
  private static let longestWait = 365
}

extension PlanRow {
  /// Nil where nothing can be planned.
  var outlook: Outlook? {
    lift.map { lift in
      Outlook(
        lift: lift, nightsMore: nightsMore, usersNeeded: usersNeeded, enrolmentEndsBefore: enrolmentEndsBefore,
        detectableLift: detectableLift)
    }
  }
}
