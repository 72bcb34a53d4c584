import Domain

/// What became of the rows of the purchase logs: while they were read, and afterwards.
struct LogLedger {
  /// One a file of the log.
  private(set) var readings: [FileReading]
  /// Rows of charges and refunds that are rejected after all, because no exchange rate is known, by file of the log.
  private(set) var late: RejectedRows
  /// When events came.
  private(set) var days = EventDays()
  /// The purchases, and those of users nobody assigned.
  private(set) var unassigned: UnassignedPurchases

  /// - Parameters:
  ///   - counts: by file, what was counted of it beside its rows.
  ///   - rejects: where rejected rows wait until they are published.
  init(
    _ readings: [FileReading], counts: [EventRouter.Counts] = [],
    unassigned: UnassignedPurchases = UnassignedPurchases(), rejects: RejectSpool = RejectSpool(nil)
  ) {
    self.readings = readings
    late = RejectedRows(in: rejects, isShuffled: true)
    self.unassigned = unassigned
    accept(counts)
  }

  private mutating func accept(_ counts: [EventRouter.Counts]) {
    for (file, counts) in counts.enumerated() {
      readings[file].accept(counts)
      days.merge(counts.days)
    }
  }

  /// Writes into each file's account what became of its events after reading.
  mutating func record(_ attributed: AttributedEvents) {
    accept(attributed.counts)
    unassigned.merge(attributed.unassigned)
    for (file, outcomes) in attributed.sums.tally.outcomes.enumerated() {
      readings[file].account.outcomes.merge(outcomes)
    }
  }

  /// Rejects a row that was read, by its line, the end included.
  mutating func reject(_ line: ArraySlice<UInt8>, at row: RowPosition) {
    readings[row.file].rejectLate(line, at: row)
    late.append(line)
  }
}

extension FileReading {
  /// Takes what the routers have counted of the file.
  fileprivate mutating func accept(_ counts: EventRouter.Counts) {
    account.outcomes.merge(counts.outcomes)
    calls.merge(counts.calls)
    earlyTimes.merge(counts.earlyTimes)
  }
}
