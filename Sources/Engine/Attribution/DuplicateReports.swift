/// Which charges are told once more by rows that say less of them: a payment of an invoice that its charge, too, tells, or
/// what an app's analytics saw of a sale.
///
/// Such rows are one sale where they share a key or a transaction, by whatever ids in turn; a row without a key is the sale
/// of the same product and price within a minute. A sale that should name its payment and does not takes one of the same
/// money within ten minutes. What such rows tell counts by itself only where nothing else tells the sale; the ids that they
/// name lead to it all the same.
struct DuplicateReports {
  /// By each key and transaction that is told so far the key of the sale it leads to; and when each product was sold at each
  /// price.
  private var known: [UInt64: UInt64] = [:]
  private var times: [Content: [Int64]] = [:]
  /// Sales whose payment nothing has named yet, by their keys.
  private var unpaid: [UInt64: PurchaseEvent] = [:]
  /// What tells nothing new.
  private(set) var repeated: [PurchaseEvent] = []
  /// The same of those that no id leads to their sale, under its key.
  private(set) var links: [PurchaseEvent] = []

  /// What a row without a key goes by.
  private struct Content: Hashable {
    let product: UInt32
    let amountMicros: Int64
    let currency: UInt16

    init(_ event: PurchaseEvent) {
      (product, amountMicros, currency) = (event.product, event.amount, event.currency.code)
    }
  }

  /// All that is told under one key, in order.
  private typealias Report = [PurchaseEvent]

  /// How long a sale may take to be told twice, and a payment to be booked, in milliseconds.
  private static let longestDelay: Int64 = 60_000
  private static let longestRecording: Int64 = 600_000

  /// Nothing is told twice.
  init() {}

  /// Takes the events out of `charges`, which are in order, that tell nothing new.
  init(outOf charges: inout RecordBuffer<PurchaseEvent>) {
    let all = Array(charges.span)
    charges.removeAll()
    for event in all where !event.isDuplicated {
      retain(event, in: &charges)
      if event.namesNoPayment, unpaid[event.keyNumber] == nil { unpaid[event.keyNumber] = event }
    }
    joinKeyed(all.filter { $0.isDuplicated && $0.hasKey }, with: &charges)
    for event in all where event.isDuplicated && !event.hasKey {
      if isSold(event) { repeated.append(event) } else { retain(event, in: &charges) }
    }
  }

  /// Goes through events by key until none leads to what is known, by ids and then by money; then the first that are left
  /// are a sale of their own.
  private mutating func joinKeyed(_ events: [PurchaseEvent], with charges: inout RecordBuffer<PurchaseEvent>) {
    var rest = Dictionary(grouping: events, by: { $0.keyNumber }).sorted { $0.key < $1.key }.map(\.value)
    while !rest.isEmpty {
      let (joined, apart) = (rest.filter { sale(of: $0) != nil }, rest.filter { sale(of: $0) == nil })
      for report in joined { join(report) }
      rest = apart
      guard joined.isEmpty else { continue }
      if let (payment, sale) = nearestPayment(among: rest) {
        join(rest.remove(at: payment), to: sale)
      } else {
        retainAlone(rest.removeFirst(), in: &charges)
      }
    }
  }

  /// Of one sale that several rows call by names of their own the first row's name is kept.
  private mutating func retainAlone(_ report: Report, in charges: inout RecordBuffer<PurchaseEvent>) {
    for event in report where event.product == report[0].product { retain(event, in: &charges) }
    for event in report where event.product != report[0].product {
      note(event, of: event.keyNumber)
      repeated.append(event)
    }
  }

  /// A payment that names more than the sale's own ids is the sale's payment.
  private mutating func join(_ report: Report) {
    guard let sale = sale(of: report) else { return }
    if report.contains(where: { Self.ids(of: $0).contains { known[$0] == nil } }) { unpaid[sale] = nil }
    for event in report { note(event, of: sale) }
    repeated += report
  }

  private mutating func join(_ payment: Report, to sale: UInt64) {
    unpaid[sale] = nil
    for event in payment {
      note(event, of: sale)
      links.append(event)
      links[links.count - 1].key = Fingerprint(low: sale)
    }
    repeated += payment
  }

  /// The payment and the sale that waits for one of the same money which are nearest in time.
  private func nearestPayment(among reports: [Report]) -> (payment: Int, sale: UInt64)? {
    var nearest: (distance: UInt64, sale: UInt64, payment: Int)?
    for (payment, report) in reports.enumerated() {
      for event in report {
        for (key, sale) in unpaid where sale.amount == event.amount && sale.currency == event.currency {
          let pair = (distance: (sale.time - event.time).magnitude, sale: key, payment: payment)
          guard pair.distance <= Self.longestRecording else { continue }
          if nearest.map({ pair < $0 }) ?? true { nearest = pair }
        }
      }
    }
    return nearest.map { ($0.payment, $0.sale) }
  }

  private mutating func retain(_ event: PurchaseEvent, in charges: inout RecordBuffer<PurchaseEvent>) {
    charges.append(event)
    note(event, of: known[event.keyNumber] ?? event.keyNumber)
    times[Content(event), default: []].append(event.time)
  }

  /// The sale that the events lead to; nil where they lead to none.
  private func sale(of report: Report) -> UInt64? {
    report.lazy.flatMap(Self.ids).compactMap { known[$0] }.min()
  }

  private func isSold(_ event: PurchaseEvent) -> Bool {
    times[Content(event)]?.contains { ($0 - Self.longestDelay...$0 + Self.longestDelay).contains(event.time) } ?? false
  }

  private mutating func note(_ event: PurchaseEvent, of sale: UInt64) {
    for id in Self.ids(of: event) where known[id] == nil { known[id] = sale }
  }

  private static func ids(of event: PurchaseEvent) -> [UInt64] {
    (event.hasKey ? [event.keyNumber] : []) + (event.hasTransaction ? [event.transactionNumber] : [])
  }
}
