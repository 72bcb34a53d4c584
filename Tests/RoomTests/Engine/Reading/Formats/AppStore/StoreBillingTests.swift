import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Free and paid in App Store notifications")
struct StoreBillingTests {
  private func sold(
    _ type: String, _ subtype: String? = nil, _ day: Int, _ members: [String: String] = [:]
  ) -> StoreNotification {
    var all = [
      "transactionId": "\"t\(day)\"", "webOrderLineItemId": "\"w\(day)\"", "productId": "\"monthly\"",
      "purchaseDate": "\(milliseconds(day))", "expiresDate": "\(milliseconds(day + 31))",
    ]
    all.merge(members) { $1 }
    var notification = StoreNotification(type, subtype, all, id: "n\(type)\(day)")
    notification.payload["signedDate"] = "\(milliseconds(day, 5))"
    return notification
  }

  private func standing(_ notifications: [StoreNotification], at time: String) async throws -> StandingOfUser {
    let lines = notifications.map(\.decoded)
    let forward = try await StandingOfUser.of(lines, format: "app-store-notifications", at: time)
    let backward = try await StandingOfUser.of(lines.reversed(), format: "app-store-notifications", at: time)
    #expect(forward.state == backward.state && forward.monthly == backward.monthly)
    return forward
  }

  @Test(
    "What is free begins a trial, whatever began it",
    arguments: [
      ("SUBSCRIBED", "INITIAL_BUY"), ("OFFER_REDEEMED", "INITIAL_BUY"), ("OFFER_REDEEMED", "UPGRADE"),
      ("DID_RENEW", ""),
      ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"),
    ])
  func free(type: String, subtype: String) throws {
    let subtype = subtype.isEmpty ? nil : subtype
    for members in [["price": "0"], ["price": "\"0\""], ["offerDiscountType": "\"FREE_TRIAL\""]] {
      let log = try StoreLog([sold(type, subtype, 2, members).decoded])
      #expect(log.events.map(\.type) == ["trial_start"] && log.events[0].micros == nil, "\(members)")
      #expect(log.events[0].end == milliseconds(33))
    }
    for members in [["price": "10"], ["offerDiscountType": "\"PAY_AS_YOU_GO\""]] {
      #expect(try StoreLog([sold(type, subtype, 2, members).decoded]).events[0].type != "trial_start", "\(members)")
    }
  }

