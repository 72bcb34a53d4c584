import Foundation
import Testing

@testable import Domain
@testable import Simulation

/// Each server's answers are held against the members that its documents name, all of them and no other.
@Suite("Calls of the apps' servers")
struct AppServerTests {
  private let context: StoryContext

  init() throws {
    context = try StoryWorld.context([
      (
        "control: {weight: 1, products: [{id: month, is_default: true}]}",
        "control: {weight: 1, copy: {header_title: All, header_subtitle: £5 a month}, products: [{id: year, display_price: \"49.99\"}, "
          + "{id: month, display_price: \"4.99\", is_default: true, badge: Best}]}"
      ),
      ("month: {kind", "month: {name: Monthly, tier: basic, kind"), StoryWorld.spending,
    ])
  }

  private func row(_ server: Story.AppServerKind, _ event: StoryEvent) throws -> [String: Any] {
    let format = APILogFormat(context: context, server: AppServers.server(server, context))
    return try #require(try StoryWorld.objects(format, [event]).first)
  }

  private func event(_ type: String, code: String = "") -> StoryEvent {
    var event = StoryEvent(time: Instant(milliseconds: 86_400_000), user: 1, ordinal: 0, step: 0, type: type)
    event.group = 0
    event.code = code
    return event
  }

  /// The same after a purchase of a month, a day before.
  private func bought(_ type: String, code: String = "") -> StoryEvent {
    var event = event(type, code: code)
    event.product = 0
    event.charge = 2
    event.firstCharge = 1
    event.chargedAt = Instant(milliseconds: 0)
    event.subscribedAt = Instant(milliseconds: 0)
    event.end = Instant(milliseconds: 31 * 86_400_000)
    event.creditsLeft = 36
    return event
  }

  private func names(_ object: Any?) -> [String] { ((object as? [String: Any])?.keys).map { $0.sorted() } ?? [] }

