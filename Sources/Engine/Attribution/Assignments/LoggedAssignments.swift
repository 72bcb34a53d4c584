import Domain

/// Takes assignments from the events themselves (`population: logged`): the first event that names an offering
/// and a group assigns its user.
struct LoggedAssignments {
  let roster: Roster
  let cutoff: Instant
  /// Numbers of the offerings to measure; nil for all.
  let wanted: Set<UInt32>?
  let file: Int
  private var groupsSeen = GroupsSeen()
  private let noValues: [UInt32]

  init(roster: Roster, cutoff: Instant, wanted: Set<UInt32>?, file: Int) {
    self.roster = roster
    self.cutoff = cutoff
    self.wanted = wanted
    self.file = file
    noValues = roster.attributes.map { _ in Interner.none }
  }

  mutating func receive(_ event: PurchaseEvent) {
    // Of an order whoever tells it is enrolled, which is told beside it.
    guard !event.isSandbox, !event.isFamilyShared, event.loggedOffering != Interner.none,
      event.loggedGroup != Interner.none, !OrderID.isOrder(event.user)
    else { return }
    receive(
      DecodedLine.Enrolment(
        user: event.user, offering: event.loggedOffering, group: event.loggedGroup, time: event.time))
  }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) {
    groupsSeen.see(offering: enrolment.offering, group: enrolment.group)
    guard enrolment.time < cutoff.milliseconds, wanted?.contains(enrolment.offering) ?? true else { return }
    roster.add(
      AssignmentRow(
        user: enrolment.user, offering: enrolment.offering, group: enrolment.group, time: enrolment.time,
        file: UInt32(file), values: noValues))
  }

  /// The file's rows count.
  func finishFile() { roster.note(groupsSeen) }
}
