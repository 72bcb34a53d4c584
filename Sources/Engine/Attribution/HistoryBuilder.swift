import Domain
import Jobs

/// Turns one user's events as they were read into a history: duplicates out, refunds on their charges.
final class HistoryBuilder {
  let facts: ProductFacts
  let order: EventOrder
  let rates: ExchangeRates
  let feeds: FeedIndex
  let details: ChargeDetailsIndex
  let history: UserHistory
  /// Money that does not fit 64 bits of micros once converted.
  private(set) var hasOverflowed = false
  private(set) var oddPrices = OddPrices()

  private var charges: [EventRecord] = []
  private var refunds: [EventRecord] = []
  private var others: [EventRecord] = []
  private var versions = LatestVersions(of: [])
  /// What the history's charges are made of, in its order.
  private var kept: [KeptCharge] = []
  private var index = ChargeIndex()
  private var ledgers: [RefundLedger] = []
  /// Of refunds whose charge nobody knows, by the transaction they name.
  private var orphans: [UInt64: Int] = [:]
  private var lifecycle = LifecycleTellings()
  private var keys = KeySet()
  /// Some of the user's events have to be looked for among what their own feed has told.
  private var isRetold = false

  init(order: EventOrder, rates: ExchangeRates, cutoff: Int64) {
    facts = order.facts
    feeds = order.feeds
    history = UserHistory(facts: order.facts, cutoff: cutoff)
    self.order = order
    self.rates = rates
    details = order.details
  }

  /// Builds the history of the user whose events these are, and tells `tally` where each one went.
  func build(_ events: ArraySlice<EventRecord>, _ tally: inout EventTally) {
    clear()
    versions = LatestVersions(of: events)
    for event in events {
      if event.flags.contains(.hasNoRate) {
        tally.rejectRateless(event)
      } else if versions.replace(event) {
        tally.drop(event)
      } else if event.type.isCharge {
        charges.append(event)
      } else if event.type.isRefund {
        refunds.append(event)
      } else {
        others.append(event)
        isRetold = isRetold || event.flags.contains(.isRetold)
        history.hasBillingIssues = history.hasBillingIssues || BillingIssues.concerns(event)
      }
    }
    buildCharges(&tally)
    applyRefunds(&tally)
    buildOthers(&tally)
  }

  private func clear() {
    history.removeAll()
    charges.removeAll(keepingCapacity: true)
    refunds.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    kept.removeAll(keepingCapacity: true)
    ledgers.removeAll(keepingCapacity: true)
    if !orphans.isEmpty { orphans.removeAll() }
    index.removeAll()
    lifecycle.removeAll()
    isRetold = feeds.areSeveral
  }

  private func keep(_ event: EventRecord, _ tally: inout EventTally) {
    tally.use(event)
    if event.loggedGroup != EventRecord.noName {
      history.loggedArms.append((event.loggedOffering, event.loggedGroup))
    }
  }

  // MARK: - Charges

  /// Of the copies of a charge the first in the content's own order is kept.
  private func buildCharges(_ tally: inout EventTally) {
    keys.removeAll()
    order.sort(&charges)
    let matching = feeds.areSeveral ? ChargeMatching(charges, feeds) : nil
    for (number, event) in charges.enumerated() {
      let new = history.charges.count
      let charge = charge(of: event, first: matching?.firsts[number], ifNew: new)
      if !refunds.isEmpty { index.add(event, charge: charge) }
      if charge == new {
        keep(event, &tally)
        append(event)
      } else {
        tally.drop(event)
        lend(event, toCharge: charge)
      }
      if event.flags.contains(.isNumbered) { kept[charge].isNumbered = true }
    }
  }

  /// The place of the charge that an event tells: of one told by several feeds, that of the `first` event of it.
  private func charge(of event: EventRecord, first: Int?, ifNew new: Int) -> Int {
    if let first { return keys.insert(UInt64(first), number: new) }
    return event.flags.contains(.hasKey) ? keys.insert(event.key, number: new) : new
  }

