/// A user's history as a run with an earlier cut-off would have built it: from the events before it, and no others.
///
/// What came later changes more than itself: a copy of a charge may tell an end or a transaction, a row replace an
/// older one. So the history is built anew instead of cut off.
final class EarlierHistory {
  private let builder: HistoryBuilder
  private var charges: [ChargeRecord] = []
  private var refunds: [RefundRecord] = []
  private var occurrences: [OccurrenceRecord] = []
  private var snapshots: [SnapshotOccurrence] = []
  private var unpriced: [UnpricedCharge] = []
  /// Where the events went is booked by the run's own history.
  private var unread: EventTally

  init(_ rules: HistoryRules) {
    builder = rules.makeBuilder(cutoff: .max)
    unread = EventTally(files: rules.fileCount)
  }

  /// The history before `cutoff`, good until the next call.
  func history(of all: UserEvents, before cutoff: Int64) -> UserHistory {
    Self.take(all.charges, before: cutoff, into: &charges)
    Self.take(all.refunds, before: cutoff, into: &refunds)
    Self.take(all.occurrences, before: cutoff, into: &occurrences)
    Self.take(all.snapshots, before: cutoff, into: &snapshots)
    Self.take(all.unpriced, before: cutoff, into: &unpriced)
    builder.history.cutoff = cutoff
    builder.build(
      UserEvents(
        charges: charges[...], refunds: refunds[...], occurrences: occurrences[...], snapshots: snapshots[...],
        unpriced: unpriced[...]), &unread)
    return builder.history
  }

  private static func take<Record: EventRecord>(
    _ all: ArraySlice<Record>, before cutoff: Int64, into records: inout [Record]
  ) {
    records.removeAll(keepingCapacity: true)
    for event in all where event.time < cutoff { records.append(event) }
  }
}
