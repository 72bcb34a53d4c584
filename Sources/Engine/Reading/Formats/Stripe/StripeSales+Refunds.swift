import Domain

/// What was given back.
extension StripeSales {
  /// How much of a charge is given back by a time, all told; nil where nothing is.
  mutating func state(of row: StripeRow, at time: Text) throws(Fault) -> PurchaseEvent? {
    var event = try refund(of: row, .amountRefunded, at: time)
    guard let amount = event.amountMicros, amount > 0 else { return nil }
    event.toldAt = event.time
    let charge = event.chargeKey ?? event.transaction ?? 0
    event.key =
      row.eventID.isEmpty
      ? Fingerprint(refund: event, of: charge) : Fingerprint(row.eventID, space: KeySpace.event)
    return event
  }

  /// One refund by itself: it counts once it has gone through.
  mutating func tellRefund(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let status = row.text(.status)
    guard status.isEmpty || status.hasSucceeded else {
      return output.addNotMeasured("\(row.event.isEmpty ? "refund" : row.event.shownName) status=\(status.shownName)")
    }
    var event = try refund(of: row, .amount, at: try required(row, .created))
    guard event.amountMicros != nil else {
      throw Fault(reason: .missingPrice, detail: "amount is missing: what was given back is not known")
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
    event.transactionID = transaction
    // A refund names no customer: it is of whoever has its charge.
    event.user = try user(of: row, orIfNone: transaction)
    return event
  }
}
