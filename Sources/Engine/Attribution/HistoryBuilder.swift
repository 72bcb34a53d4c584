/// Turns one user's events as they were read into a history: duplicates out, refunds on their charges.
///
/// One of these is used for user after user, so that its memory is taken once.
final class HistoryBuilder {
  let history: UserHistory
  private let converter: MoneyConverter
  private var charges: ChargeLedger
  private var refunds: RefundAttribution
  private var occurrences: OccurrenceLedger
  private let feeds: FeedIndex
  private var untested = EventsByKind()

  /// - Parameter cutoff: the cut-off, in milliseconds since 1970.
  init(_ rules: HistoryRules, cutoff: Int64) {
    history = UserHistory(facts: rules.facts, cutoff: cutoff)
    converter = MoneyConverter(rules.rates)
    feeds = rules.feeds
    let order = EventOrder(rules)
    charges = ChargeLedger(rules, order, converter)
    refunds = RefundAttribution(rules, order, converter)
    occurrences = OccurrenceLedger(rules, order)
  }

  /// Money did not fit 64 bits of micros once converted.
  var hasOverflowed: Bool { converter.hasOverflowed }
  /// Charges far from their catalog price, of all users so far.
  var oddPrices: PriceMismatches { charges.oddPrices }

  /// Builds the history of the user whose events these are, and books where each one went.
  func build(_ events: UserEvents, _ tally: inout EventTally) {
    history.removeAll()
    let chains = ChainNames(of: events, feeds)
    let events = chains.map { leaveOutTests(of: events, $0, &tally) } ?? events
    let versions = LatestVersions(of: events)
    for event in events.unpriced { tally.reject(event.reject - 1) }
    refunds.accept(events.refunds, versions, in: history, &tally)
    let areWanted = !refunds.isEmpty || events.occurrences.contains { $0.isState }
    charges.retain(events.charges, versions, chains, areWanted: areWanted, in: history, &tally)
    refunds.apply(to: &charges, in: history, &tally)
    occurrences.retain(events, versions, chains, in: history, &tally)
    for state in occurrences.states { charges.accept(state, in: history) }
    history.settleSubscriptionGroups()
    if !refunds.isEmpty { history.events.sort { ($0.time, $0.type.code) < ($1.time, $1.type.code) } }
  }

  /// The events of subscriptions that are no tests.
  private func leaveOutTests(of events: UserEvents, _ chains: ChainNames, _ tally: inout EventTally) -> UserEvents {
    guard chains.areSomeTests else { return events }
    events.forEach { if chains.isTest($0) { tally.setAsTest($0) } }
    untested.choose(from: events) { !chains.isTest($0) }
    return untested.all
  }
}

extension UserHistory {
  /// Books an event that counts, and remembers the group it was logged with.
  func use(_ event: PurchaseEvent, _ tally: inout EventTally) {
    tally.use(event)
    if event.product != Interner.none, facts.kinds[Int(event.product)] == nil {
      tally.noteUnknownKind(of: event.product)
    }
    if event.loggedGroup != Interner.none {
      append(LoggedGroup(offering: event.loggedOffering, group: event.loggedGroup))
    }
  }

  /// What happened beside the charges, as the history holds it.
  func event(_ event: PurchaseEvent, code: UInt32 = Interner.none, end: Int64? = nil) -> Event {
    Event(
      time: event.time, type: event.type, product: event.product, kind: facts.kind(of: event.product), end: end,
      code: code, transaction: event.transaction, chain: event.chain,
      subscriptionGroup: event.type == .trialStart
        ? facts.subscriptionGroup(of: event.product, reported: event.subscriptionGroup) : 0)
  }
}