  @Test("show a paywall in Success and Body, products in the order of their ids, prices without a sign")
  func offering() throws {
    let row = try row(.offerings, event("offering_served"))
    let response = try #require(row["response"] as? [String: Any])
    #expect(names(response) == ["Body", "Success"] && response["Success"] as? Int == 1)
    let body = try #require(response["Body"] as? [String: Any])
    #expect(names(body) == ["copy", "offeringId", "subscriptions", "testGroupId"])
    #expect(names(body["copy"]) == ["ctaButtonText", "headerSubtitle", "headerTitle", "supportingText"])
    let products = try #require(body["subscriptions"] as? [[String: Any]])
    #expect(products.map { $0["productId"] as? String } == ["month", "year"])
    #expect(products.map { $0["position"] as? Int } == [1, 0])
    #expect(products.map { $0["fallbackDisplayPrice"] as? String } == ["4.99", "49.99"])
    #expect(products.map { $0["isDefault"] as? Bool } == [true, false])
    #expect(products[0]["badgeText"] as? String == "Best" && products[1]["badgeText"] is NSNull)
    #expect(
      names(products[0]) == [
        "badgeText", "fallbackDisplayPrice", "isDefault", "position", "productId", "subtitleText", "type",
      ])
    let stored = String(decoding: OfferingResponses(scenario: context.scenario).lines, as: UTF8.self)
    let first = try JSONSerialization.jsonObject(with: Data(stored.split(separator: "\n")[0].utf8)) as? NSDictionary
    #expect(first == response as NSDictionary)
  }

  @Test("name nobody where the token is invalid, and have no body where no test is on or the server fails")
  func noOffering() throws {
    let invalid = try row(.offerings, event("auth_invalid"))
    #expect(names(invalid) == ["endpoint", "occurredAt", "response"])
    #expect((invalid["response"] as? [String: Any])?["Success"] as? Int == 5)
    for (type, success) in [("no_offering", 1), ("server_error", 0)] {
      let response = try #require(try row(.offerings, event(type))["response"] as? [String: Any])
      #expect(names(response) == ["Body", "Success"])
      #expect(response["Success"] as? Int == success && response["Body"] is NSNull)
    }
    let format = APILogFormat(context: context, server: AppServers.server(.offerings, context))
    #expect(!format.canSpoil(event("auth_invalid"), by: .copy) && format.canSpoil(event("no_offering"), by: .copy))
  }

  @Test("tell old clients which paywall is theirs, by a call that nothing is measured of")
  func oldClients() throws {
    let format = APILogFormat(context: context, server: AppServers.server(.offerings, context))
    for type in ["constants_asked", "premium_asked"] {
      #expect(format.reports(event(type)) && !format.isMeasured(event(type)))
    }
    #expect(try row(.offerings, event("constants_asked"))["endpoint"] as? String == "/v1/getImportantConstants")
  }

  @Test("answer for one plan inside data, and a failed receipt with code and error, without a transaction")
  func plan() throws {
    func response(_ event: StoryEvent) throws -> [String: Any] {
      try #require(try row(.plan, event)["response"] as? [String: Any])
    }
    let info = try #require(try response(event("plan_view"))["data"] as? [String: Any])
    #expect(names(info) == ["currency", "duration", "duration_unit", "features", "plan_name", "price"])
    #expect(info["features"] as? [String] == ["£5 a month"] && info["plan_name"] as? String == "Monthly")
    let status = try #require(try response(bought("status_check"))["data"] as? [String: Any])
    let members = ["is_professional", "subscription_expires_at", "subscription_started_at", "subscription_status"]
    #expect(names(status) == (members + ["days_remaining", "will_expire_soon"]).sorted())
    #expect(status["subscription_expires_at"] as? String == "1970-02-01T00:00:00.000000Z")
    #expect(status["days_remaining"] as? Int == 30 && status["subscription_status"] as? String == "active")
    let stranger = try #require(try response(event("status_check"))["data"] as? [String: Any])
    #expect(stranger["is_professional"] as? Bool == false && stranger["subscription_started_at"] is NSNull)
    let activation = try response(bought("activation"))
    #expect(names(activation) == ["data", "message", "success"])
    #expect(
      names(activation["data"])
        == (members + ["days_remaining", "original_transaction_id", "product_id", "transaction_id"]).sorted())
    let failure = try response(bought("validation_failed", code: "21003"))
    #expect(names(failure) == ["error", "error_code", "success"] && failure["error_code"] as? Int == 21003)
    #expect(names(try response(bought("already_subscribed"))) == ["message", "success"])
    let receipts = try ["activation", "validation_failed", "already_subscribed"].map {
      try row(.plan, bought($0, code: "21003"))["request"] as? [String: String]
    }
    #expect(Set(receipts).count == 1 && receipts[0]?.keys.sorted() == ["apple_receipt"])
  }

  @Test("sell tiers: an array of products, what is left of the credits, and a purchase by its transaction")
  func tiers() throws {
    let view = try row(.tiers, event("plan_view"))
    #expect(view["endpoint"] as? String == "/subscription/products?platform=apple" && view["request"] == nil)
    let products = try #require(view["response"] as? [[String: Any]])
    let columns = ["duration_days", "id", "name", "platform", "product_id", "scan_credits", "tier"]
    #expect(products.map(names) == [columns, columns, columns])
    #expect(products[0]["scan_credits"] as? Int == 30 && products[0]["name"] as? String == "Monthly")
    #expect(TiersServer.table(context.scenario)[0].sorted() == columns)
    let members = ["is_active", "scan_credits_remaining", "subscription_end", "subscription_start", "tier"]
    let none = try #require(try row(.tiers, event("status_check"))["response"] as? [String: Any])
    #expect(none["tier"] as? String == "none" && none["subscription_start"] is NSNull)
    let status = try #require(try row(.tiers, bought("status_check"))["response"] as? [String: Any])
    #expect(names(status) == members && status["scan_credits_remaining"] as? Int == 36)
    #expect(status["subscription_end"] as? String == "1970-01-31T00:00:00Z")
    let done = try row(.tiers, bought("activation"))
    #expect((done["request"] as? [String: String])?["receipt_data"] == context.names.transaction(1, 2))
    #expect(names(done["response"]) == ["message", "subscription", "success"])
    #expect(names((done["response"] as? [String: Any])?["subscription"]) == members)
    let failed = try #require(try row(.tiers, bought("validation_failed"))["response"] as? [String: Any])
    #expect(names(failed) == ["message", "subscription", "success"] && failed["subscription"] is NSNull)
  }
}