  private func append(_ event: EventRecord) {
    let isNet = event.flags.contains(.isNet)
    let priced = isNet ? versions.price(of: event) : event
    let expected = facts.catalogPrices[Int(event.product)]
    if expected > 0, let priced { oddPrices.look(at: priced, expected: expected) }
    kept.append(
      KeptCharge(
        amountMicros: 0, currency: .none, rate: ExchangeRates.one, day: Instant(milliseconds: event.time).utcDay,
        details: details.all[Int(event.details)], tellsEnd: event.end != nil, isNet: priced == nil, isNumbered: false))
    history.charges.append(
      UserHistory.Charge(
        time: event.time, type: event.type, product: event.product,
        kind: facts.kind(of: event.product, in: event.type), gross: 0, refunded: 0,
        amountMicros: event.amountMicros, currency: event.currency, end: event.end, proceeds: 0))
    if !details.attributes.isEmpty { history.attributeValues += details.values(of: event.details) }
    price(kept.count - 1, by: priced ?? event)
  }

  /// A charge costs what this event of it says, at the rate of the charge's day.
  private func price(_ charge: Int, by event: EventRecord) {
    kept[charge].amountMicros = event.amountMicros
    kept[charge].currency = event.currency
    history.charges[charge].amountMicros = event.amountMicros
    history.charges[charge].currency = event.currency
    kept[charge].rate = rates.nanos(event.currency, day: kept[charge].day) ?? ExchangeRates.one
    history.charges[charge].gross = converted(event.amountMicros, kept[charge].rate)
  }

  /// What the kept event of a charge does not tell is taken from its copies: when access ends, of several the latest;
  /// what it cost before refunds; what of it is tax and commission; values of attributes, of several the first.
  private func lend(_ copy: EventRecord, toCharge charge: Int) {
    let told = kept[charge].details
    if let end = copy.end, !kept[charge].tellsEnd {
      history.charges[charge].end = max(history.charges[charge].end ?? .min, end)
    }
    if kept[charge].isNet, !copy.flags.contains(.isNet) {
      kept[charge].isNet = false
      price(charge, by: copy)
    }
    let lent = details.all[Int(copy.details)]
    kept[charge].details.tax = told.tax ?? lent.tax
    kept[charge].details.commission = told.commission ?? lent.commission
    history.lend(details.values(of: copy.details), toCharge: charge)
  }

  private func converted(_ micros: Int64, _ rate: Int64) -> Int64 {
    if let amount = Money.converted(micros: micros, rateNanos: rate) { return amount }
    hasOverflowed = true
    return Int64.max
  }

  // MARK: - Refunds

  /// In order of time, at one instant refunds before reversals.
  private func applyRefunds(_ tally: inout EventTally) {
    keys.removeAll()
    order.sort(&refunds)
    for (number, event) in refunds.enumerated() {
      let charge = index.charge(of: event, kept: kept, charges: history.charges)
      guard let part = part(of: event, charge) else {
        tally.rejectRateless(event)
        continue
      }
      let isCopy =
        event.flags.contains(.hasKey) && keys.insert(feeds.key(event.key, of: event), number: number) != number
      guard !isCopy, !isTold(event, charge, part: part) else {
        tally.drop(event)
        continue
      }
      keep(event, &tally)
      append(other: event)
      if charge == nil { tally.orphan(event) }
    }
    for index in history.charges.indices { setProceeds(index, of: history) }
  }

  /// What a refund gives back of its charge, at the rate that its currency has on the charge's day; nil where no rate
  /// is known.
  private func part(of refund: EventRecord, _ charge: Int?) -> Int64? {
    // A reversal restores all, whatever part it names.
    guard refund.type == .refund else { return 0 }
    guard let charge else { return refund.flags.contains(.isShare) ? .max : refund.amount ?? .max }
    let gross = history.charges[charge].gross
    guard let amount = refund.amount else { return gross }
    if refund.flags.contains(.isShare) {
      return min(converted(RefundShare.part(amount, of: kept[charge].amountMicros), kept[charge].rate), gross)
    }
    var rate = kept[charge].rate
    if refund.currency != .none, refund.currency != kept[charge].currency {
      // What a row says beside its charge is not rejected by itself.
      guard let own = rates.nanos(refund.currency, day: kept[charge].day) else {
        return refund.flags.contains(.isCompanion) ? 0 : nil
      }
      rate = own
    }
    let micros = converted(amount, rate)
    return refund.flags.contains(.isNet) ? max(0, gross - micros) : micros
  }

