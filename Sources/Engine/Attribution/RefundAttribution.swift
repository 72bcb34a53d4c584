import Domain

/// One user's refunds and reversals, each once, and what they take back of the charges.
struct RefundAttribution: ~Copyable {
  private let rules: HistoryRules
  private let order: EventOrder
  private let converter: MoneyConverter
  private var records = RecordBuffer<PurchaseEvent>()
  /// What is given back from the cut-off on.
  private var later: [PurchaseEvent] = []
  private var ledgers: [RefundLedger] = []
  /// Ledgers of refunds whose charge nobody knows, by the transaction they name.
  private var orphans: [UInt64: Int] = [:]
  private var keys = KeySet()
  private var proceeds = ProceedsMemo()

  init(_ rules: HistoryRules, _ order: EventOrder, _ converter: MoneyConverter) {
    self.rules = rules
    self.order = order
    self.converter = converter
  }

  var isEmpty: Bool { records.isEmpty }

  /// Takes a user's refunds; those of replaced snapshots are dropped.
  mutating func accept(
    _ refunds: RecordSpan<PurchaseEvent>, _ versions: LatestVersions, in history: UserHistory, _ tally: inout EventTally
  ) {
    later.removeAll(keepingCapacity: true)
    records.removeAll()
    if !ledgers.isEmpty { ledgers.removeAll(keepingCapacity: true) }
    if !orphans.isEmpty { orphans.removeAll() }
    keys.removeAll()
    for event in refunds {
      if versions.replaces(event) {
        tally.drop(event)
      } else if history.hasCome(event.time + 1) {
        records.append(event)
      } else {
        later.append(event)
      }
    }
  }

  /// Books them in order of time, at one instant refunds before reversals, and works out what is left of each charge.
  mutating func apply(to charges: inout ChargeLedger, in history: UserHistory, _ tally: inout EventTally) {
    let events = records.span
    order.sort(refunds: events)
    if events.contains(where: { $0.isUndated }) { settleUndated(charges, history) }
    let reported = rules.feeds.areSeveral ? chargesReportedElsewhere(charges, history) : [:]
    var whole = charges.isAnyStatedWhole ? chargesStatedWhole(charges, history) : []
    for number in events.indices {
      let event = events[number]
      restore(&whole, before: event.time, charges, history)
      if event.isUndated, event.amount == 0 {
        tally.drop(event)
        continue
      }
      if let items = charges.items(of: event) {
        apply(event, number, toAll: items, of: &charges, in: history, &tally)
        continue
      }
      let charge = reported[number] ?? charges.charge(of: event, in: history)
      guard let part = part(of: event, charge, charges, history) else {
        tally.reject(event.reject - 1)
        continue
      }
      guard !isCopy(event, number, in: history), !isReportedElsewhere(event, charge, part: part, &charges, history)
      else {
        tally.drop(event)
        continue
      }
      history.use(event, &tally)
      history.append(history.event(event))
      guard let charge else {
        tally.noteOrphan(event)
        continue
      }
      if event.type == .refund {
        tally.money.refunds += 1
        if isBeyond(charge, event, charges) { tally.money.refundsBeyondCharge += 1 }
      }
    }
    restore(&whole, before: .max, charges, history)
    let all = history.charges
    for charge in all.indices { setProceeds(of: &all[charge], charges.retained[charge].details) }
  }

  /// By place the charges of refunds that name none, as far as another feed tells them: of a product the k-th that one feed
  /// tells is the k-th that another tells. Those beyond are of the latest charge.
  private func chargesReportedElsewhere(_ charges: borrowing ChargeLedger, _ history: UserHistory) -> [Int: Int] {
    let (events, feeds) = (records.span, rules.feeds)
    guard events.contains(where: { $0.isOfLatestCharge }) else { return [:] }
    var unnamed: [UInt32: [Int]] = [:]
    var named: [UInt32: [UInt8: [Int]]] = [:]
    var seen: Set<UInt64> = []
    for number in events.indices where events[number].type == .refund {
      let (event, feed) = (events[number], feeds.feed(of: events[number]))
      guard !event.hasKey || seen.insert(feeds.key(event.keyNumber, of: event)).inserted else { continue }
      if event.isOfLatestCharge {
        unnamed[event.product, default: []].append(number)
      } else if let charge = charges.charge(of: event, in: history) {
        named[history.charges[charge].product, default: [:]][feed, default: []].append(charge)
      }
    }
    var found: [Int: Int] = [:]
    for (product, numbers) in unnamed {
      // Of several feeds the one that tells most of them; of as many the first.
      let most = named[product]?.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
      for (number, charge) in zip(numbers, most) where history.charges[charge].time <= events[number].time {
        found[number] = charge
      }
    }
    return found
  }

