import Domain

/// The native format: a JSON object an event.
struct EventsFormat: StoryFormat {
  let context: StoryContext

  func reports(_ event: StoryEvent) -> Bool { event.type != "transfer" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .restore, .olderSnapshot, .notMeasured, .forged: false
    case .groupMismatch: event.group != nil
    case .badTime, .missingField, .copy, .retry, .malformed, .truncated, .invalidUTF8, .afterCutoff: true
    default: event.isCharge
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += line(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func line(_ row: StoryEvent) -> JSONObjectWriter {
    var line = JSONObjectWriter()
    line.add("eventId", context.names.ownEvent(row))
    if row.dirt != .missingField { line.add("userId", context.names.user(row.user)) }
    line.add("eventType", row.type)
    line.add("occurredAt", row.dirt == .badTime ? "yesterday" : row.time.rfc3339)
    addMoney(row, to: &line)
    if row.charge > 0 {
      line.add("transactionId", context.names.transaction(of: row))
      line.add("originalTransactionId", context.names.firstTransaction(of: row))
    }
    if !row.code.isEmpty { line.add("errorCode", row.code) }
    if let group = row.group {
      line.add("offeringId", context.scenario.offering.id)
      line.add("testGroupId", context.scenario.groups[Int(group)].name)
    }
    if row.isOfStore {
      line.add("environment", row.dirt == .sandbox ? "Sandbox" : "Production")
      line.add("ownershipType", row.dirt == .familyShared ? "FAMILY_SHARED" : "PURCHASED")
    }
    return line
  }

  private func addMoney(_ row: StoryEvent, to line: inout JSONObjectWriter) {
    line.add("productId", row.charge > 0 ? context.product(row)?.id : nil)
    if let amount = row.amountMicros {
      row.dirt == .missingPrice ? line.add("price", raw: "null") : line.add("price", amount.decimalUnits)
      line.add("currency", context.currency(row))
    }
    if let end = row.reportedEnd { line.add("expiresDate", end.rfc3339) }
  }
}

extension StoryEvent {
  /// When access ends, as far as a log tells it: of charges, a store's trials, and failed renewals.
  var reportedEnd: Instant? {
    switch type {
    case _ where isOwnTrial: nil
    case "billing_retry": graceEnd
    case "purchase", "renewal", "one_time_purchase", "trial_start": end
    default: nil
    }
  }
}
