import Domain

/// A server that sells one plan by the store's receipts: `/api/subscription/plan-info`, `…/status`, `…/upgrade`.
///
/// What it answers stands inside `data`. A receipt that fails has a code and the store's words for it, and no
/// transaction; who has the plan already gets a `message` alone.
struct PlanServer: AppServer {
  let context: StoryContext

  func call(_ event: StoryEvent) -> AppServerCall? {
    switch event.type {
    case "plan_view": get("plan-info", planInfo(event))
    case "status_check": get("status", status(event))
    case "activation": upgrade(event, activation(event))
    case "validation_failed": upgrade(event, failure(event))
    case "already_subscribed": upgrade(event, refusal)
    default: nil
    }
  }

  private func get(_ path: String, _ data: JSONObjectWriter) -> AppServerCall {
    var response = JSONObjectWriter()
    response.add("success", flag: true)
    response.add("data", object: data)
    return AppServerCall(endpoint: "/api/subscription/\(path)", response: response.text)
  }

  private func upgrade(_ event: StoryEvent, _ response: JSONObjectWriter) -> AppServerCall {
    var request = JSONObjectWriter()
    request.add("apple_receipt", context.names.receipt(event.user, event.charge))
    return AppServerCall(endpoint: "/api/subscription/upgrade", request: request, response: response.text)
  }

  // MARK: - Answers

  private func planInfo(_ event: StoryEvent) -> JSONObjectWriter {
    let group = event.group.map { context.scenario.groups[Int($0)] }
    let plan = context.scenario.products[0]
    let words = [group?.copy.headerSubtitle, group?.copy.supportingText].compactMap { $0 }.filter { !$0.isEmpty }
    var data = JSONObjectWriter()
    data.add("plan_name", plan.name)
    data.add("price", raw: plan.priceMicros.twoDecimals)
    data.add("currency", context.scenario.currency)
    data.add("duration", number: 30)
    data.add("duration_unit", "days")
    data.add("features", raw: "[" + words.map(\.json).joined(separator: ",") + "]")
    return data
  }

  /// What the server knows of the user's plan at the moment of a call.
  private func status(_ event: StoryEvent) -> JSONObjectWriter {
    let rest = event.end.map { max(0, $0.milliseconds - event.time.milliseconds) } ?? 0
    let days = (rest + Instant.millisecondsPerDay - 1) / Instant.millisecondsPerDay
    var data = plan(event, isActive: rest > 0)
    data.add("days_remaining", number: days)
    data.add("will_expire_soon", flag: (1...7).contains(days))
    return data
  }

  private func plan(_ event: StoryEvent, isActive: Bool) -> JSONObjectWriter {
    var data = JSONObjectWriter()
    data.add("is_professional", flag: isActive)
    data.add("subscription_status", isActive ? "active" : "expired")
    data.add(orNull: "subscription_started_at", event.subscribedAt?.sixDecimals)
    data.add(orNull: "subscription_expires_at", event.end?.sixDecimals)
    return data
  }

  private func activation(_ event: StoryEvent) -> JSONObjectWriter {
    let rest = event.end.map { max(0, $0.milliseconds - event.time.milliseconds) } ?? 0
    var data = plan(event, isActive: true)
    data.add("days_remaining", number: (rest + Instant.millisecondsPerDay - 1) / Instant.millisecondsPerDay)
    data.add("original_transaction_id", context.names.firstTransaction(of: event))
    data.add("transaction_id", context.names.transaction(of: event))
    data.add("product_id", context.product(event)?.id)
    var response = JSONObjectWriter()
    response.add("success", flag: true)
    response.add("message", "Subscription activated")
    response.add("data", object: data)
    return response
  }

  private func failure(_ event: StoryEvent) -> JSONObjectWriter {
    var response = JSONObjectWriter()
    response.add("success", flag: false)
    response.add("error_code", number: Int64(event.code))
    response.add("error", Self.errors[event.code] ?? "The receipt is not valid.")
    return response
  }

  private var refusal: JSONObjectWriter {
    var response = JSONObjectWriter()
    response.add("success", flag: false)
    response.add("message", "You already have an active professional subscription")
    return response
  }

  /// Source: Apple, "status", what verifyReceipt answers.
  private static let errors = [
    "21003": "The receipt could not be authenticated.",
    "21007": "This receipt is from the test environment, but it was sent to the production environment.",
  ]
}

extension Instant {
  /// `2026-01-19T10:15:30.000000Z`.
  fileprivate var sixDecimals: String {
    var bytes: [UInt8] = []
    bytes.write(secondOf: self)
    bytes.write(".")
    bytes.write(UInt64(milliseconds % 1000) * 1000, width: 6)
    bytes.write("Z")
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Int64 {
  /// Micros with two decimals, as a JSON number: `50.00`.
  fileprivate var twoDecimals: String {
    var bytes: [UInt8] = []
    bytes.write(priceMicros: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text as JSON, quotes included.
  fileprivate var json: String {
    var bytes: [UInt8] = []
    bytes.write(json: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}
