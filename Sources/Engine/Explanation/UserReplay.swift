import Domain

/// Runs one user's events through attribution and aggregation, all of them or without some: what a row does is what
/// would be otherwise without it.
struct UserReplay {
  let plan: MeasurementPlan
  /// The partition that holds this user and nobody else.
  let roster: RosterPartition
  let user: UInt32

  /// What a run would make of these events.
  func sums(of events: [RecordedEvent]) -> PartitionSums {
    var sums = plan.emptySums
    PartitionAggregation(plan, roster: roster).add(index(of: events), to: &sums)
    return sums
  }

  /// What became of these events, and the history they make.
  func history(of events: [RecordedEvent]) -> (tally: EventTally, history: UserHistory) {
    var tally = EventTally(files: plan.history.fileCount)
    let builder = plan.history.makeBuilder(cutoff: plan.cutoff)
    builder.build(index(of: events).ofUser(Int(user)), &tally)
    return (tally, builder.history)
  }

  /// The user's events, by kind.
  func events(_ events: [RecordedEvent]) -> UserEvents { index(of: events).ofUser(Int(user)) }

  private func index(of events: [RecordedEvent]) -> PartitionEventIndex {
    let chunks = EventChunks(partitions: 1)
    for event in events { chunks.append(event, to: 0, user: user) }
    return PartitionEventIndex([chunks], partition: 0, userCount: roster.userCount)
  }

  /// The numbers of the rows that tell the history's charges, in its order.
  func rowsOfCharges(_ used: [RecordedEvent]) -> [Int] {
    var charges = used.compactMap { event in
      if case .charge(let charge) = event { charge } else { nil }
    }
    EventOrder(plan.history).sort(&charges)
    return charges.map { Int($0.head.file) }
  }

  /// The row whose event stands in the way of another row's, which is a copy of it; nil where no single one does.
  ///
  /// - Parameter used: the events that count.
  func twin(of row: Int, _ events: [RecordedEvent], used: [RecordedEvent]) -> Int? {
    let copy = events.filter { $0.row == row }
    guard let head = copy.first?.head else { return nil }
    func distance(_ event: RecordedEvent) -> (Int, UInt64) {
      (event.head.type == head.type ? 0 : 1, event.head.time.magnitudeOfDifference(from: head.time))
    }
    let likeliest = used.filter { $0.isOfKind(of: copy[0]) }.sorted {
      distance($0) < distance($1)
    }
    return likeliest.first { candidate in
      let others = used.filter { $0.row != candidate.row }
      return history(of: others + copy).tally.fates[row].used > 0
    }?.row
  }
}

extension RecordedEvent {
  /// The number of its row.
  var row: Int { Int(head.file) }

  /// Both are about money that came in, money that went back, or neither.
  fileprivate func isOfKind(of other: RecordedEvent) -> Bool {
    head.type.isCharge == other.head.type.isCharge && head.type.isRefund == other.head.type.isRefund
  }
}

extension Int64 {
  fileprivate func magnitudeOfDifference(from other: Int64) -> UInt64 {
    let (difference, hasOverflowed) = subtractingReportingOverflow(other)
    return hasOverflowed ? .max : difference.magnitude
  }
}

extension UserEvents {
  /// All of them, as they came out of reading.
  var recorded: [RecordedEvent] {
    charges.map { .charge($0) } + unpriced.map { .unpriced($0) } + refunds.map { .refund($0) }
      + occurrences.map { .occurrence($0) } + snapshots.map { .snapshot($0) }
  }
}

extension Accumulator {
  /// What the only user has added; nil where that user's window has not ended.
  var onlyQuantity: Quantity? {
    if let quantity = counts.keys.first { return quantity }
    return statistics.n > 0 ? Quantity(y: statistics.sumY, x: statistics.sumX, c: statistics.sumC) : nil
  }
}
