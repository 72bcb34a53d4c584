/// The native events as CSV, a column a key.
struct EventsCSVFormat: StoryFormat {
  let context: StoryContext

  private static let columns = [
    "eventId", "userId", "eventType", "occurredAt", "productId", "price", "currency", "transactionId",
    "originalTransactionId", "offeringId", "testGroupId", "environment", "ownershipType", "expiresDate", "errorCode",
  ]

  var header: [UInt8]? { Array(Self.columns.joined(separator: ",").utf8) }

  func tells(_ event: StoryEvent) -> Bool { event.type != "transfer" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .malformed, .truncated: false
    default: EventsFormat(context: context).canSpoil(event, by: dirt)
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      if row.dirt == .invalidUTF8 { bytes.append(0xFF) }
      bytes.write(csv: fields(row))
      bytes.removeLast()
    }
  }

  private func fields(_ row: StoryEvent) -> [String] {
    let hasCharge = row.charge > 0
    let group = row.group.map { context.scenario.groups[Int($0)].name }
    let isStore = StoryEvent.storeTypes.contains(row.type)
    return [
      context.names.ownEvent(row), row.dirt == .missingField ? "" : context.names.user(row.user), row.type,
      row.dirt == .badTime ? "0000-00-00 00:00:00" : row.time.rfc3339, hasCharge ? context.product(row)?.id ?? "" : "",
      row.dirt == .missingPrice ? "" : row.amountMicros?.decimalUnits ?? "",
      row.amountMicros == nil ? "" : context.currency(row),
      hasCharge ? context.names.transaction(of: row) : "",
      hasCharge ? context.names.firstTransaction(of: row) : "",
      group == nil ? "" : context.scenario.offering.id, group ?? "",
      isStore ? (row.dirt == .sandbox ? "Sandbox" : "Production") : "",
      isStore ? (row.dirt == .familyShared ? "FAMILY_SHARED" : "PURCHASED") : "", row.toldEnd?.rfc3339 ?? "", row.code,
    ]
  }
}
