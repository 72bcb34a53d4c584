import Domain

/// What happened to one user beside money, each thing once.
struct OccurrenceLedger: ~Copyable {
  private let feeds: FeedIndex
  private let order: EventOrder
  /// The events at hand, in memory that another owns, or in `copies`.
  private var events = RecordSpan<PurchaseEvent>()
  private var copies = RecordBuffer<PurchaseEvent>()
  private var lifecycle = LifecycleReports()
  private var keys = KeySet()
  private var answers = RecordBuffer<PurchaseEvent>()
  /// Some of the records are trials.
  private var hasTrials = false

  init(_ rules: HistoryRules, _ order: EventOrder) {
    feeds = rules.feeds
    self.order = order
  }

  /// The store's answers of how subscriptions stand.
  var states: RecordSpan<PurchaseEvent> { answers.span }

  /// Adds to `history.events`, by time; the charges are there already.
  mutating func retain(
    _ user: UserEvents, _ versions: LatestVersions, _ chains: ChainNames?, in history: UserHistory,
    _ tally: inout EventTally
  ) {
    collect(user, versions, chains, history, &tally)
    answers.removeAll()
    let events = events
    guard !events.isEmpty else { return }
    lifecycle.removeAll()
    keys.removeAll()
    order.sort(occurrences: events)
    hasTrials = events.contains { $0.type == .trialStart }
    let isTwofold = feeds.areSeveral || events.contains { $0.isDuplicated }
    for number in events.indices { retain(events[number], number, isTwofold: isTwofold, in: history, &tally) }
  }

  /// - Parameters:
  ///   - number: the event's position among all.
  ///   - isTwofold: several feeds, or several events of one, may report the same thing.
  private mutating func retain(
    _ event: PurchaseEvent, _ number: Int, isTwofold: Bool, in history: UserHistory, _ tally: inout EventTally
  ) {
    let isLifecycle = isTwofold && !event.isState && LifecycleReports.covers(event.type)
    if event.hasKey, events.count > 1 {
      let key = identity(of: event)
      let first = keys.insert(isLifecycle ? feeds.key(key, of: event) : key, number: number)
      guard first == number else {
        tally.drop(event)
        if !feeds.areSeveral, event.repeats(events[first]) { history.copies += 1 }
        return
      }
    }
    if isLifecycle, let other = earlierReport(of: event, history) {
      tally.drop(event)
      history.complete(other, by: happening(event, in: history))
      return
    }
    history.use(event, &tally)
    if event.isState { answers.append(event) } else { append(event, to: history) }
  }

  private func append(_ event: PurchaseEvent, to history: UserHistory) {
    let happened = happening(event, in: history)
    if isTrialChange(event, in: history) { history.append(trialChange: happened) } else { history.append(happened) }
  }

  private func happening(_ event: PurchaseEvent, in history: UserHistory) -> UserHistory.Event {
    var happened = history.event(event, code: event.code, end: event.end)
    happened.reportsNoGrace = event.reportsNoGrace
    return happened
  }

  /// Whether a trial goes on that the same subscription began before: its plan was changed, say, or a code gave another
  /// month. Of one subscription the first trial begins it.
  private func isTrialChange(_ event: PurchaseEvent, in history: UserHistory) -> Bool {
    guard event.type == .trialStart, event.chain != 0, history.happened.mayHold(.trialStart) else { return false }
    return history.events.contains { $0.type == .trialStart && $0.chain == event.chain }
  }

  /// The events that stand: those of replaced snapshots are dropped, failed renewals settled by what came after them.
  private mutating func collect(
    _ user: UserEvents, _ versions: LatestVersions, _ chains: ChainNames?, _ history: UserHistory,
    _ tally: inout EventTally
  ) {
    events = user.occurrences
    history.hasBillingIssues = BillingIssues.areAmong(events)
    if chains == nil, !history.hasBillingIssues, user.snapshots.isEmpty { return }
    copies.removeAll()
    defer { events = copies.span }
    for event in user.occurrences { copies.append(event.named(by: chains)) }
    if history.hasBillingIssues {
      copies.append(each: BillingIssues.recoveries(of: copies.span, by: history.charges))
    }
    guard !user.snapshots.isEmpty else { return }
    var snapshots: [PurchaseEvent] = []
    for event in user.snapshots where !event.isVoid {
      if versions.replaces(event) { tally.drop(event) } else { snapshots.append(event.named(by: chains)) }
    }
    history.hasBillingIssues = history.hasBillingIssues || BillingIssues.areAmong(snapshots)
    copies.append(each: BillingIssues.settled(snapshots, by: history.charges))
  }

  /// The subscription in which a product was sold last by then, for money or as a trial; 0 where nobody names it.
  private func chain(of product: UInt32, at time: Int64, _ history: UserHistory) -> UInt32 {
    let charge = history.charges.last { $0.time <= time && $0.product == product }
    guard hasTrials else { return charge?.chain ?? 0 }
    if charge?.time != time, let chain = chainOfTrial(of: product, at: time) { return chain }
    let trial = [history.events, history.trialChanges].compactMap { events in
      events.last { $0.type == .trialStart && $0.product == product }
    }.max { $0.time < $1.time }
    if let trial, trial.time > charge?.time ?? .min { return trial.chain }
    return charge?.chain ?? 0
  }

  /// The subscription of a trial of the product that began at that very moment, of whose events it may come last.
  private func chainOfTrial(of product: UInt32, at time: Int64) -> UInt32? {
    events.first {
      $0.time == time && $0.type == .trialStart && $0.product == product && $0.chain != 0
    }?.chain
  }

  /// Where another feed's telling of the event was kept: a place among the history's events, or, of a trial's change, among
  /// those, counted from −1 down. An event that names no product, or no subscription, concerns the latest by then.
  private mutating func earlierReport(of event: PurchaseEvent, _ history: UserHistory) -> Int? {
    let new = isTrialChange(event, in: history) ? ~history.trialChanges.count : history.events.count
    var (product, chain) = (event.product, event.chain)
    if product == Interner.none {
      product = history.charges.last { $0.time <= event.time && $0.isAutoRenewable }?.product ?? product
    }
    if chain == 0 { chain = self.chain(of: product, at: event.time, history) }
    let position = lifecycle.position(
      of: event, product: product, chain: chain, by: feeds.feed(of: event), ifNew: new)
    return position == new ? nil : position
  }

  /// What makes the event one with its copies. What a snapshot tells carries the key of its row, which has no id of an
  /// event's own, and goes by what it says.
  private func identity(of event: PurchaseEvent) -> UInt64 {
    guard event.isReplaceable else { return event.keyNumber }
    return Fingerprint(contentOf: event.type, product: event.product, time: event.time).low
  }
}