  @Test("A recovery is one also where it renews for nothing, and a free one-time purchase is no trial")
  func beside() throws {
    let recovered = try StoreLog([sold("DID_RENEW", "BILLING_RECOVERY", 2, ["price": "0"]).decoded])
    #expect(recovered.events.map(\.type) == ["trial_start", "billing_recovery"])
    #expect(
      try StoreLog([sold("ONE_TIME_CHARGE", nil, 2, ["price": "0"]).decoded]).events.map(\.type) == [
        "one_time_purchase"
      ])
    let downgrade = try StoreLog([sold("OFFER_REDEEMED", "DOWNGRADE", 2).decoded])
    #expect(downgrade.events.isEmpty && downgrade.notes == ["not_measured OFFER_REDEEMED/DOWNGRADE": 1])
  }

  @Test("A plan changed inside a trial, and a free month after it, are the trial still")
  func trial() async throws {
    let first = sold("SUBSCRIBED", "INITIAL_BUY", 2, ["price": "0", "expiresDate": "\(milliseconds(16))"])
    let up = sold(
      "DID_CHANGE_RENEWAL_PREF", "UPGRADE", 4,
      ["price": "0", "productId": "\"yearly\"", "expiresDate": "\(milliseconds(18))"])
    let free = sold("DID_RENEW", nil, 18, ["price": "0", "productId": "\"yearly\""])
    #expect(try await standing([first, up], at: "2026-03-17").state == "in_trial")
    #expect(try await standing([first, up], at: "2026-03-19").state == "trial_expired")
    #expect(try await standing([first, up, free], at: "2026-03-19").state == "in_trial")
    let paid = sold("DID_RENEW", nil, 18, ["productId": "\"yearly\""])
    #expect(try await standing([first, up, paid], at: "2026-03-19").state == "subscribed")
  }

  @Test("A year in twelve payments is a month's worth of each, and what is still due is committed")
  func commitment() async throws {
    let plan = ["productId": "\"yearly\"", "billingPlanType": "\"MONTHLY\"", "price": "5990", "expiresDate": ""]
    let info = { (number: Int) in
      "{\"billingPeriodNumber\":\(number),\"totalBillingPeriods\":12,\"commitmentPrice\":71880}"
    }
    let first = sold("SUBSCRIBED", "INITIAL_BUY", 2, plan.merging(["commitmentInfo": info(1)]) { $1 })
    let begun = try await standing([first], at: "2026-03-20")
    #expect(begun.monthly == 599 && begun.committed == 11 * 599)
    let second = sold("DID_RENEW", nil, 33, plan.merging(["commitmentInfo": info(2)]) { $1 })
    let renewed = try await standing([first, second], at: "2026-04-20")
    #expect(renewed.monthly == 599 && renewed.committed == 10 * 599 && renewed.renewed == [1, 1])
    let last = sold("DID_RENEW", nil, 33, plan.merging(["commitmentInfo": info(12)]) { $1 })
    #expect(try await standing([first, last], at: "2026-04-20").committed == 0)
    // Turning renewal off frees nobody of what is due; the end of access does.
    let off = sold("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 10, ["productId": "\"yearly\""])
    #expect(try await standing([first, off], at: "2026-03-20").committed == 11 * 599)
    let gone = sold("EXPIRED", "BILLING_RETRY", 12, ["productId": "\"yearly\""])
    #expect(try await standing([first, gone], at: "2026-03-20").committed == 0)
    let upfront = plan.merging(["billingPlanType": "\"BILLED_UPFRONT\"", "price": "60000"]) { $1 }
    let whole = try await standing([sold("SUBSCRIBED", nil, 2, upfront)], at: "2026-03-20")
    #expect(whole.monthly == 500 && whole.committed == 0)
  }

  @Test("An offer that is paid for at once is for all of its time")
  func upFront() async throws {
    let offer = [
      "offerDiscountType": "\"PAY_UP_FRONT\"", "offerPeriod": "\"P3M\"", "price": "15000", "expiresDate": "",
    ]
    let standing = try await standing([sold("SUBSCRIBED", nil, 2, offer)], at: "2026-05-20")
    #expect(standing.monthly == 500 && standing.active == 1 && standing.renewed == [0, 0])
    let monthly = offer.merging(["offerDiscountType": "\"PAY_AS_YOU_GO\""]) { $1 }
    #expect(try await self.standing([sold("SUBSCRIBED", nil, 2, monthly)], at: "2026-03-20").monthly == 1500)
  }

  @Test("A failed renewal without a grace ends access with the period, and is retried all the same")
  func noGrace() async throws {
    func failed(_ subtype: String?, _ status: Int, _ renewal: [String: String] = [:]) -> StoreNotification {
      var notification = sold("DID_FAIL_TO_RENEW", subtype, 33)
      notification.renewal = renewal
      notification.data["status"] = "\(status)"
      return notification
    }
    let first = sold("SUBSCRIBED", "INITIAL_BUY", 2)
    let none = try await standing([first, failed(nil, 3)], at: "2026-04-05")
    #expect(none.active == 0 && none.state == "billing_retry" && none.monthly == 0)
    let reported = failed("GRACE_PERIOD", 4, ["gracePeriodExpiresDate": "\(milliseconds(39))"])
    #expect(try await standing([first, reported], at: "2026-04-05").active == 1)
    #expect(try await standing([first, reported], at: "2026-04-09").active == 0)
    // A grace of unknown length is the product's.
    #expect(try await standing([first, failed("GRACE_PERIOD", 3)], at: "2026-04-05").active == 1)
    #expect(try await standing([first, failed(nil, 4)], at: "2026-04-05").active == 1)
  }
}
