import Domain

/// One user's charges, each once: of all events that tell one, the first in the content's own order is kept.
struct ChargeLedger: ~Copyable {
  private var retainedCharges = RecordBuffer<LedgerCharge>()
  private(set) var oddPrices = PriceMismatches()
  private let rules: HistoryRules
  private let order: EventOrder
  private let converter: MoneyConverter
  private var index = ChargeIndex()
  /// The events at hand, in memory that another owns, or in `copies`.
  private var events = RecordSpan<PurchaseEvent>()
  private var copies = RecordBuffer<PurchaseEvent>()
  private var keys = KeySet()
  /// Of some charge it is stated that nothing of it is taken back.
  private(set) var isAnyStatedWhole = false

  init(_ rules: HistoryRules, _ order: EventOrder, _ converter: MoneyConverter) {
    self.rules = rules
    self.order = order
    self.converter = converter
  }

  /// What the history's charges are made of, in its order.
  var retained: RecordSpan<LedgerCharge> { retainedCharges.span }

  /// Fills `history.charges`, by time.
  ///
  /// - Parameter areWanted: refunds will look for their charges.
  mutating func retain(
    _ charges: RecordSpan<PurchaseEvent>, _ versions: LatestVersions, _ chains: ChainNames?, areWanted: Bool,
    in history: UserHistory, _ tally: inout EventTally
  ) {
    retainedCharges.removeAll()
    events = charges
    isAnyStatedWhole = false
    guard !charges.isEmpty || areWanted else { return }
    index.removeAll()
    keys.removeAll()
    var duplicates = DuplicateReports()
    if chains != nil || !versions.isEmpty || charges.contains(where: { $0.isDuplicated }) {
      copies.removeAll()
      for event in charges {
        if versions.replaces(event) { tally.drop(event) } else { copies.append(event.named(by: chains)) }
      }
      if copies.span.contains(where: { $0.isDuplicated }) {
        order.sort(charges: copies.span)
        duplicates = DuplicateReports(outOf: &copies)
      }
      events = copies.span
    }
    let events = events
    order.sort(charges: events)
    let matching = rules.feeds.areSeveral ? ChargeMatching(Array(events), rules.feeds) : nil
    tally.money.reported += events.reduce(0) { $0 + $1.rows }
    for number in events.indices {
      retain(
        events[number], number, first: matching?.firsts[number], versions, areWanted: areWanted, in: history, &tally)
    }
    tally.money.charges += retained.count
    if rules.feeds.areOfSeveralInputs, retained.count > 1 { lookForRepetitions(history, &tally) }
    for event in duplicates.repeated { tally.drop(event) }
    if areWanted { index.add(duplicates.repeated + duplicates.links) }
    chains?.carryOn(history.charges)
  }

  /// - Parameters:
  ///   - number: the event's position among all.
  ///   - first: of a charge that several feeds report, the number of the first event of it.
  private mutating func retain(
    _ event: PurchaseEvent, _ number: Int, first: Int?, _ versions: LatestVersions, areWanted: Bool,
    in history: UserHistory, _ tally: inout EventTally
  ) {
    let new = retainedCharges.count
    let charge = charge(of: event, first: first, ifNew: new)
    if areWanted { index.add(event, charge: charge) }
    if charge == new {
      history.use(event, &tally)
      if event.charged != nil { tally.money.reportedInDollars += 1 }
      append(event, number, pricedBy: event.isNet ? versions.price(of: event) : event, to: history)
    } else {
      tally.drop(event)
      let first = events[retained[charge].event]
      if !rules.feeds.areSeveral, event.repeats(first) { history.copies += 1 }
      if isOtherItem(event, than: first) { tally.money.otherItems += 1 }
      complete(charge, by: event, in: history)
    }
    if event.isNumbered { retained[charge].isNumbered = true }
    if rules.feeds.areOfSeveralInputs { note(inputOf: event, charge) }
    note(answer: event, charge, history)
  }

  /// Notes that the input of an event tells the charge.
  private func note(inputOf event: PurchaseEvent, _ charge: Int) {
    retained[charge].inputs |= rules.feeds.inputBit(of: event)
    retained[charge].file = min(retained[charge].file, rules.feeds.position(of: event))
  }

  /// Counts charges that two inputs may tell of one sale.
  private func lookForRepetitions(_ history: UserHistory, _ tally: inout EventTally) {
    let (retained, charges, events) = (retained, history.charges, events)
    tally.reportedTwice.look(
      at: retained.indices.map { position in
        ChargesReportedTwice.Charge(
          charges[position], retained[position], transaction: events[retained[position].event].transactionNumber, rules)
      })
  }

  /// Notes what an answer from before the cut-off states: when access ends now, and that nothing of the charge is taken back.
  private mutating func note(answer event: PurchaseEvent, _ charge: Int, _ history: UserHistory) {
    guard let at = event.statedWholeAt, history.hasCome(at + 1) else { return }
    let ends = [history.charges[charge].standing.end, event.end]
    history.charges[charge].standing.end = ends.compactMap(\.self).max()
    guard at > retained[charge].statedWhole?.at ?? .min else { return }
    retained[charge].statedWhole = LedgerCharge.Statement(at: at, feed: rules.feeds.feed(of: event))
    isAnyStatedWhole = true
  }

  /// The place of the charge that an event tells: of one told by several feeds, that of the `first` event of it.
  private mutating func charge(of event: PurchaseEvent, first: Int?, ifNew new: Int) -> Int {
    if events.count == 1 { return new }
    if let first { return keys.insert(UInt64(first), number: new) }
    return event.hasKey ? keys.insert(event.keyNumber, number: new) : new
  }

