import Foundation
import Testing

@testable import Domain

@Suite("App Store notifications")
struct NotificationTests {
  private let bought = milliseconds(2)
  private let reported = milliseconds(2, 5)
  private let end = milliseconds(33)

  @Test(
    "A charge is what it is by the notification's type, at its purchase date",
    arguments: [
      ("SUBSCRIBED", "INITIAL_BUY", "purchase"), ("SUBSCRIBED", "RESUBSCRIBE", "purchase"),
      ("OFFER_REDEEMED", nil, "purchase"), ("OFFER_REDEEMED", "UPGRADE", "purchase"),
      ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", "purchase"), ("DID_RENEW", nil, "renewal"),
      ("ONE_TIME_CHARGE", nil, "one_time_purchase"),
    ] as [(String, String?, String)])
  func charges(type: String, subtype: String?, event: String) throws {
    let notification = StoreNotification(type, subtype)
    let expected = ReportedEvent(type: event, time: bought, micros: 9_990_000, currency: "USD", end: end)
    for line in [notification.decoded, notification.posted, StoreNotification.page([notification.posted])] {
      let log = try StoreLog([line])
      #expect(log.events == [expected])
      #expect(log.faults == [])
      #expect(log.notes == [:])
      #expect(log.reading.account.isBalanced)
    }
  }

  @Test(
    "What is no money happens when it is told",
    arguments: [
      ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", "cancel"),
      ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", "uncancel"), ("DID_FAIL_TO_RENEW", nil, "billing_retry"),
      ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", "billing_retry"), ("EXPIRED", "VOLUNTARY", "expire"),
      ("EXPIRED", "BILLING_RETRY", "expire"), ("EXPIRED", nil, "expire"), ("GRACE_PERIOD_EXPIRED", nil, "expire"),
      ("REFUND_REVERSED", nil, "refund_reversal"),
    ] as [(String, String?, String)])
  func others(type: String, subtype: String?, event: String) throws {
    let log = try StoreLog([StoreNotification(type, subtype).posted])
    #expect(log.events == [ReportedEvent(type: event, time: reported)])
    #expect(log.notes == [:])
  }

  @Test("A free trial is a trial and no money, whatever its price says")
  func trials() throws {
    for type in ["SUBSCRIBED", "OFFER_REDEEMED", "DID_RENEW"] {
      for price in ["", "0", "9990", "\"x\""] {
        let offer = ["offerDiscountType": "\"FREE_TRIAL\"", "price": price, "currency": price.isEmpty ? "" : "\"USD\""]
        let log = try StoreLog([StoreNotification(type, "INITIAL_BUY", offer).posted])
        #expect(log.events == [ReportedEvent(type: "trial_start", time: bought, end: end)])
      }
      let paid = try StoreLog([StoreNotification(type, nil, ["offerDiscountType": "\"PAY_UP_FRONT\""]).posted])
      #expect(paid.events.map(\.type) == [type == "DID_RENEW" ? "renewal" : "purchase"])
    }
  }

