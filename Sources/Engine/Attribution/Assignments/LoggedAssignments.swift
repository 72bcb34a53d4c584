import Domain

/// Takes assignments from the events themselves (`population: logged`): the first event that names an offering
/// and a group assigns its user.
struct LoggedAssignments: EventSink {
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

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    guard !event.isSandbox, !event.isFamilyShared, event.loggedOffering != Interner.none,
      event.loggedGroup != Interner.none
    else { return }
    groupsSeen.see(offering: event.loggedOffering, group: event.loggedGroup)
    guard event.time < cutoff.milliseconds, wanted?.contains(event.loggedOffering) ?? true
    else { return }
    roster.add(
      AssignmentRow(
        user: event.user, offering: event.loggedOffering, group: event.loggedGroup, time: event.time,
        file: UInt32(file), values: noValues))
  }

  mutating func finishBatch() {}
  mutating func abandonFile() {}
  mutating func finishFile() { roster.note(groupsSeen) }
}
