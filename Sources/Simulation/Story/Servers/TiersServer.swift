import Domain

/// A server that sells tiers of credits: `/subscription/products`, `/user/subscription`, `/subscription/purchase`.
///
/// The products come as an array. A purchase names the store's transaction, and is how the server finds out whose it is;
/// one that fails has no code. Every tier lasts 30 days, whatever the store's month is.
struct TiersServer: AppServer {
  let context: StoryContext
  /// The same for everybody.
  private let products: String

  init(context: StoryContext) {
    self.context = context
    products = Self.rows(context.scenario).map(Self.object).text
  }

  private static let platform = "apple"
  private static let days: Int64 = 30

  func call(_ event: StoryEvent) -> AppServerCall? {
    switch event.type {
    case "plan_view":
      AppServerCall(endpoint: "/subscription/products?platform=\(Self.platform)", response: products)
    case "status_check": AppServerCall(endpoint: "/user/subscription", response: subscription(event).text)
    case "activation", "validation_failed": purchase(event)
    default: nil
    }
  }

  private func purchase(_ event: StoryEvent) -> AppServerCall {
    var request = JSONObjectWriter()
    request.add("receipt_data", context.names.transaction(of: event))
    request.add("platform", Self.platform)
    var response = JSONObjectWriter()
    let isDone = event.type == "activation"
    let tier = context.product(event)?.tier ?? ""
    response.add("success", flag: isDone)
    response.add(
      "message", isDone ? "Successfully processed \(tier) subscription" : "The transaction could not be verified")
    response.add("subscription", raw: isDone ? subscription(event).text : "null")
    return AppServerCall(endpoint: "/subscription/purchase", request: request, response: response.text)
  }

  /// What the user has at the moment of a call.
  private func subscription(_ event: StoryEvent) -> JSONObjectWriter {
    let end = event.chargedAt.map {
      Instant(milliseconds: $0.milliseconds + Self.days * Instant.millisecondsPerDay)
    }
    var subscription = JSONObjectWriter()
    subscription.add("is_active", flag: end.map { $0 > event.time } ?? false)
    subscription.add("tier", context.product(event)?.tier ?? "none")
    subscription.add(orNull: "subscription_start", event.chargedAt?.rfc3339)
    subscription.add(orNull: "subscription_end", end?.rfc3339)
    subscription.add("scan_credits_remaining", number: event.creditsLeft)
    return subscription
  }

  // MARK: - The table

  /// The server's products as its table has them.
  static func table(_ scenario: Scenario) -> [[String]] {
    let columns = ["id", "product_id", "name", "tier", "platform", "duration_days", "scan_credits"]
    return [columns]
      + rows(scenario).map { row in
        ["\(row.id)", row.product.id, row.product.name, row.product.tier, platform, "\(days)", row.product.credits]
      }
  }

  private static func object(_ row: (id: Int, product: Scenario.Product)) -> JSONObjectWriter {
    var object = JSONObjectWriter()
    object.add("id", number: Int64(row.id))
    object.add("product_id", row.product.id)
    object.add("name", row.product.name)
    object.add("tier", row.product.tier)
    object.add("platform", platform)
    object.add("duration_days", number: days)
    object.add("scan_credits", number: Int64(row.product.credits) ?? 0)
    return object
  }

  private static func rows(_ scenario: Scenario) -> [(id: Int, product: Scenario.Product)] {
    scenario.products.enumerated().map { ($0 + 1, $1) }
  }
}