  /// Writes a refund or reversal into its charge's ledger, and says whether another feed has told it before.
  private func isTold(_ event: EventRecord, _ charge: Int?, part: Int64) -> Bool {
    guard let ledger = ledger(of: event, charge) else { return false }
    let feed = feeds.feed(of: event)
    let isTold =
      event.type == .refund
      ? ledgers[ledger].take(part, isState: event.tellsState, by: feed) : ledgers[ledger].reverse(by: feed)
    guard let charge, history.charges[charge].refunded != ledgers[ledger].standing else { return isTold }
    history.charges[charge].refunded = ledgers[ledger].standing
    history.refundSteps.append(
      UserHistory.RefundStep(time: event.time, charge: charge, refunded: ledgers[ledger].standing))
    return isTold
  }

  /// The ledger of the charge; where nobody knows that, of the transaction, because two feeds may name it.
  private func ledger(of event: EventRecord, _ charge: Int?) -> Int? {
    let known = charge.map { kept[$0].ledger } ?? orphans[event.transaction]
    if let known { return known }
    guard charge != nil || feeds.areSeveral && event.flags.contains(.hasTransaction) else { return nil }
    ledgers.append(RefundLedger(gross: charge.map { history.charges[$0].gross }))
    if let charge { kept[charge].ledger = ledgers.count - 1 } else { orphans[event.transaction] = ledgers.count - 1 }
    return ledgers.count - 1
  }

  private func setProceeds(_ index: Int, of history: UserHistory) {
    let product = Int(history.charges[index].product)
    history.charges[index].proceeds = Money.proceeds(
      net: history.charges[index].net, tax: kept[index].details.tax ?? facts.taxes[product],
      commission: kept[index].details.commission ?? facts.commissions[product])
  }

  // MARK: - Everything else

  private func buildOthers(_ tally: inout EventTally) {
    keys.removeAll()
    if history.hasBillingIssues { BillingIssues.settle(&others, by: history.charges) }
    order.sort(&others)
    for (number, event) in others.enumerated() {
      let isLifecycle = isRetold && LifecycleTellings.covers(event.type)
      if event.flags.contains(.hasKey) {
        let key = identity(ofOther: event)
        if keys.insert(isLifecycle ? feeds.key(key, of: event) : key, number: number) != number {
          tally.drop(event)
          continue
        }
      }
      if isLifecycle, let other = earlierTelling(of: event) {
        tally.drop(event)
        lend(event, toEvent: other)
        continue
      }
      keep(event, &tally)
      append(other: event)
    }
    if !refunds.isEmpty { history.events.sort { ($0.time, $0.type.code) < ($1.time, $1.type.code) } }
  }

  /// Where another feed's telling of the event was kept. An event that names no product concerns the latest
  /// subscription.
  private func earlierTelling(of event: EventRecord) -> Int? {
    let new = history.events.count
    let product = event.product == Interner.none ? subscription(at: event.time) : event.product
    let place = lifecycle.place(of: event, product: product, by: feeds.feed(of: event), ifNew: new)
    return place == new ? nil : place
  }

  private func subscription(at time: Int64) -> UInt32 {
    history.charges.last { $0.time <= time && $0.isAutoRenewable }?.product ?? Interner.none
  }

  /// When a trial, a grace or more time ends, where the kept event does not tell.
  private func lend(_ copy: EventRecord, toEvent place: Int) {
    guard let end = copy.end, history.events[place].end == nil else { return }
    history.events[place].end = end
  }

  /// What makes the event one with its copies. The companion of a row that may be replaced carries the key of that
  /// row, and goes by what it says.
  private func identity(ofOther event: EventRecord) -> UInt64 {
    guard event.flags.isSuperset(of: [.hasVersion, .isCompanion]) else { return event.key }
    return Fingerprint(contentOf: event.type, product: event.product, time: event.time).low
  }

  private func append(other event: EventRecord) {
    history.events.append(
      UserHistory.Event(
        time: event.time, type: event.type, product: event.product,
        kind: facts.kind(of: event.product), end: event.end, code: event.code,
        transaction: event.flags.contains(.hasTransaction) ? event.transaction : nil))
  }
}