  /// The charges that are stated to be whole after the last word of a refund of theirs, the latest such statement first.
  private func chargesStatedWhole(
    _ charges: borrowing ChargeLedger, _ history: UserHistory
  ) -> [(at: Int64, charge: Int)] {
    var reported: [Int: Int64] = [:]
    for event in records.span {
      guard let charge = charges.charge(of: event, in: history) else { continue }
      reported[charge] = max(reported[charge] ?? .min, event.time, event.reportedAt ?? .min)
    }
    let stated = reported.compactMap { charge, last in
      charges.retained[charge].statedWhole.flatMap { $0.at > last ? (at: $0.at, charge: charge) : nil }
    }
    return stated.sorted { $0 > $1 }
  }

  /// Restores charges that are stated to be whole before a time, as a reversal does of which no word came.
  private mutating func restore(
    _ stated: inout [(at: Int64, charge: Int)], before time: Int64, _ charges: borrowing ChargeLedger,
    _ history: UserHistory
  ) {
    while let (at, charge) = stated.last, at < time {
      stated.removeLast()
      guard let ledger = charges.retained[charge].ledger, let feed = charges.retained[charge].statedWhole?.feed,
        ledgers[ledger].standing > 0
      else { continue }
      _ = ledgers[ledger].reverse(by: feed)
      let standing = ledgers[ledger].standing
      history.charges[charge].refunded = standing
      history.append(UserHistory.RefundStep(time: at, charge: charge, refunded: standing))
    }
  }

  /// Leaves of sums without a time what no other refund tells.
  private func settleUndated(_ charges: borrowing ChargeLedger, _ history: UserHistory) {
    let events = records.span
    var undated = UndatedRefunds()
    for event in later {
      if let charge = charges.charge(of: event, in: history) { undated.note(event, ofCharge: charge) }
    }
    for (position, event) in zip(events.indices, events) {
      guard let charge = charges.charge(of: event, in: history) else { continue }
      if event.isUndated {
        undated.note(undated: event, at: position, ofCharge: charge)
      } else {
        undated.note(event, ofCharge: charge)
      }
    }
    for position in events.indices where events[position].isUndated {
      guard let charge = charges.charge(of: events[position], in: history) else { continue }
      events[position] = undated.rest(of: events[position], at: position, ofCharge: charge)
    }
  }

  /// Takes back of all items of a transaction: all that they cost, or a sum of one after the other until it is used up.
  private mutating func apply(
    _ event: PurchaseEvent, _ number: Int, toAll items: [Int], of charges: inout ChargeLedger, in history: UserHistory,
    _ tally: inout EventTally
  ) {
    guard var rest = part(of: event, items[0], charges, history) else { return tally.reject(event.reject - 1) }
    guard !isCopy(event, number, in: history) else { return tally.drop(event) }
    var isReported = true
    for item in items {
      let (gross, refunded) = (history.charges[item].gross, history.charges[item].refunded)
      let left = gross - refunded
      // What goes beyond all of them is told of the last.
      let part = event.measure == .all ? gross : item == items.last ? rest : min(rest, left)
      if event.type == .refund, event.measure != .all { rest -= part }
      if event.type == .refund, part == 0, item != items.last { continue }
      if !isReportedElsewhere(event, item, part: part, &charges, history) { isReported = false }
    }
    guard !isReported else { return tally.drop(event) }
    history.use(event, &tally)
    history.append(history.event(event))
    guard event.type == .refund else { return }
    tally.money.refunds += 1
    if let last = items.last, isBeyond(last, event, charges) { tally.money.refundsBeyondCharge += 1 }
  }

  private mutating func isCopy(_ event: PurchaseEvent, _ number: Int, in history: UserHistory) -> Bool {
    guard event.hasKey else { return false }
    let first = keys.insert(rules.feeds.key(event.keyNumber, of: event), number: number)
    if first != number, !rules.feeds.areSeveral, event.repeats(records.span[first]) { history.copies += 1 }
    return first != number
  }

  /// Whether a refund of some money takes back more than its charge brought, with what had been taken back before: a second
  /// one in full says nothing of an amount.
  private func isBeyond(_ charge: Int, _ refund: PurchaseEvent, _ charges: borrowing ChargeLedger) -> Bool {
    guard refund.measure == .money, let ledger = charges.retained[charge].ledger else { return false }
    return ledgers[ledger].isBeyondCharge(by: rules.feeds.feed(of: refund))
  }

