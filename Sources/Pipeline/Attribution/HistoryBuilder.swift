/// Turns one user's events as they were read into a history: duplicates out, refunds on their charges.
final class HistoryBuilder {
  let facts: ProductFacts
  let types: EventTypes
  let rates: ExchangeRates
  let order: RosterOrder
  let feeds: Feeds
  let history: UserHistory
  /// Money that does not fit 64 bits of micros once converted.
  private(set) var hasOverflowed = false
  private(set) var oddPrices = OddPrices()

  private var charges: [EventRecord] = []
  private var refunds: [EventRecord] = []
  private var others: [EventRecord] = []
  /// Transactions of the kept charges and of their dropped copies, with the charge's place in the history.
  private var chargeOfTransaction: [UInt64: Int] = [:]
  private var rateOfCharge: [Int64] = []
  private var keys = KeySet()
  /// Whether the event that was kept of each charge tells when access ends.
  private var tellsEnd: [Bool] = []
  /// What each charge was in its own currency, in micros.
  private var amountOfCharge: [Int64] = []
  private var refundsTold = RefundsTold()

  init(
    facts: ProductFacts, types: EventTypes, rates: ExchangeRates, order: RosterOrder, feeds: Feeds, cutoff: Int64
  ) {
    history = UserHistory(facts: facts, cutoff: cutoff)
    self.order = order
    self.feeds = feeds
    self.facts = facts
    self.types = types
    self.rates = rates
  }

