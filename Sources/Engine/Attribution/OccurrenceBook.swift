import Domain

/// What happened to one user beside money, each thing once.
struct OccurrenceBook: ~Copyable {
  private let feeds: FeedIndex
  private let order: EventOrder
  private var records = RecordBuffer<OccurrenceRecord>()
  private var lifecycle = LifecycleTellings()
  private var keys = KeySet()

  init(_ rules: HistoryRules, _ order: EventOrder) {
    feeds = rules.feeds
    self.order = order
  }

  /// Adds to `history.events`, by time; the charges are there already.
  mutating func keep(
    _ user: UserEvents, _ versions: LatestVersions, in history: UserHistory, _ tally: inout EventTally
  ) {
    collect(user, versions, history, &tally)
    let events = records.span
    guard !events.isEmpty else { return }
    lifecycle.removeAll()
    keys.removeAll()
    order.sort(events)
    let isTwofold = feeds.areSeveral || events.contains { $0.isRetold }
    for number in events.indices {
      let event = events[number]
      let isLifecycle = isTwofold && LifecycleTellings.covers(event.type)
      if event.head.hasKey, events.count > 1 {
        let key = identity(of: event)
        let first = keys.insert(isLifecycle ? feeds.key(key, of: event.head) : key, number: number)
        guard first == number else {
          tally.drop(event.head)
          if !feeds.areSeveral, event.repeats(events[first]) { history.copies += 1 }
          continue
        }
      }
      if isLifecycle, let other = earlierTelling(of: event, history) {
        tally.drop(event.head)
        complete(other, by: event, in: history)
        continue
      }
      history.use(event.head, &tally)
      history.append(event.head, code: event.code, end: event.end.value)
    }
  }

  /// The events that stand: those of replaced snapshots are dropped, failed renewals settled by what came after them.
  private mutating func collect(
    _ user: UserEvents, _ versions: LatestVersions, _ history: UserHistory, _ tally: inout EventTally
  ) {
    records.removeAll()
    records.append(contentsOf: user.occurrences)
    history.hasBillingIssues = BillingIssues.areAmong(user.occurrences)
    if history.hasBillingIssues {
      records.append(each: BillingIssues.recoveries(of: user.occurrences, by: history.charges))
    }
    guard !user.snapshots.isEmpty else { return }
    var snapshots: [SnapshotOccurrence] = []
    for event in user.snapshots {
      if versions.replaces(event) { tally.drop(event.head) } else { snapshots.append(event) }
    }
    history.hasBillingIssues = history.hasBillingIssues || BillingIssues.areAmong(snapshots)
    records.append(each: BillingIssues.settled(snapshots, by: history.charges))
  }

  /// Where another feed's telling of the event was kept. An event that names no product concerns the latest
  /// subscription.
  private mutating func earlierTelling(of event: OccurrenceRecord, _ history: UserHistory) -> Int? {
    let new = history.events.count
    let product =
      event.head.product == Interner.none
      ? history.charges.last { $0.time <= event.time && $0.isAutoRenewable }?.product ?? Interner.none
      : event.head.product
    let place = lifecycle.place(of: event, product: product, by: feeds.feed(of: event.head), ifNew: new)
    return place == new ? nil : place
  }

  /// Takes from a copy when a trial, a grace or more time ends, where the kept event does not tell.
  private func complete(_ place: Int, by copy: OccurrenceRecord, in history: UserHistory) {
    guard let end = copy.end.value, history.events[place].end == nil else { return }
    history.events[place].end = end
  }

  /// What makes the event one with its copies. What a snapshot tells carries the key of its row, which has no id of an
  /// event's own, and goes by what it says.
  private func identity(of event: OccurrenceRecord) -> UInt64 {
    guard event.isOfSnapshot else { return event.head.key }
    return Fingerprint(contentOf: event.type, product: event.head.product, time: event.time).low
  }
}
