/// Counts what the users of one partition bought who are in no offering.
struct OutsideAggregation: Sendable {
  let plan: MeasurementPlan
  let users: OutsideUsers
  let chunks: [EventChunks]

  func add(_ partition: Int, to tally: inout OutsideTally) {
    let builder = plan.history.makeBuilder(cutoff: plan.cutoff)
    // Their rows stay `unassigned`, whatever becomes of them here.
    var unread = EventTally(files: plan.history.fileCount)
    let events = PartitionEventIndex(chunks, partition: partition, userCount: users.users.count(partition: partition))
    for user in 0..<users.users.count(partition: partition) {
      events.withEvents(ofUser: user) { events in
        guard !events.isEmpty else { return }
        builder.build(events, &unread)
        tally.add(builder.history, as: key(of: events))
      }
    }
  }

  /// What the user's events were logged with first; of several at once, the first by name.
  private func key(of events: UserEvents) -> OutsideTally.Key {
    let names = plan.history.names
    let first = events.events { $0.loggedGroup != Interner.none }.min { left, right in
      left.time == right.time ? names.rank(ofLogged: left) < names.rank(ofLogged: right) : left.time < right.time
    }
    return first.map { OutsideTally.Key(offering: $0.loggedOffering, group: $0.loggedGroup) } ?? OutsideTally.Key()
  }
}