  /// Whether two events that tell one charge by one feed's key name two products: most of an order is missing, then.
  private func isOtherItem(_ event: PurchaseEvent, than first: PurchaseEvent) -> Bool {
    event.product != first.product && rules.feeds.feed(of: event) == rules.feeds.feed(of: first)
      && event.keyNumber == first.keyNumber
  }

  /// - Parameters:
  ///   - number: the event's place among all.
  ///   - priced: the event that tells its price before refunds; nil where none does.
  private mutating func append(
    _ event: PurchaseEvent, _ number: Int, pricedBy priced: PurchaseEvent?, to history: UserHistory
  ) {
    let product = event.product
    let expected = rules.facts.catalogPrices[Int(product)]
    if expected > 0, let priced { oddPrices.look(at: priced, expected: expected) }
    let details = rules.details.all[Int(event.details)]
    retainedCharges.append(
      LedgerCharge(
        event: number, rate: ExchangeRates.one, day: Instant(milliseconds: event.time).utcDay,
        details: details, reportsEnd: event.end != nil, isNet: priced == nil,
        isNumbered: false))
    history.append(
      UserHistory.Charge(
        time: event.time, type: event.type, product: product, kind: rules.facts.kind(of: product, in: event.type),
        gross: 0, refunded: 0, amountMicros: 0, currency: .none, end: event.end, proceeds: 0,
        chain: event.chain,
        subscriptionGroup: rules.facts.subscriptionGroup(of: product, reported: event.subscriptionGroup),
        reportedPeriod: details.period, paymentsLeft: details.paymentsLeft ?? 0,
        recurringMicros: details.recurringMicros, isProrated: details.isProrated))
    if !rules.details.attributes.isEmpty {
      history.append(attributeValues: rules.details.values(of: event.details))
    }
    price(retained.count - 1, by: priced ?? event, in: history)
  }

  /// A charge costs what this event of it says, at the rate of the charge's day.
  private mutating func price(_ charge: Int, by event: PurchaseEvent, in history: UserHistory) {
    let (retained, charges) = (retained, history.charges)
    charges[charge].amountMicros = event.amount
    charges[charge].currency = event.currency
    retained[charge].charged = event.charged
    guard event.currency.code != rules.rates.reporting.code else {
      retained[charge].rate = ExchangeRates.one
      charges[charge].gross = event.amount
      return
    }
    let rate = converter.rate(of: event.currency, day: retained[charge].day) ?? ExchangeRates.one
    retained[charge].rate = rate
    charges[charge].gross = converter.converted(event.amount, at: rate)
  }

  /// What the kept event of a charge does not tell is taken from its copies: when access ends, of several the latest;
  /// what it cost before refunds; which subscription it belongs to; what of it is tax and commission, how long it is paid
  /// for, values of attributes, of several the first.
  private mutating func complete(_ charge: Int, by copy: PurchaseEvent, in history: UserHistory) {
    if let end = copy.end, !retained[charge].reportsEnd {
      history.charges[charge].end = max(history.charges[charge].end ?? .min, end)
    }
    if retained[charge].isNet, !copy.isNet {
      retained[charge].isNet = false
      price(charge, by: copy, in: history)
    }
    if history.charges[charge].chain == 0 { history.charges[charge].chain = copy.chain }
    history.note(subscriptionGroup: copy.subscriptionGroup, ofCharge: charge)
    let details = rules.details.all[Int(copy.details)]
    if history.charges[charge].reportedPeriod == nil, let period = details.period {
      history.charges[charge].reportedPeriod = period
      history.charges[charge].paymentsLeft = details.paymentsLeft ?? 0
    }
    retained[charge].details.split = retained[charge].details.split ?? details.split
    retained[charge].details.tax = retained[charge].details.tax ?? details.tax
    retained[charge].details.commission = retained[charge].details.commission ?? details.commission
    retained[charge].details.usualCommission = retained[charge].details.usualCommission ?? details.usualCommission
    history.charges[charge].recurringMicros = history.charges[charge].recurringMicros ?? details.recurringMicros
    history.complete(charge, by: rules.details.values(of: copy.details))
  }

  // MARK: - For refunds

  /// The place of the charge that a refund or reversal names; nil where nobody knows it.
  func charge(of refund: PurchaseEvent, in history: UserHistory) -> Int? {
    index.charge(of: refund, retained: retained, charges: history.charges)
  }

  /// The places of the items that a refund or reversal names as a whole; nil where it names one charge or none.
  func items(of refund: PurchaseEvent) -> [Int]? { index.items(of: refund) }

  // MARK: - For answers

  /// Gives a charge what the store answered of how it stands: the charge that the answer names; where it names none, or one
  /// that a plan changed at no cost for, the latest of its subscription before the end that it tells.
  func accept(_ state: PurchaseEvent, in history: UserHistory) {
    var position = index.charge(of: state, charges: history.charges)
    if position == nil, !state.hasTransaction || history.isChangeAtNoCost(state.transactionNumber) {
      position = history.charges.lastIndex {
        $0.isAutoRenewable && $0.chain == state.chain && $0.time < state.end ?? .max
      }
    }
    guard let position else { return }
    history.charges[position].accept(state, recurringMicros: rules.details.all[Int(state.details)].recurringMicros)
  }

  /// Notes where the charge's refunds are booked.
  mutating func note(ledger: Int, of charge: Int) { retained[charge].ledger = ledger }
}
