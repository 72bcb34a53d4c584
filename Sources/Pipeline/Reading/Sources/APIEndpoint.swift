/// The calls of the app's server that something is measured by.
enum APIEndpoint: String, CaseIterable {
  case getOffering = "/v1/getSubscriptionOffering"
  case planInfo = "/api/subscription/plan-info"
  case status = "/api/subscription/status"
  case upgrade = "/api/subscription/upgrade"
  case purchase = "/subscription/purchase"
}

/// What a call told, beside the types every log knows.
enum APIEventType: String, CaseIterable {
  case offeringServed = "offering_served"
  case noOffering = "no_offering"
  case authInvalid = "auth_invalid"
  case serverError = "server_error"
  case planView = "plan_view"
  case statusCheck = "status_check"
  case activation
  case validationFailed = "validation_failed"
  case sandboxReceipt = "sandbox_receipt"
  case alreadySubscribed = "already_subscribed"
}

/// How the calls for an offering went, whoever called: counted before anybody's events are.
struct OfferingCalls: Sendable, Equatable {
  /// By what came of them; only the four outcomes of such calls.
  private(set) var counts: [APIEventType: Int] = [:]

  var total: Int { counts.values.reduce(0, +) }

  func count(_ outcome: APIEventType) -> Int { counts[outcome] ?? 0 }

  mutating func add(_ outcome: APIEventType) { counts[outcome, default: 0] += 1 }

  mutating func merge(_ other: OfferingCalls) { counts.merge(other.counts, uniquingKeysWith: +) }
}
