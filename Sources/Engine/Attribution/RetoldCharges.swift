/// Which charges are told once more by rows that say less of them: a payment of an invoice that its charge, too, tells, or
/// what an app's analytics saw of a sale.
///
/// Such rows are one sale where they share a key or a transaction, by whatever ids in turn; a row without a key is the sale
/// of the same product and price within a minute. What they tell counts by itself only where nothing else tells the sale;
/// the ids that they name lead to it all the same.
struct RetoldCharges {
  /// What is told so far: its keys and transactions, and when each product was sold at each price.
  private var known: Set<UInt64> = []
  private var times: [Content: [Int64]] = [:]
  /// What tells nothing new.
  private(set) var repeated: [ChargeRecord] = []

  /// What a row without a key goes by.
  private struct Content: Hashable {
    let product: UInt32
    let amountMicros: Int64
    let currency: UInt16

    init(_ event: ChargeRecord) {
      (product, amountMicros, currency) = (event.head.product, event.amountMicros, event.currency.code)
    }
  }

  /// How long a sale may take to be told twice, in milliseconds.
  private static let longestDelay: Int64 = 60_000

  /// Takes the events out of `charges`, which are in order, that tell nothing new.
  init(outOf charges: inout RecordBuffer<ChargeRecord>) {
    let all = Array(charges.span)
    charges.removeAll()
    for event in all where !event.isRetold { keep(event, in: &charges) }
    joinKeyed(all.filter { $0.isRetold && $0.head.hasKey }, with: &charges)
    for event in all where event.isRetold && !event.head.hasKey {
      if isSold(event) { repeated.append(event) } else { keep(event, in: &charges) }
    }
  }

  /// Goes through events by key until none leads to what is known; then the first that are left are a sale of their own.
  private mutating func joinKeyed(_ events: [ChargeRecord], with charges: inout RecordBuffer<ChargeRecord>) {
    var rest = Dictionary(grouping: events, by: \.head.key).sorted { $0.key < $1.key }.map(\.value)
    while !rest.isEmpty {
      let (joined, apart) = (rest.filter { $0.contains(where: isKnown) }, rest.filter { !$0.contains(where: isKnown) })
      for event in joined.joined() { note(event) }
      repeated += joined.joined()
      rest = apart
      guard joined.isEmpty else { continue }
      for event in rest.removeFirst() { keep(event, in: &charges) }
    }
  }

  private mutating func keep(_ event: ChargeRecord, in charges: inout RecordBuffer<ChargeRecord>) {
    charges.append(event)
    note(event)
    times[Content(event), default: []].append(event.time)
  }

  private func isKnown(_ event: ChargeRecord) -> Bool {
    known.contains(event.head.key) || event.head.hasTransaction && known.contains(event.head.transaction)
  }

  private func isSold(_ event: ChargeRecord) -> Bool {
    times[Content(event)]?.contains { ($0 - Self.longestDelay...$0 + Self.longestDelay).contains(event.time) } ?? false
  }

  private mutating func note(_ event: ChargeRecord) {
    if event.head.hasKey { known.insert(event.head.key) }
    if event.head.hasTransaction { known.insert(event.head.transaction) }
  }
}
