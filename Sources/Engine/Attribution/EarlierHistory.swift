/// A user's history as a run with an earlier cut-off would have built it: from the events before it, and no others.
///
/// What came later changes more than itself: a copy of a charge may tell an end or a transaction, a row replace an
/// older one. So the history is built anew instead of cut off.
final class EarlierHistory {
  private let builder: HistoryBuilder
  private var events: [EventRecord] = []
  /// Where the events went is told by the run's own history.
  private var nowhere: EventTally

  /// - Parameter builder: one that nothing else uses.
  init(_ builder: HistoryBuilder, files: Int) {
    self.builder = builder
    nowhere = EventTally(files: files)
  }

  /// The history before `cutoff`, good until the next call.
  func history(of all: ArraySlice<EventRecord>, before cutoff: Int64) -> UserHistory {
    events.removeAll(keepingCapacity: true)
    for event in all where event.time < cutoff { events.append(event) }
    builder.history.cutoff = cutoff
    builder.build(events[...], &nowhere)
    return builder.history
  }
}