  @Test("A recovered renewal is a charge, and tells of the recovery beside it")
  func recovery() throws {
    let log = try StoreLog([StoreNotification("DID_RENEW", "BILLING_RECOVERY").posted])
    #expect(
      log.events == [
        ReportedEvent(type: "renewal", time: bought, micros: 9_990_000, currency: "USD", end: end),
        ReportedEvent(type: "billing_recovery", time: bought, isCompanion: true),
      ])
    #expect(log.reading.account.rows == 1)
    #expect(log.raw[0].key != log.raw[1].key)
  }

  @Test("An upgrade is told beside its charge where the job names the type")
  func upgrades() throws {
    let notification = StoreNotification("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    #expect(try StoreLog([notification.posted]).events.map(\.type) == ["purchase"])
    let log = try StoreLog([notification.posted], eventTypes: ["upgrade"])
    #expect(log.events.map(\.type) == ["purchase", "upgrade"])
    #expect(log.events[1] == ReportedEvent(type: "upgrade", time: bought, isCompanion: true))
    let downgrade = try StoreLog(
      [StoreNotification("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE").posted], eventTypes: ["upgrade"])
    #expect(downgrade.events == [])
  }

  @Test("A retry tells when the grace ends, a trial and a charge when the access does")
  func ends() throws {
    let retry = StoreNotification(
      "DID_FAIL_TO_RENEW", "GRACE_PERIOD", renewal: ["gracePeriodExpiresDate": "\(milliseconds(18))"])
    #expect(try StoreLog([retry.posted]).events.map(\.end) == [milliseconds(18)])
    #expect(try StoreLog([StoreNotification("EXPIRED").posted]).events.map(\.end) == [nil])
    #expect(
      try StoreLog([StoreNotification("DID_RENEW", nil, ["expiresDate": "null"]).posted]).events.map(\.end) == [nil])
    let unreadable = try StoreLog([StoreNotification("DID_RENEW", nil, ["expiresDate": "\"soon\""]).posted])
    #expect(unreadable.reading.rejects.all.map(\.reason) == [.badTime])
  }

  @Test("What is not measured is counted by its name and never fails a file")
  func notMeasured() throws {
    let lines = [
      StoreNotification("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"), StoreNotification("DID_CHANGE_RENEWAL_PREF"),
      StoreNotification("PRICE_INCREASE", "PENDING"), StoreNotification("TEST"),
      StoreNotification("CONSUMPTION_REQUEST"),
      StoreNotification("DID_CHANGE_RENEWAL_STATUS", "NEW_ONE"), StoreNotification("NEXT_YEARS", "NEWS"),
      StoreNotification("REVOKE"), StoreNotification("REFUND_DECLINED"),
    ].map(\.posted)
    let log = try StoreLog(lines + [lines[2]])
    #expect(log.events == [])
    #expect(log.faults == [])
    #expect(
      log.notes == [
        "not_measured DID_CHANGE_RENEWAL_PREF/DOWNGRADE": 1, "not_measured DID_CHANGE_RENEWAL_PREF": 1,
        "not_measured PRICE_INCREASE/PENDING": 2, "not_measured TEST": 1, "not_measured CONSUMPTION_REQUEST": 1,
        "not_measured DID_CHANGE_RENEWAL_STATUS/NEW_ONE": 1, "not_measured NEXT_YEARS/NEWS": 1,
        "not_measured REVOKE": 1, "not_measured REFUND_DECLINED": 1,
      ])
    #expect(log.reading.account.setAside == [.notMeasured: 10])
    #expect(log.reading.account.isBalanced)
  }

  @Test("Values the documentation does not have are counted and change nothing")
  func unknownValues() throws {
    var notification = StoreNotification(
      "DID_RENEW", "FOO", ["offerDiscountType": "\"HALF\"", "inAppOwnershipType": "\"LENT\""])
    #expect(try StoreLog([notification.posted]).events.map(\.type) == ["renewal"])
    notification.data["environment"] = "\"Moon\""
    let log = try StoreLog([notification.posted])
    #expect(log.events.map(\.isSandbox) == [true])
    #expect(
      log.notes == [
        "unknown_value subtype=FOO": 1, "unknown_value offerDiscountType=HALF": 1,
        "unknown_value inAppOwnershipType=LENT": 1, "unknown_value environment=Moon": 1,
      ])
  }

  @Test("Every environment but production is set aside, the payload's before the transaction's")
  func environments() throws {
    for name in ["Sandbox", "Xcode", "LocalTesting", "sandbox", "TestFlight"] {
      var notification = StoreNotification("DID_RENEW")
      notification.data["environment"] = "\"\(name)\""
      #expect(try StoreLog([notification.posted]).events.map(\.isSandbox) == [true])
      notification.data["environment"] = ""
      notification.transaction["environment"] = "\"\(name)\""
      #expect(try StoreLog([notification.decoded]).events.map(\.isSandbox) == [true])
    }
    var silent = StoreNotification("DID_RENEW", nil, ["environment": ""])
    silent.data["environment"] = ""
    #expect(try StoreLog([silent.posted]).events.map(\.isSandbox) == [false])
    silent.data["environment"] = "\"PRODUCTION\""
    #expect(try StoreLog([silent.posted]).events.map(\.isSandbox) == [false])
  }

  @Test("What a family shares is told as such, and needs no account token of its own")
  func families() throws {
    let shared = ["inAppOwnershipType": "\"FAMILY_SHARED\"", "appAccountToken": ""]
    let log = try StoreLog([StoreNotification("SUBSCRIBED", "INITIAL_BUY", shared).posted])
    #expect(log.events.map(\.isFamilyShared) == [true])
  }

  @Test("The user is the account token, without one the subscription, or always that where the job says so")
  func users() throws {
    let anonymous = StoreNotification("SUBSCRIBED", "INITIAL_BUY", ["appAccountToken": ""])
    #expect(try StoreLog([anonymous.posted]).events.map(\.user) == ["o1"])
    let nobody = StoreNotification(
      "SUBSCRIBED", "INITIAL_BUY", ["appAccountToken": "", "originalTransactionId": ""],
      renewal: ["originalTransactionId": ""])
    #expect(
      try StoreLog([nobody.posted]).faults == ["missing_field: appAccountToken and originalTransactionId are missing"])
    #expect(try StoreLog([anonymous.posted], options: "user: originalTransactionId").events.map(\.user) == ["o1"])
    // A notification about the renewal alone.
    var renewal = StoreNotification("EXPIRED", nil, [:], renewal: ["appAccountToken": "\"u2\""])
    renewal.data["signedTransactionInfo"] = "null"
    #expect(try StoreLog([renewal.posted]).events == [ReportedEvent(type: "expire", user: "u2", time: reported)])
    #expect(throws: OfferliftError.self) { try StoreLog([anonymous.posted], options: "user: originalTransaction") }
  }
}
