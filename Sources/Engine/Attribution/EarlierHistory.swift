/// A user's history as a run with an earlier cut-off would have built it: from the events before it, and no others.
///
/// What came later changes more than itself: a copy of a charge may tell an end or a transaction, a row replace an
/// older one. So the history is built anew instead of cut off.
final class EarlierHistory {
  private let builder: HistoryBuilder
  private var chosen = EventsByKind()
  /// Where the events went is booked by the run's own history.
  private var unread: EventTally

  init(_ rules: HistoryRules) {
    builder = rules.makeBuilder(cutoff: .max)
    unread = EventTally(files: rules.fileCount)
  }

  /// The history before `cutoff`, good until the next call.
  func history(of all: UserEvents, before cutoff: Int64) -> UserHistory {
    history(of: all, before: cutoff) { _ in true }
  }

  /// The same of those events alone for which `isWanted` holds.
  @inline(__always)
  func history(of all: UserEvents, before cutoff: Int64, where isWanted: (PurchaseEvent) -> Bool) -> UserHistory {
    // A charge that says how much of it was given back, and not when, is told so by refunds that are still to come.
    let acceptsLater = all.refunds.contains { $0.isUndated }
    chosen.choose(from: all) { ($0.time < cutoff || acceptsLater && $0.type == .refund) && isWanted($0) }
    builder.history.move(to: cutoff)
    builder.build(chosen.all, &unread)
    return builder.history
  }
}
