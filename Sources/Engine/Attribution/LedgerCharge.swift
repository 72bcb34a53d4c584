import Domain

/// A charge as it was kept of all events that tell it, with what no metric needs: where its money comes from.
struct LedgerCharge: BitwiseCopyable {
  /// The place among the user's charge events of the one that was kept.
  var event: Int
  /// Billionths of the reporting currency for one unit of its own, on its day.
  var rate: Int64
  /// The UTC day whose rates it takes.
  var day: Int64
  var details: ChargeDetails
  /// The event that was kept tells when access ends.
  var reportsEnd: Bool
  /// No event told so far what it cost before refunds.
  var isNet: Bool
  /// Some event tells the number of its renewal.
  var isNumbered: Bool
  /// Which inputs tell it, where the job has several: a bit an input.
  var inputs: UInt64 = 0
  /// Of the files that tell it the place of the first by name, where the job has several inputs.
  var file = UInt32.max
  /// What it cost where its gross is what a log says it was worth in US dollars, for no exchange rate is known.
  var charged: ChargedPrice?
  /// When a feed last stated that nothing of it is taken back; nil where none did.
  var statedWhole: Statement?
  /// Its place among the refund ledgers; nil as long as nothing was given back.
  var ledger: Int?

  /// What a feed said, and when, in milliseconds since 1970.
  struct Statement: BitwiseCopyable {
    var at: Int64
    var feed: UInt8
  }
}

/// Finds the charge that a refund or reversal names.
struct ChargeIndex {
  private var ofKey = KeySet()
  private var ofTransaction = KeySet()
  /// All charges of a transaction that has several, by time.
  private var several: [UInt64: [Int]] = [:]

  mutating func removeAll() {
    ofKey.removeAll()
    ofTransaction.removeAll()
    if !several.isEmpty { several.removeAll() }
  }

  /// Notes that the event tells the charge; charges come by time.
  mutating func add(_ event: PurchaseEvent, charge: Int) {
    if event.hasKey { _ = ofKey.update(event.keyNumber, number: charge) }
    guard event.hasTransaction else { return }
    let transaction = event.transactionNumber
    guard let known = ofTransaction.update(transaction, number: charge), known != charge else { return }
    if several[transaction]?.contains(charge) ?? false { return }
    several[transaction, default: [known]].append(charge)
  }

  /// Notes what tells charges again that are noted, by ids of which one at least leads to its charge.
  mutating func add(_ repeated: [PurchaseEvent]) {
    var rest = repeated
    while !rest.isEmpty {
      let count = rest.count
      rest.removeAll { event in
        let known = [
          event.hasKey ? ofKey[event.keyNumber] : nil,
          event.hasTransaction ? ofTransaction[event.transactionNumber] : nil,
        ]
        guard let charge = known.compactMap(\.self).first else { return false }
        add(event, charge: charge)
        return true
      }
      guard rest.count < count else { return }
    }
  }

  /// The charges of an order with several items, by time, where the refund names the order and no item of it; nil for any
  /// other refund.
  func items(of refund: PurchaseEvent) -> [Int]? {
    guard !several.isEmpty, let key = refund.chargeKey, refund.hasTransaction,
      key == Fingerprint(allItemsOf: refund.transactionNumber).low
    else { return nil }
    return several[refund.transactionNumber]
  }

  /// The charge that an answer of the store names by its transaction: of several that of the product.
  func charge(of state: PurchaseEvent, charges: RecordSpan<UserHistory.Charge>) -> Int? {
    guard state.hasTransaction, let last = ofTransaction[state.transactionNumber] else { return nil }
    guard let all = several[state.transactionNumber] else { return last }
    return all.first { charges[$0].product == state.product }
  }

  /// The charge of a refund: by the format's own key, which may be one more of its transactions, else by the transaction, of whose charges those of the product
  /// that the refund names come first, and of these the latest by then.
  ///
  /// A number of the renewal that no charge has is another charge's than those that are numbered.
  func charge(of refund: PurchaseEvent, retained: RecordSpan<LedgerCharge>, charges: RecordSpan<UserHistory.Charge>)
    -> Int?
  {
    if let key = refund.chargeKey, let charge = ofKey[key] ?? ofTransaction[key] { return charge }
    if refund.isOfLatestCharge { return latestCharge(before: refund, charges: charges) }
    let transaction = refund.transactionNumber
    guard refund.hasTransaction, let last = ofTransaction[transaction] else { return nil }
    guard !several.isEmpty else { return refund.isNumbered && retained[last].isNumbered ? nil : last }
    let named = (several[transaction] ?? [last]).filter { !(refund.isNumbered && retained[$0].isNumbered) }
    let ofProduct = named.filter { charges[$0].product == refund.product }
    let fit = ofProduct.isEmpty ? named : ofProduct
    return fit.filter { charges[$0].time <= refund.time }.max() ?? fit.min()
  }

  /// The latest charge of the refund's product by then of which anything is left; where nothing is, the latest.
  private func latestCharge(before refund: PurchaseEvent, charges: RecordSpan<UserHistory.Charge>) -> Int? {
    let fit = charges.indices.filter { charges[$0].product == refund.product && charges[$0].time <= refund.time }
    return fit.last { charges[$0].refunded < charges[$0].gross } ?? fit.last
  }
}
