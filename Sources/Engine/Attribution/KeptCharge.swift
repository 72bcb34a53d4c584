import Domain

/// A charge as it was kept of all events that tell it, with what no metric needs: where its money comes from.
struct KeptCharge {
  /// In its own currency.
  var amountMicros: Int64
  var currency: Currency
  /// Billionths of the reporting currency for one unit of its own, on its day.
  var rate: Int64
  /// The UTC day whose rates it takes.
  var day: Int64
  var details: ChargeDetails
  /// The event that was kept tells when access ends.
  var tellsEnd: Bool
  /// No event told so far what it cost before refunds.
  var isNet: Bool
  /// Some event tells the number of its renewal.
  var isNumbered: Bool
  /// Its place among the refund ledgers; nil as long as nothing was given back.
  var ledger: Int?
}

/// Finds the charge that a refund or reversal names.
struct ChargeIndex {
  private var ofKey: [UInt64: Int] = [:]
  private var ofTransaction: [UInt64: Int] = [:]
  /// All charges of a transaction that has several, by time.
  private var several: [UInt64: [Int]] = [:]

  mutating func removeAll() {
    if !ofKey.isEmpty { ofKey.removeAll(keepingCapacity: true) }
    if !ofTransaction.isEmpty { ofTransaction.removeAll(keepingCapacity: true) }
    if !several.isEmpty { several.removeAll() }
  }

  /// Notes that the event tells the charge; charges come by time.
  mutating func add(_ event: EventRecord, charge: Int) {
    if event.flags.contains(.hasKey) { ofKey[event.key] = charge }
    guard event.flags.contains(.hasTransaction) else { return }
    guard let known = ofTransaction.updateValue(charge, forKey: event.transaction), known != charge else { return }
    if several[event.transaction]?.contains(charge) ?? false { return }
    several[event.transaction, default: [known]].append(charge)
  }

  /// The charge of a refund: by the format's own key, else by the transaction, of whose charges the latest by then.
  ///
  /// A number of the renewal that no charge has is another charge's than those that are numbered.
  func charge(of refund: EventRecord, kept: [KeptCharge], charges: [UserHistory.Charge]) -> Int? {
    if let key = refund.chargeKey, let charge = ofKey[key] { return charge }
    guard refund.flags.contains(.hasTransaction), let last = ofTransaction[refund.transaction] else { return nil }
    let named = (several[refund.transaction] ?? [last]).filter {
      !(refund.flags.contains(.isNumbered) && kept[$0].isNumbered)
    }
    return named.filter { charges[$0].time <= refund.time }.max() ?? named.min()
  }
}