  /// Builds the history of the user whose events these are, and tells `tally` where each one went.
  func build(_ events: ArraySlice<EventRecord>, _ tally: inout EventTally) {
    history.removeAll()
    charges.removeAll(keepingCapacity: true)
    refunds.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    let versions = LatestVersions(of: events)
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
      }
    }
    buildCharges(&tally)
    applyRefunds(&tally)
    buildOthers(&tally)
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
    rateOfCharge.removeAll(keepingCapacity: true)
    amountOfCharge.removeAll(keepingCapacity: true)
    tellsEnd.removeAll(keepingCapacity: true)
    if !chargeOfTransaction.isEmpty { chargeOfTransaction.removeAll(keepingCapacity: true) }
    keys.removeAll()
    sort(&charges)
    let firsts = feeds.areSeveral ? ChargesTold.firsts(of: charges, feeds) : nil
    for (number, event) in charges.enumerated() {
      let kept = history.charges.count
      let charge = charge(of: event, first: firsts?[number], ifNew: kept)
      if !refunds.isEmpty || feeds.areSeveral {
        if event.flags.contains(.hasKey) { chargeOfTransaction[event.key] = charge }
        if event.flags.contains(.hasTransaction) { chargeOfTransaction[event.transaction] = charge }
      }
      guard charge == kept else {
        tally.drop(event)
        lend(event.end, to: charge)
        continue
      }
      keep(event, &tally)
      append(event)
    }
  }

  /// An end that the kept event of a charge does not tell is that of its copies, of several the latest: one feed
  /// knows when access ends, another does not.
  private func lend(_ end: Int64?, to charge: Int) {
    guard let end, !tellsEnd[charge] else { return }
    history.charges[charge].end = max(history.charges[charge].end ?? .min, end)
  }

  /// The place of the charge that an event tells: of one told by several feeds, that of the `first` event of it.
  private func charge(of event: EventRecord, first: Int?, ifNew new: Int) -> Int {
    if let first { return keys.insert(UInt64(first), number: new) }
    return event.flags.contains(.hasKey) ? keys.insert(event.key, number: new) : new
  }

  private func append(_ event: EventRecord) {
    let expected = facts.catalogPrices[Int(event.product)]
    if expected > 0 { oddPrices.look(at: event, expected: expected) }
    let rate = rates.nanos(event.currency, day: Instant(milliseconds: event.time).utcDay) ?? ExchangeRates.one
    rateOfCharge.append(rate)
    amountOfCharge.append(event.amountMicros)
    tellsEnd.append(event.end != nil)
    history.charges.append(
      UserHistory.Charge(
        time: event.time, type: event.type, product: event.product,
        kind: facts.kind(of: event.product, in: event.type),
        gross: converted(event.amountMicros, rate), refunded: 0, amountMicros: event.amountMicros,
        currency: event.currency, end: event.end, proceeds: 0))
  }

  private func converted(_ micros: Int64, _ rate: Int64) -> Int64 {
    if let amount = Money.converted(micros: micros, rateNanos: rate) { return amount }
    hasOverflowed = true
    return Int64.max
  }

  // MARK: - Refunds

  /// In order of time, at one instant refunds before reversals: parts add up to at most the charge, a reversal
  /// restores all of it.
  private func applyRefunds(_ tally: inout EventTally) {
    keys.removeAll()
    refundsTold.removeAll()
    sort(&refunds)
    for (number, event) in refunds.enumerated() {
      let charge = charge(of: event)
      if event.flags.contains(.hasKey) && keys.insert(event.key, number: number) != number || isToldTwice(event, charge)
      {
        tally.drop(event)
        continue
      }
      keep(event, &tally)
      append(other: event)
      if let charge { apply(event, to: charge) } else { tally.orphan(event) }
    }
    for index in history.charges.indices { setProceeds(index, of: history) }
  }

  /// The charge that a refund names, by the format's own key or by the transaction.
  private func charge(of refund: EventRecord) -> Int? {
    if let key = refund.chargeKey, let charge = chargeOfTransaction[key] { return charge }
    return refund.flags.contains(.hasTransaction) ? chargeOfTransaction[refund.transaction] : nil
  }

  /// Whether another feed has told of this refund already.
  private func isToldTwice(_ refund: EventRecord, _ charge: Int?) -> Bool {
    guard feeds.areSeveral, let charge else { return false }
    // A reversal restores all, whatever part it names.
    let part = refund.type == .refund ? part(of: refund, charge) : 0
    return refundsTold.isTold(refund.type, ofCharge: charge, part: part, by: feeds.feed(of: refund))
  }

  /// What a refund takes back of its charge at most.
  private func part(of refund: EventRecord, _ charge: Int) -> Int64 {
    let gross = history.charges[charge].gross
    guard refund.flags.contains(.hasAmount) else { return gross }
    var micros = refund.amountMicros
    if refund.flags.contains(.isShare) { micros = RefundShare.part(micros, of: amountOfCharge[charge]) }
    return min(converted(micros, rateOfCharge[charge]), gross)
  }

  private func apply(_ refund: EventRecord, to charge: Int) {
    let left = history.charges[charge].net
    if refund.type == .refundReversal {
      history.charges[charge].refunded = 0
    } else {
      history.charges[charge].refunded += min(part(of: refund, charge), left)
    }
    history.refundSteps.append(
      UserHistory.RefundStep(time: refund.time, charge: charge, refunded: history.charges[charge].refunded))
  }

  private func setProceeds(_ index: Int, of history: UserHistory) {
    let product = Int(history.charges[index].product)
    history.charges[index].proceeds = Money.proceeds(
      net: history.charges[index].net, tax: facts.taxes[product], commission: facts.commissions[product])
  }

  // MARK: - Everything else

  private func buildOthers(_ tally: inout EventTally) {
    keys.removeAll()
    sort(&others)
    for (number, event) in others.enumerated() {
      if event.flags.contains(.hasKey), keys.insert(identity(ofOther: event), number: number) != number {
        tally.drop(event)
        continue
      }
      keep(event, &tally)
      append(other: event)
    }
    if !refunds.isEmpty { history.events.sort { ($0.time, $0.type.code) < ($1.time, $1.type.code) } }
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

  // MARK: - Order

  private func sort(_ events: inout [EventRecord]) {
    guard events.count > 1 else { return }
    events.sort { precedes($0, $1) }
  }

  /// By time, price, product id, name of the type; and, so that nothing is left to the order of arrival, by
  /// all the rest of what an event says.
  private func precedes(_ left: EventRecord, _ right: EventRecord) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.type.isRefund, left.type != right.type { return left.type == .refund }
    // What a row is about comes before what another says beside.
    if left.type.isRefund, left.flags.contains(.isCompanion) != right.flags.contains(.isCompanion) {
      return right.flags.contains(.isCompanion)
    }
    let leftAmount = left.flags.contains(.hasAmount) ? left.amountMicros : -1
    let rightAmount = right.flags.contains(.hasAmount) ? right.amountMicros : -1
    if leftAmount != rightAmount { return leftAmount < rightAmount }
    if left.product != right.product { return facts.rank(left.product) < facts.rank(right.product) }
    if left.type != right.type { return types.ranks[Int(left.type.code)] < types.ranks[Int(right.type.code)] }
    if left.currency != right.currency { return left.currency.code < right.currency.code }
    if left.key != right.key { return left.key < right.key }
    if left.transaction != right.transaction { return left.transaction < right.transaction }
    let leftLogged = order.rank(ofLogged: left)
    let rightLogged = order.rank(ofLogged: right)
    if left.extra != right.extra { return left.extra < right.extra }
    return leftLogged == rightLogged ? left.file < right.file : leftLogged < rightLogged
  }
}

/// The keys seen so far among one user's events, with the number of the event each came with first.
///
/// A user has few events: up to a dozen or two a walk over an array beats a hash table.
struct KeySet {
  private var few: [(key: UInt64, number: Int)] = []
  private var many: [UInt64: Int] = [:]

  private static let fewest = 24

  mutating func removeAll() {
    few.removeAll(keepingCapacity: true)
    if !many.isEmpty { many.removeAll() }
  }

  /// The number the key came with first, which is `number` if it is new.
  mutating func insert(_ key: UInt64, number: Int) -> Int {
    if many.isEmpty {
      for entry in few where entry.key == key { return entry.number }
      few.append((key, number))
      if few.count > Self.fewest { for entry in few { many[entry.key] = entry.number } }
      return number
    }
    if let known = many[key] { return known }
    many[key] = number
    return number
  }
}
