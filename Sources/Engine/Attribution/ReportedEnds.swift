/// What the log tells of the ends of trials and of one-time access.
struct ReportedEnds {
  /// None where nothing tells of an end.
  private let events: RecordSpan<UserHistory.Event>

  /// What began to give access, and when it usually ends.
  struct Beginning {
    var product: UInt32
    /// Stands for the subscription or purchase that it belongs to; 0 where the log names none.
    var chain: UInt32
    var time: Int64
    var usualEnd: Int64
    /// What is told from then on is about something else.
    var until = AccessTimeline.open
  }

  init(_ user: UserHistory) {
    events = user.happened.mayHold(anyOf: .ends) ? user.events : RecordSpan()
  }

  /// When what began ends: where it was extended to last, else when it usually would, and at its expiry.
  ///
  /// - Parameter acceptsUnnamed: events that name neither a product nor a purchase concern it, too.
  func end(of beginning: Beginning, acceptsUnnamed: Bool) -> Int64 {
    var expiry: Int64?
    var extended: (time: Int64, end: Int64)?
    for event in events where event.time >= beginning.time && event.time < beginning.until {
      guard concerns(event, beginning, acceptsUnnamed) else { continue }
      if event.type == .expire { expiry = expiry ?? event.time }
      guard event.type == .extend, let end = event.end else { continue }
      // Of several extensions the latest counts; of one instant that which reaches furthest.
      extended = (event.time, extended?.time == event.time ? max(end, extended?.end ?? end) : end)
    }
    return min(extended?.end ?? beginning.usualEnd, expiry ?? AccessTimeline.open)
  }

  private func concerns(_ event: UserHistory.Event, _ beginning: Beginning, _ acceptsUnnamed: Bool) -> Bool {
    guard event.isOfSubscription(beginning.chain) else { return false }
    if event.product == beginning.product { return true }
    return event.product == Interner.none && (acceptsUnnamed || event.chain != 0 && event.chain == beginning.chain)
  }
}
