/// The app server's own record: what was asked, and the response as it was sent.
struct APILogFormat: StoryFormat {
  let context: StoryContext

  private static let endpoints = [
    "offering_served": "/v1/getSubscriptionOffering", "no_offering": "/v1/getSubscriptionOffering",
    "auth_invalid": "/v1/getSubscriptionOffering", "server_error": "/v1/getSubscriptionOffering",
    "plan_view": "/api/subscription/plan-info", "status_check": "/api/subscription/status",
    "activation": "/api/subscription/upgrade", "validation_failed": "/api/subscription/upgrade",
    "already_subscribed": "/api/subscription/upgrade",
  ]

  func tells(_ event: StoryEvent) -> Bool { Self.endpoints[event.type] != nil }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .copy, .malformed, .truncated, .invalidUTF8, .missingField, .badTime, .afterCutoff, .notMeasured: true
    case .groupMismatch: event.type == "offering_served"
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      var line = JSONObjectWriter()
      line.add("eventId", context.names.ownEvent(row))
      line.add("userId", context.names.user(row.user))
      line.add("occurredAt", row.dirt == .badTime ? "0000-00-00T00:00:00Z" : row.time.rfc3339)
      if row.dirt != .missingField { line.add("endpoint", row.dirt == .notMeasured ? "/v1/getProfile" : endpoint(row)) }
      line.add("response", object: response(row))
      bytes += line.object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  /// What does not renew is posted to the older of the two endpoints.
  private func endpoint(_ row: StoryEvent) -> String {
    let isOneTime = context.product(row).map { $0.kind != .autoRenewable } ?? false
    if row.type == "activation", isOneTime { return "/subscription/purchase" }
    return Self.endpoints[row.type] ?? ""
  }

  private func response(_ row: StoryEvent) -> JSONObjectWriter {
    var response = JSONObjectWriter()
    switch row.type {
    case "offering_served": addOffering(row, to: &response)
    case "no_offering": add(1, message: "No active offering", to: &response)
    case "auth_invalid": add(5, message: "Invalid token", to: &response)
    case "server_error": add(0, message: "Internal error", to: &response)
    default: addSubscription(row, to: &response)
    }
    return response
  }

  private func add(_ success: Int64, message: String, to response: inout JSONObjectWriter) {
    response.add("Success", number: success)
    response.add("Message", message)
    response.add("Body", raw: "null")
  }

  private func addOffering(_ row: StoryEvent, to response: inout JSONObjectWriter) {
    var body = JSONObjectWriter()
    body.add("offeringId", context.scenario.offering.id)
    body.add("testGroupId", row.group.map { context.scenario.groups[Int($0)].name })
    response.add("Success", number: 1)
    response.add("Body", object: body)
  }

  private func addSubscription(_ row: StoryEvent, to response: inout JSONObjectWriter) {
    response.add("success", flag: row.type != "validation_failed" && row.type != "already_subscribed")
    switch row.type {
    case "activation":
      response.add("transaction_id", context.names.transaction(of: row))
      response.add("product_id", context.product(row)?.id)
    case "validation_failed":
      response.add("error_code", number: Int64(row.code))
      response.add("transaction_id", row.charge > 0 ? context.names.transaction(of: row) : nil)
      response.add("message", "Receipt validation failed")
    case "already_subscribed": response.add("message", "Subscription is already active")
    default: break
    }
  }
}