  /// What a refund gives back of its charge: of a charge that has no rate but a worth in dollars the same share, whatever a
  /// dollar was on the refund's day; else by its currency's rate on the charge's day, else what a log says that it was
  /// worth; nil where none is known.
  private func part(
    of refund: PurchaseEvent, _ charge: Int?, _ charges: borrowing ChargeLedger, _ history: UserHistory
  ) -> Int64? {
    // A reversal restores all, whatever part it names, but for that of one refund.
    guard refund.type == .refund || refund.isSingleRefund else { return 0 }
    guard let charge else {
      return refund.measure == .share || refund.measure == .all ? .max : refund.amount
    }
    let (gross, rate) = (history.charges[charge].gross, charges.retained[charge].rate)
    switch refund.measure {
    case .all: return gross
    case .share:
      let micros = RefundShare.part(refund.amount, of: history.charges[charge].amountMicros)
      return min(converter.converted(micros, at: rate), gross)
    case .money, .remainder:
      var rate = rate
      if let charged = charges.retained[charge].charged, refund.currency == .none || refund.currency == charged.currency
      {
        guard charged.micros > 0 else { return gross }
        let micros = Money.roundedHalfToEven(Int128(refund.amount) * Int128(gross), by: Int128(charged.micros))
        return part(refund, Int64(clamping: micros), of: gross)
      }
      if refund.currency != .none, refund.currency != history.charges[charge].currency {
        // What a row says beside its charge is not rejected by itself.
        guard let own = converter.rate(of: refund.currency, day: charges.retained[charge].day) else {
          if let reported = refund.dollars, rules.rates.reporting == .dollar {
            return part(refund, reported, of: gross)
          }
          return refund.isCompanion ? 0 : nil
        }
        rate = own
      }
      return part(refund, converter.converted(refund.amount, at: rate), of: gross)
    }
  }

  /// What a refund that tells an amount of the reporting currency gives back.
  private func part(_ refund: PurchaseEvent, _ micros: Int64, of gross: Int64) -> Int64 {
    refund.measure == .remainder ? max(0, gross - micros) : micros
  }

  /// Writes a refund or reversal into its charge's ledger, and says whether another feed has told it before.
  private mutating func isReportedElsewhere(
    _ event: PurchaseEvent, _ charge: Int?, part: Int64, _ charges: inout ChargeLedger, _ history: UserHistory
  ) -> Bool {
    guard let ledger = ledger(of: event, charge, &charges, history) else { return false }
    let feed = rules.feeds.feed(of: event)
    let isReported = isReported(event, part, in: ledger, by: feed)
    let standing = ledgers[ledger].standing
    guard let charge, history.charges[charge].refunded != standing else { return isReported }
    history.charges[charge].refunded = standing
    history.append(UserHistory.RefundStep(time: event.time, charge: charge, refunded: standing))
    return isReported
  }

  private mutating func isReported(_ event: PurchaseEvent, _ part: Int64, in ledger: Int, by feed: UInt8) -> Bool {
    if event.type == .refund { return ledgers[ledger].accept(part, isState: event.reportsState, by: feed) }
    guard event.isSingleRefund else { return ledgers[ledger].reverse(by: feed) }
    let refund = rules.feeds.key(Fingerprint.ofFailed(event.keyNumber), of: event)
    ledgers[ledger].fail(
      part, wasAdded: keys[refund] != nil, isStated: event.reportedAt != nil, by: feed)
    return false
  }

  /// The ledger of the charge; where nobody knows that, of the transaction, because two feeds may name it.
  private mutating func ledger(
    of event: PurchaseEvent, _ charge: Int?, _ charges: inout ChargeLedger, _ history: UserHistory
  ) -> Int? {
    if let known = charge.map({ charges.retained[$0].ledger }) ?? orphans[event.transactionNumber] { return known }
    guard charge != nil || rules.feeds.areSeveral && event.hasTransaction else { return nil }
    ledgers.append(RefundLedger(gross: charge.map { history.charges[$0].gross }))
    let new = ledgers.count - 1
    if let charge { charges.note(ledger: new, of: charge) } else { orphans[event.transactionNumber] = new }
    return new
  }

  private mutating func setProceeds(of charge: inout UserHistory.Charge, _ details: ChargeDetails) {
    let product = Int(charge.product)
    let shares = ProceedsMemo.Question(
      net: charge.net, tax: details.tax ?? rules.facts.taxes[product],
      commission: details.commission ?? rules.facts.commissions[product] ?? details.usualCommission
        ?? Products.PriceShare.usualCommission,
      isOfPrice: details.tax != nil && details.commission != nil, split: details.split)
    (charge.proceeds, charge.tax) = proceeds.answer(to: shares)
  }
}
