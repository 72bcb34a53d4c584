import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// What Google Play's feeds tell of subscriptions beside their prices.
@Suite("Lives in Google Play's feeds")
struct GooglePlayLifeTests {
  private typealias Play = GooglePlayRecords

  private func types(_ lines: [String], _ feed: String) throws -> [String] {
    try StoreLog(lines, format: "google-play-\(feed)").events.map(\.type)
  }

  private func details(_ phase: String) -> String {
    #"{"servicePeriodEndTime":"2026-04-02T12:00:00Z","# + phase + "}"
  }

  private func order(_ suffix: String, free: Bool = false, _ phase: String) -> String {
    let total = free ? Play.money(nil) : Play.money("10")
    return Play.order(
      Play.order + suffix, items: [Play.item("premium", ["total": total, "subscriptionDetails": details(phase)])])
  }

  @Test("An order's number and the period it pays for say what it is")
  func orders() throws {
    let base = "\"offerPhase\":\"BASE\""
    let trial = "\"offerPhase\":\"FREE_TRIAL\""
    let change = "\"offerPhaseDetails\":{\"prorationPeriodDetails\":{}}"
    let inTrial = "\"offerPhaseDetails\":{\"prorationPeriodDetails\":{\"originalOfferPhase\":\"FREE_TRIAL\"}}"
    let lines = [
      order("", base), order("..0", base), order("..12", base), order("", free: true, trial),
      order("", free: true, "\"offerPhaseDetails\":{\"freeTrialDetails\":{}}"), order("", free: true, "\"x\":1"),
      order("..0", free: true, "\"x\":1"), order("..0", free: true, base), order("", free: true, change),
      order("", change), order("", free: true, inTrial),
    ]
    #expect(
      try types(lines, "orders") == [
        "purchase", "renewal", "renewal", "trial_start", "trial_start", "trial_start", "renewal", "renewal", "extend",
        "purchase", "trial_start",
      ])
    let once = ["subscriptionDetails": nil, "oneTimePurchaseDetails": "{}"] as [String: String?]
    let app = ["subscriptionDetails": nil, "paidAppDetails": "{}"] as [String: String?]
    let sold = [once, app].map { Play.order(items: [Play.item("pack", $0)]) }
    #expect(try types(sold, "orders") == ["one_time_purchase", "one_time_purchase"])
  }

  @Test("Notifications tell what happened, as Pub/Sub pushes them and decoded alike; the rest is counted by its name")
  func notifications() throws {
    let reported = [1, 3, 5, 6, 7, 10, 12, 13].map { Play.notification($0, 9) }
    let expected = [
      "billing_recovery", "cancel", "billing_retry", "billing_retry", "uncancel", "expire", "expire", "expire",
    ]
    #expect(try types(reported, "notifications") == expected)
    #expect(try types(reported.map(Play.pushed), "notifications") == expected)
    let others =
      [2, 4, 8, 9, 11, 17, 18, 19, 20, 22, 99].map { Play.notification($0, 9) } + [
        Play.notification(9, "testNotification", #"{"version":"1.0"}"#),
        Play.notification(9, "oneTimeProductNotification", #"{"notificationType":1,"purchaseToken":"t","sku":"pack"}"#),
        Play.notification(9, "somethingNew", "{}"),
      ]
    let log = try StoreLog(others, format: "google-play-notifications")
    #expect(log.events.isEmpty && log.faults.isEmpty)
    #expect(
      Set(log.notes.keys)
        == Set(
          [
            "SUBSCRIPTION_RENEWED", "SUBSCRIPTION_PURCHASED", "SUBSCRIPTION_PRICE_CHANGE_CONFIRMED",
            "SUBSCRIPTION_DEFERRED", "SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED", "SUBSCRIPTION_ITEMS_CHANGED",
            "SUBSCRIPTION_CANCELLATION_SCHEDULED", "SUBSCRIPTION_PRICE_CHANGE_UPDATED",
            "SUBSCRIPTION_PENDING_PURCHASE_CANCELED", "SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED",
            "subscriptionNotification 99", "testNotification", "ONE_TIME_PRODUCT_PURCHASED", "unknown notification",
          ].map { "not_measured \($0)" }))
  }

  @Test(
    "A message that cannot be opened is refused",
    arguments: [
      #"{"message":{"data":"e30*"},"subscription":"s"}"#, #"{"message":{"data":"e"},"subscription":"s"}"#,
      #"{"message":{"data":"e30==="},"subscription":"s"}"#, #"{"message":{"data":7},"subscription":"s"}"#,
      #"{"message":{"data":""},"subscription":"s"}"#, #"{"message":{"data":"W10="},"subscription":"s"}"#,
      #"{"message":{"data":"e30=="},"subscription":"s"}"#,
    ])
  func unreadable(line: String) throws {
    let log = try StoreLog([line], format: "google-play-notifications")
    #expect(log.events.isEmpty && log.faults.count == 1 && log.faults[0].hasPrefix("malformed"))
  }

  @Test("Either alphabet of base 64 is read")
  func alphabets() throws {
    let line = Play.pushed(Play.notification(3, 9, token: "ÿÿ>>??~~"))
    let other = line.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "=", with: "")
    for line in [line, other] { #expect(try types([line], "notifications") == ["cancel"]) }
  }

  @Test("A subscription's state tells when access ended, when renewal was turned off, and how it stands")
  func subscriptions() throws {
    let canceled = ["canceledStateContext": #"{"userInitiatedCancellation":{"cancelTime":"2026-03-09T12:00:00Z"}}"#]
    let lines = [
      Play.subscription("CANCELED", canceled), Play.subscription("EXPIRED", canceled), Play.subscription("EXPIRED"),
      Play.subscription("ON_HOLD"), Play.subscription("PAUSED"), Play.subscription("ACTIVE"),
      Play.subscription("CANCELED", ["canceledStateContext": #"{"systemInitiatedCancellation":{}}"#]),
    ]
    let log = try StoreLog(lines, format: "google-play-subscriptions")
    #expect(
      log.events.map(\.type) == [
        "cancel", "extend", "cancel", "expire", "expire", "billing_retry", "expire", "extend", "cancel",
      ])
    #expect(log.events.map(\.isCompanion) == [false, true, false, true, false, false, false, false, false])
    #expect(log.raw.map(\.isState) == [false, true, false, false, false, false, false, true, true])
    #expect(log.events[0].time == milliseconds(9) && log.events[3].time == milliseconds(33))
    #expect(log.notes == [:])
    let bad = ["{\"lineItems\":[]}", Play.subscription("EXPIRED", ["lineItems": "7"]), "{\"subscriptionState\":\"X\"}"]
    #expect(try StoreLog(bad, format: "google-play-subscriptions").faults.count == 3)
  }

  @Test("What does not renew by itself says so, and what another plan takes the place of does")
  func standings() throws {
    let plans = [
      #""prepaidPlan":{}"#, #""autoRenewingPlan":{"autoRenewEnabled":false}"#, #""autoRenewingPlan":{}"#,
      #""autoRenewingPlan":{"autoRenewEnabled":false},"deferredItemReplacement":{"productId":"basic"}"#,
    ]
    let lines = plans.map { plan in
      Play.subscription(
        "ACTIVE", ["lineItems": #"[{"productId":"premium","expiryTime":"2026-04-02T12:00:00Z",\#(plan)}]"#])
    }
    #expect(try types(lines, "subscriptions") == ["cancel", "cancel", "extend", "extend"])
    let grace = Play.subscription("IN_GRACE_PERIOD", ["linkedPurchaseToken": "\"old\""])
    let log = try StoreLog([grace, Play.subscription("PENDING")], format: "google-play-subscriptions")
    #expect(log.events.map(\.type) == ["billing_retry"] && log.events[0].end == milliseconds(33))
    #expect(log.raw[0].replacedChain != 0 && log.raw[0].replacedChain != log.raw[0].chain)
    #expect(log.notes == ["not_measured SUBSCRIPTION_STATE_PENDING": 1])
  }

  /// The state and the access of `u1` by what the three feeds tell.
  private func standing(_ notifications: [String], _ subscription: String = Play.subscription(), at time: String)
    async throws -> StandingOfUser
  {
    var world = SourceWorld("google-play-orders", [Play.order()])
    world.add("google-play-subscriptions", [subscription])
    if !notifications.isEmpty { world.add("google-play-notifications", notifications) }
    world.world.productColumns = StandingOfUser.columns
    world.world.products = ["premium,auto_renewable,P1M,P14D,P16D,"]
    world.world.metrics = StandingOfUser.metrics.map { "{name: \($0)}" }
    world.world.asOf = time
    return StandingOfUser(try await world.measure())
  }

  @Test("Access follows the feeds: grace, hold, recovery, pause, cancellation, restart")
  func access() async throws {
    #expect(try await standing([], at: "2026-04-01").active == 1)
    #expect(try await standing([], at: "2026-04-04").active == 0)
    let grace = Play.notification(6, 33)
    #expect(try await standing([grace], at: "2026-04-10").active == 1)
    let held = try await standing([grace, Play.notification(5, 36)], at: "2026-04-10")
    #expect(held.active == 0 && held.state == "billing_retry")
    #expect(try await standing([Play.notification(5, 33)], at: "2026-04-10").active == 0)
    #expect(try await standing([], Play.subscription("ON_HOLD"), at: "2026-04-10").state == "billing_retry")
    #expect(try await standing([Play.notification(10, 20)], at: "2026-03-28").active == 0)
    let off = try await standing([Play.notification(3, 9)], at: "2026-03-20")
    #expect(off.active == 1 && off.renewing == 0)
    #expect(try await standing([Play.notification(3, 9), Play.notification(7, 10)], at: "2026-03-20").renewing == 1)
    #expect(try await standing([Play.notification(12, 9)], at: "2026-03-20").active == 0)
  }
}
