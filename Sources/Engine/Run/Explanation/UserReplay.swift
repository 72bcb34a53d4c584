import Domain

/// Runs one user's events through attribution and aggregation, all of them or without some: what a row does is what
/// would be otherwise without it.
struct UserReplay {
  let plan: MeasurementPlan
  /// The partition that holds this user and nobody else.
  let roster: RosterPartition
  let user: UInt32

  /// What a run would make of these events.
  func sums(of events: [PurchaseEvent]) -> PartitionSums {
    var sums = plan.emptySums
    PartitionAggregation(plan, roster: roster, partition: 0).add(index(of: events), to: &sums)
    return sums
  }

  /// What became of these events, and what `body` makes of the history they make.
  func withHistory<Result>(of events: [PurchaseEvent], _ body: (EventTally, UserHistory) -> Result) -> Result {
    var tally = EventTally(files: plan.history.fileCount)
    let builder = plan.history.makeBuilder(cutoff: plan.cutoff)
    return withEvents(events) {
      builder.build($0, &tally)
      return withExtendedLifetime(builder) { body(tally, builder.history) }
    }
  }

  /// The charges that these events come to, by time.
  func charges(of events: [PurchaseEvent]) -> [UserHistory.Charge] { withHistory(of: events) { Array($1.charges) } }

  /// Calls `body` with the user's events, by kind.
  func withEvents<Result>(_ events: [PurchaseEvent], _ body: (UserEvents) -> Result) -> Result {
    index(of: events).withEvents(ofUser: Int(user), body)
  }

  private func index(of events: [PurchaseEvent]) -> PartitionEventIndex {
    let chunks = EventChunks(partitions: 1)
    for event in events { chunks.append(event, to: 0, user: user) }
    return PartitionEventIndex([chunks], partition: 0, userCount: roster.userCount)
  }

  /// The numbers of the rows that tell the history's charges, in its order.
  func rowsOfCharges(_ used: [PurchaseEvent]) -> [Int] {
    withEvents(used.filter { $0.type.isCharge && $0.reject == 0 }) { events in
      EventOrder(plan.history).sort(charges: events.charges)
      return events.charges.map { Int($0.file) }
    }
  }

  /// The row whose event stands in the way of another row's, which is a copy of it; nil where no single one does.
  ///
  /// - Parameter used: the events that count.
  func twin(of row: Int, _ events: [PurchaseEvent], used: [PurchaseEvent]) -> Int? {
    let copy = events.filter { $0.row == row }
    guard let head = copy.first else { return nil }
    func distance(_ event: PurchaseEvent) -> (Int, UInt64) {
      (event.type == head.type ? 0 : 1, event.time.magnitudeOfDifference(from: head.time))
    }
    let likeliest = used.filter { $0.isOfKind(of: copy[0]) }.sorted {
      distance($0) < distance($1)
    }
    return likeliest.first { candidate in
      let others = used.filter { $0.row != candidate.row }
      return withHistory(of: others + copy) { tally, _ in tally.outcomes[row].used > 0 }
    }?.row
  }
}

extension PurchaseEvent {
  /// The number of its row.
  var row: Int { Int(traits.file) }

  /// Both are about money that came in, money that went back, or neither.
  fileprivate func isOfKind(of other: PurchaseEvent) -> Bool {
    traits.type.isCharge == other.type.isCharge && traits.type.isRefund == other.type.isRefund
  }
}

extension Int64 {
  fileprivate func magnitudeOfDifference(from other: Int64) -> UInt64 {
    let (difference, hasOverflowed) = subtractingReportingOverflow(other)
    return hasOverflowed ? .max : difference.magnitude
  }
}

extension Accumulator {
  /// What the only user has added; nil where that user's window has not ended.
  var onlyQuantity: Quantity? {
    if let (quantity, _) = counts.first(where: { _ in true }) { return quantity }
    return statistics.n > 0 ? Quantity(y: statistics.sumY, x: statistics.sumX, c: statistics.sumC) : nil
  }
}
