/// The calls of the app's server that something is measured by.
package enum APIEndpoint: String, CaseIterable {
  case getOffering = "/v1/getSubscriptionOffering"
  case planInfo = "/api/subscription/plan-info"
  case status = "/api/subscription/status"
  case upgrade = "/api/subscription/upgrade"
  case purchase = "/subscription/purchase"
  case account = "/user/subscription"
  /// A procedure of the server's that begins a trial of its own. Source: Supabase, `rpc`.
  case activateTrial = "/rest/v1/rpc/activate_trial"

  /// What came of the call is told by members of its answer.
  package var needsObject: Bool { ![.planInfo, .status, .activateTrial].contains(self) }

  /// A part of the path is `*`, which stands for any.
  package static func isPattern(_ path: String) -> Bool { path.split(separator: "/").contains("*") }
}

/// Types of events that calls of the app's server are; the last is built in.
package enum APIEventType: String, Codable, CaseIterable {
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
  /// The server said what is left of a user's credits.
  case creditsReported = "credits_reported"
  case trialStart = "trial_start"
}
