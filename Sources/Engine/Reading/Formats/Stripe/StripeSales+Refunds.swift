import Domain

/// What was given back.
extension StripeSales {
  /// How much of a charge is given back by a time, all told; nil where nothing is. A charge alone does not say when.
  ///
  /// What was held and not captured goes back, too, and is no refund: nobody had paid it.
  ///
  /// - Parameter orNone: that nothing is given back any more is told as well.
  mutating func state(of row: StripeRow, at time: Text, orNone: Bool = false) throws(Fault) -> PurchaseEvent? {
    var event = try refund(of: row, .amountRefunded, at: time)
    guard let reported = event.amountMicros else { return nil }
    let held = try row.micros(.amount, in: event.currency) ?? 0
    let captured = try row.micros(.amountCaptured, in: event.currency) ?? held
    let amount = max(0, reported - max(0, held - captured))
    guard amount > 0 || orNone else { return nil }
    event.amountMicros = amount
    event.reportedAt = row.event.isEmpty ? PurchaseEvent.untoldTime : event.time
    let charge = event.chargeKey ?? event.transaction ?? 0
    event.key =
      row.eventID.isEmpty
      ? Fingerprint(refund: event, of: charge) : Fingerprint(row.eventID, space: KeySpace.event)
    return event
  }

  /// One refund by itself: it counts once it has gone through, and until it fails.
  mutating func emitRefund(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let status = row.text(.status)
    if status.isEqual("failed") || status.isEqual("canceled") { return try emitFailure(ofRefund: row, into: &output) }
    guard status.isEmpty || status.hasSucceeded else {
      return output.addNotMeasured("\(row.event.isEmpty ? "refund" : row.event.shownName) status=\(status.shownName)")
    }
    var event = try refund(of: row, .amount, at: try required(row, .created))
    guard event.amountMicros != nil else {
      throw Fault(reason: .missingPrice, detail: "amount is missing: what was given back is not known")
    }
    event.isSingleRefund = true
    event.key = Fingerprint(try required(row, .id), space: KeySpace.event)
    output.add(event)
  }

  /// A refund that failed is taken back from then on. A row alone does not say since when, and takes back the refund itself.
  ///
  /// Source: Stripe, "Refunds": "Failed refunds".
  private mutating func emitFailure(ofRefund row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let time = row.eventTime.isEmpty ? try required(row, .created) : row.eventTime
    var event = try failure(of: row, at: time)
    if !row.eventTime.isEmpty { event.reportedAt = event.time }
    output.add(event)
  }

  /// The word that one refund, or what a dispute took, is taken back.
  private mutating func failure(of row: StripeRow, at time: Text) throws(Fault) -> PurchaseEvent {
    var event = try refund(of: row, .amount, at: time)
    event.type = .refundReversal
    event.isSingleRefund = true
    let refund = Fingerprint(try required(row, .id), space: KeySpace.event)
    event.key = Fingerprint(low: Fingerprint.ofFailed(refund.low))
    return event
  }

  /// Money that a bank takes for a dispute is given back like a refund; a dispute that is won brings it back.
  ///
  /// Source: Stripe, "Disputes"; "Types of events": `charge.dispute.*`; the dispute object: `status`.
  mutating func emitDispute(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let status = row.text(.status)
    let isEvent = !row.event.isEmpty
    let time = isEvent ? try eventTime(row) : try required(row, .created)
    if row.event.isEqual("charge.dispute.funds_reinstated") || isEvent && status.isEqual("won") {
      return output.add(try failure(of: row, at: time))
    }
    guard row.event.isEqual("charge.dispute.funds_withdrawn") || status.isEqual("lost") else {
      return output.addNotMeasured(row.name)
    }
    var event = try refund(of: row, .amount, at: time)
    guard event.amountMicros != nil else {
      throw Fault(reason: .missingPrice, detail: "amount is missing: what was withdrawn is not known")
    }
    event.key = Fingerprint(try required(row, .id), space: KeySpace.event)
    output.add(event)
  }

  private mutating func refund(
    of row: StripeRow, _ amount: StripeMember, at text: Text
  ) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = .refund
    event.currency = try row.currency()
    event.amountMicros = try row.micros(amount, in: event.currency)
    event.time = try time.read(text)
    let ids = ids(of: row)
    let transaction = ids.charge.isEmpty ? try key(of: row, ids) : ids.charge
    event.chargeKey = Fingerprint(ids.key, space: KeySpace.transaction).low
    event.transaction = Fingerprint(transaction, space: KeySpace.transaction).low
    // A refund names no customer: it is of whoever has its charge.
    event.user = try user(of: row, orIfNone: ids.intent.isEmpty ? transaction : ids.intent)
    return event
  }
}
