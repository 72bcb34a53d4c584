import Domain

/// Makes events of how subscriptions stand and what changes about them.
///
/// Source: Stripe, Billing, "Subscription webhooks" and the subscription object.
struct StripeSubscriptions {
  typealias Fault = StripeRow.Fault

  private var products: InternerCache
  private var time = TimeText(timezone: .gmt, unit: .seconds)
  private let expanded = JSONObjectReader<StripeID>()
  private let lines = StripeLines()

  init(names: EventNames) {
    products = InternerCache(names.products)
  }

  func forget() {
    expanded.forget()
    lines.forget()
  }

  /// Adds what a subscription's row tells: all of its states where it stands alone, else what has just changed.
  mutating func emit(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let events = row.event.isEmpty ? try states(of: row) : try changes(of: row)
    guard let first = events.first else { return output.addNotMeasured(row.name) }
    output.add(first)
    for event in events.dropFirst() { output.addCompanion(event) }
  }

  private mutating func states(of row: StripeRow) throws(Fault) -> [PurchaseEvent] {
    var events = [try trial(of: row)].compactMap(\.self)
    if row.willEnd, !row.text(.canceledAt).isEmpty { events.append(try event(.cancel, row, at: .canceledAt)) }
    if row.text(.status).isEqual("canceled"), !row.text(.endedAt).isEmpty {
      events.append(try event(.expire, row, at: .endedAt))
    }
    return events
  }

  private mutating func changes(of row: StripeRow) throws(Fault) -> [PurchaseEvent] {
    if row.event.isEqual("customer.subscription.created") { return [try trial(of: row)].compactMap(\.self) }
    if row.event.isEqual("customer.subscription.deleted") { return [try event(.expire, row, at: .endedAt)] }
    guard let previous = row.previous else { return [] }
    var events: [PurchaseEvent] = []
    let status = row.text(.status)
    let isNew = !previous[.status].isMissing && previous.text(.status) != status
    if isNew, status.isEqual("trialing"), let trial = try trial(of: row) { events.append(trial) }
    if isNew, status.isEqual("past_due") { events.append(try failure(of: row)) }
    if isNew, status.isEqual("unpaid") { events.append(try event(.expire, row, at: nil)) }
    if let turn = row.turn(since: previous) {
      events.append(try event(turn, row, at: turn == .cancel ? .canceledAt : nil))
    }
    return events
  }

  private mutating func trial(of row: StripeRow) throws(Fault) -> PurchaseEvent? {
    guard !row.text(.trialStart).isEmpty, !row.text(.trialEnd).isEmpty else { return nil }
    var event = try event(.trialStart, row, at: .trialStart)
    event.end = try time.read(row.text(.trialEnd))
    event.key = Fingerprint(stripe: row.text(.id), .trialStart)
    return event
  }

  /// The invoice of a failed renewal tells the same failure.
  private mutating func failure(of row: StripeRow) throws(Fault) -> PurchaseEvent {
    var event = try event(.billingRetry, row, at: nil)
    event.isRecoveredByRenewal = true
    let invoice = row.id(.latestInvoice, with: expanded)
    if !invoice.isEmpty { event.key = Fingerprint(stripe: invoice, .billingRetry) }
    return event
  }

  /// Something that happened to the subscription: at the time of a member where it is told, else when it was told.
  private mutating func event(
    _ type: EventType, _ row: StripeRow, at member: StripeMember?
  ) throws(Fault) -> PurchaseEvent {
    let id = row.text(.id)
    guard !id.isEmpty else { throw .missing(StripeMember.id.source.name) }
    let user = row.user.isEmpty ? row.id(.customer, .customerID, with: expanded) : row.user
    guard !user.isEmpty else { throw .missing("customer") }
    let reported = [member.map { row.text($0) } ?? .empty, row.eventTime].first { !$0.isEmpty }
    guard let reported else { throw .missing("created") }
    var event = PurchaseEvent()
    event.type = type
    event.user = user
    event.time = try time.read(reported)
    let item = lines.all(of: row.members[.items]).main?.price ?? .empty
    event.product = products.code(item.isEmpty ? row.id(.plan, with: expanded) : item)
    event.transaction = Fingerprint(id, space: KeySpace.transaction).low
    event.chain = Fingerprint.chain(id)
    // A customer may hold several at once.
    event.subscriptionGroup = Fingerprint.subscriptionGroup(id)
    event.key = Fingerprint(
      (event.transaction ?? 0, UInt64(bitPattern: event.time), 0), space: KeySpace.content(type))
    return event
  }
}

extension StripeRow {
  /// It is to end without having been renewed.
  fileprivate var willEnd: Bool { holds(.cancelAtPeriodEnd) || !text(.cancelAt).isEmpty }

  /// Whether renewal was turned off or on, by what stood before; nil where neither.
  fileprivate func turn(since previous: Record<StripePrevious>) -> EventType? {
    let stoodOff: Bool
    if previous[.cancelAtPeriodEnd].isAbsent && previous[.cancelAt].isAbsent { return nil }
    let atEnd = previous[.cancelAtPeriodEnd].isAbsent ? holds(.cancelAtPeriodEnd) : previous.holds(.cancelAtPeriodEnd)
    let at = previous[.cancelAt].isAbsent ? text(.cancelAt) : previous.text(.cancelAt).orNone
    stoodOff = atEnd || !at.isEmpty
    return stoodOff == willEnd ? nil : willEnd ? .cancel : .uncancel
  }
}

extension Record<StripePrevious> {
  fileprivate func holds(_ member: StripePrevious) -> Bool { self[member].bytes.isEqual("true") }
}
