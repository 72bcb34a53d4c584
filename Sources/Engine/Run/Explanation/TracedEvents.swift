import Domain
import Measurement

/// Sends the user's events through the run's own router, each under the number of its row, and books what became of it.
///
/// To the router every row is a file of its own: so whatever it, and all that comes behind it, counts by file is known
/// by row.
struct TracedEvents: EventSink {
  private let ids: UserIDs
  private let charges: TracedCharges
  private let user: [UInt8]
  private var router: EventRouter
  /// The number of the first of its rows.
  private let first: Int
  /// What became of the rows that went no further than the router, by place behind `first`.
  private(set) var fates: [RowOutcomes] = []
  /// Places of rows that name the user and follow another's charge.
  private(set) var ofOthers: Set<Int> = []

  init(ids: UserIDs, charges: TracedCharges, router: EventRouter, first: Int) {
    self.ids = ids
    self.charges = charges
    user = ids.user.utf8
    self.router = router
    self.first = first
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    let isUsers = charges.isUsers(event)
    guard isUsers || ids.contains(event.user) || event.user.isEmpty else { return }
    if !event.isCompanion || fates.isEmpty { fates.append(RowOutcomes()) }
    guard isUsers || event.user.isEmpty else {
      ofOthers.insert(fates.count - 1)
      return
    }
    router.file = UInt32(first + fates.count - 1)
    user.withText { user in
      var event = event
      // A row that follows the user's charge may name another.
      if !ids.contains(event.user), !event.user.isEmpty { event.user = user }
      router.receive(event, place: place)
      router.finishBatch()
    }
    router.finishFile()
    fates[fates.count - 1].merge(router.finished.fates)
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? { router.receive(transfer) }

  mutating func finishBatch() {}
  mutating func abandonFile() {}
  mutating func finishFile() {}
}

/// Takes from the user's events in which group they were logged, as `LoggedAssignments` does from everybody's.
struct TracedAssignments: EventSink {
  let ids: UserIDs
  var assignments: LoggedAssignments

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    if ids.contains(event.user) { assignments.receive(event, place: place) }
  }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) {
    if ids.contains(enrolment.user) { assignments.receive(enrolment) }
  }

  mutating func finishBatch() {}
  mutating func abandonFile() {}
  mutating func finishFile() {}
}
