/// The native events as CSV, a column a key; or a table of the app's own, whose columns are called otherwise.
struct EventsCSVFormat: StoryFormat {
  let context: StoryContext
  /// Empty for every member by its own name.
  var columns: [Story.Column] = []

  /// What a column may hold.
  static let members = [
    "eventId", "userId", "eventType", "occurredAt", "productId", "price", "currency", "transactionId",
    "originalTransactionId", "offeringId", "testGroupId", "environment", "ownershipType", "expiresDate", "errorCode",
  ]

  var header: [UInt8]? {
    let names = columns.isEmpty ? Self.members : columns.map(\.name)
    return Array(names.joined(separator: ",").utf8)
  }

  func reports(_ event: StoryEvent) -> Bool { event.type != "transfer" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .malformed, .truncated: false
    default: EventsFormat(context: context).canSpoil(event, by: dirt)
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      if row.dirt == .invalidUTF8 { bytes.append(0xFF) }
      let members = members(row)
      let names = columns.isEmpty ? Self.members : columns.map(\.member)
      bytes.write(csv: names.map { members[$0] ?? "" })
      bytes.removeLast()
    }
  }

  /// What a row tells; a member that it does not tell is absent.
  private func members(_ row: StoryEvent) -> [String: String] {
    var members = ["userId": row.dirt == .missingField ? "" : context.names.user(row.user)]
    guard !row.isNothing else { return members }
    members["eventId"] = context.names.ownEvent(row)
    members["eventType"] = row.type
    members["occurredAt"] = row.dirt == .badTime ? "0000-00-00 00:00:00" : row.time.rfc3339
    members["expiresDate"] = row.reportedEnd?.rfc3339
    members["errorCode"] = row.code
    if row.charge > 0 {
      members["productId"] = context.product(row)?.id
      members["transactionId"] = context.names.transaction(of: row)
      members["originalTransactionId"] = context.names.firstTransaction(of: row)
    }
    if let amount = row.amountMicros {
      members["price"] = row.dirt == .missingPrice ? "" : amount.decimalUnits
      members["currency"] = context.currency(row)
    }
    if let group = row.group {
      members["offeringId"] = context.scenario.offering.id
      members["testGroupId"] = context.scenario.groups[Int(group)].name
    }
    if row.isOfStore {
      members["environment"] = row.dirt == .sandbox ? "Sandbox" : "Production"
      members["ownershipType"] = row.dirt == .familyShared ? "FAMILY_SHARED" : "PURCHASED"
    }
    return members
  }
}
