/// Counts what the users of one partition bought who are in no offering.
struct OutsideAggregation: Sendable {
  let plan: PartitionAggregation
  let users: OutsideUsers
  let chunks: [EventChunks]

  func add(_ partition: Int, to tally: inout OutsideTally) {
    let builder = plan.makeBuilder()
    // Their rows stay `unassigned`, whatever becomes of them here.
    var nowhere = EventTally(files: plan.fileCount)
    let events = UserEvents(chunks, partition: partition, userCount: users.users.count(partition: partition))
    for user in 0..<users.users.count(partition: partition) where !events.ofUser(user).isEmpty {
      builder.build(events.ofUser(user), &nowhere)
      tally.add(builder.history, as: key(of: events.ofUser(user)))
    }
  }

  /// What the user's events were logged with first; of several at once, the first by name.
  private func key(of events: ArraySlice<EventRecord>) -> OutsideTally.Key {
    let logged = events.filter { $0.loggedGroup != EventRecord.noName }
    let first = logged.min { left, right in
      left.time == right.time
        ? plan.order.rank(ofLogged: left) < plan.order.rank(ofLogged: right) : left.time < right.time
    }
    return first.map { OutsideTally.Key(offering: $0.loggedOffering, group: $0.loggedGroup) } ?? OutsideTally.Key()
  }
}
