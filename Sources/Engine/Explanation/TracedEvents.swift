import Domain

/// Sends the user's events through the run's own router, each under the number of its row, and books what became of it.
///
/// To the router every row is a file of its own: so whatever it, and all that comes behind it, counts by file is known
/// by row.
struct TracedEvents: EventSink {
  private let ids: UserIDs
  private var router: EventRouter
  /// The number of the first of its rows.
  private let first: Int
  /// What became of the rows that went no further than the router, by place behind `first`.
  private(set) var fates: [RowFates] = []

  init(ids: UserIDs, router: EventRouter, first: Int) {
    self.ids = ids
    self.router = router
    self.first = first
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    guard ids.contains(event.user) || event.user.isEmpty else { return }
    if !event.isCompanion || fates.isEmpty { fates.append(RowFates()) }
    router.file = UInt32(first + fates.count - 1)
    router.receive(event, place: place)
    router.finishBatch()
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

  mutating func finishBatch() {}
  mutating func abandonFile() {}
  mutating func finishFile() {}
}
