import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Money in App Store notifications")
struct StoreMoneyTests {
  private func purchase(_ transaction: [String: String] = [:], id: String = "n1") -> StoreNotification {
    StoreNotification("SUBSCRIBED", "INITIAL_BUY", transaction, id: id)
  }

  /// A refund of the day and of so many thousandths of a percent.
  private func refund(_ day: Int, _ percentage: Int? = nil, id: String, _ more: [String: String] = [:])
    -> StoreNotification
  {
    var members = ["revocationDate": "\(milliseconds(day))"]
    members["revocationPercentage"] = percentage.map { "\($0)" }
    var refund = StoreNotification("REFUND", nil, members.merging(more) { $1 }, id: id)
    refund.payload["signedDate"] = "\(milliseconds(day, 60))"
    return refund
  }

  private func reversal(_ day: Int, id: String) -> StoreNotification {
    var reversal = StoreNotification("REFUND_REVERSED", id: id)
    reversal.payload["signedDate"] = "\(milliseconds(day))"
    return reversal
  }

  /// Gross, net, charges and refunded charges of the group, and what was set aside.
  private func money(_ notifications: [StoreNotification], _ world: World = World()) async throws
    -> (gross: Int128, net: Int128, charges: Int128, refunded: Int128, setAside: [SetAsideReason: Int])
  {
    let found = try await world.measureStore(notifications.map(\.posted))
    let reversed = try await world.measureStore(notifications.map(\.decoded).reversed())
    #expect(found.accounts.allSatisfy { $0.isBalanced })
    #expect(found.money == reversed.money)
    return (found.money[0], found.money[1], found.money[3], found.money[4], found.setAside)
  }

  @Test("Copies of a notification, and a retry with another payload, are one charge")
  func copies() async throws {
    var retried = purchase()
    retried.payload["signedDate"] = "\(milliseconds(3))"
    let found = try await money([purchase(), purchase(), retried])
    #expect(found.gross == 9_990_000)
    #expect(found.setAside == [.duplicate: 2])
    let cancels = [1, 2].map { _ in StoreNotification("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", id: "c") }
    #expect(try await money(cancels).setAside == [.duplicate: 1])
  }

  @Test("A restore is a new transaction of an old charge")
  func restores() async throws {
    let restored = purchase(["transactionId": "\"t2\"", "purchaseDate": "\(milliseconds(9))"], id: "n2")
    #expect(try await money([purchase(), restored]).gross == 9_990_000)
    // Without a line on an order the transaction is all there is.
    let loose = ["webOrderLineItemId": ""]
    let second = purchase(["webOrderLineItemId": "", "transactionId": "\"t2\""], id: "n2")
    #expect(try await money([purchase(loose), second]).gross == 2 * 9_990_000)
    #expect(try await money([purchase(loose), purchase(loose, id: "n3")]).gross == 9_990_000)
  }

  @Test("An upgrade is charged once, whether or not the old charge says it was upgraded")
  func upgrades() async throws {
    let new = ["transactionId": "\"t2\"", "webOrderLineItemId": "\"w2\"", "price": "19990"]
    let upgrade = StoreNotification("DID_CHANGE_RENEWAL_PREF", "UPGRADE", new, id: "n2")
    let old = purchase(["isUpgraded": "true"], id: "n3")
    let found = try await money([purchase(), upgrade, upgrade, old])
    #expect(found.gross == 9_990_000 + 19_990_000)
    #expect(found.setAside == [.duplicate: 2])
  }

  @Test("Thousandths are thousandths in every currency")
  func currencies() async throws {
    var world = World()
    world.rates = ["2026-03-01,JPY,0.0067", "2026-03-01,GBP,1.25"]
    let yen = purchase(["price": "1200000", "currency": "\"JPY\"", "webOrderLineItemId": "\"w2\""], id: "n2")
    let pounds = purchase(["price": "50000", "currency": "\"GBP\"", "webOrderLineItemId": "\"w3\""], id: "n3")
    // 1,200 yen are 8.04 dollars, 50 pounds are 62.50.
    #expect(try await money([purchase(), yen, pounds], world).gross == 9_990_000 + 8_040_000 + 62_500_000)
    #expect(try await money([yen], world).gross == 8_040_000)
    #expect(try await money([yen]).setAside == [.noExchangeRate: 1])
  }

  @Test("A refund takes back all of a charge, or the part it names, rounded half to even")
  func refunds() async throws {
    #expect(try await money([purchase(), refund(5, id: "r1")]).net == 0)
    #expect(try await money([purchase(), refund(5, 100_000, id: "r1")]).net == 0)
    #expect(try await money([purchase(), refund(5, 40_000, id: "r1")]).net == 9_990_000 * 6 / 10)
    // A copy of a refund takes nothing more.
    #expect(try await money([purchase(), refund(5, 40_000, id: "r1"), refund(5, 40_000, id: "r1")]).net == 5_994_000)
    // 0.001 USD × 0.05 % is half a micro, × 0.15 % one and a half.
    for (percentage, part) in [(50, 0), (150, 2)] as [(Int, Int128)] {
      let price = ["price": "1"]
      let found = try await money([purchase(price), refund(5, percentage, id: "r1", price)])
      #expect(found.net == 1000 - part)
    }
    let japan = ["price": "100001", "currency": "\"JPY\""]
    var world = World()
    world.rates = ["2026-03-01,JPY,0.01"]
    // 40 % of 100.001 yen, at a cent each.
    #expect(try await money([purchase(japan), refund(9, 40_000, id: "r", japan)], world).net == 1_000_010 - 400_004)
  }

  @Test("A refund tells how its charge stands: a later one replaces an earlier one and never adds")
  func states() async throws {
    let first = refund(5, 40_000, id: "r1")
    #expect(try await money([purchase(), first, refund(6, 40_000, id: "r2")]).net == 5_994_000)
    #expect(try await money([purchase(), first, refund(6, 60_000, id: "r2")]).net == 3_996_000)
    #expect(try await money([purchase(), refund(5, 60_000, id: "r1"), refund(6, 40_000, id: "r2")]).net == 5_994_000)
    #expect(try await money([purchase(), first, refund(6, id: "r2")]).net == 0)
    // Revoked at one time, the one that was signed later is the later one.
    for (share, net) in [(60_000, 3_996_000), (20_000, 7_992_000)] as [(Int, Int128)] {
      var later = refund(5, share, id: "r2")
      later.payload["signedDate"] = "\(milliseconds(5, 90))"
      #expect(try await money([purchase(), first, later]).net == net)
    }
  }

  @Test("A refund finds its charge by the line of the order, and by the transaction where there is none")
  func refundKeys() async throws {
    let restored = refund(5, id: "r1", ["transactionId": "\"t9\""])
    #expect(try await money([purchase(), restored]).net == 0)
    #expect(try await money([purchase(), refund(5, id: "r1", ["webOrderLineItemId": ""])]).net == 0)
    let other = refund(5, id: "r1", ["webOrderLineItemId": "\"w9\"", "transactionId": "\"t9\""])
    #expect(try await money([purchase(), other]).net == 9_990_000)
  }

  @Test("A reversed refund gives all back, and one after the cut-off has not happened yet")
  func reversals() async throws {
    #expect(try await money([purchase(), refund(5, id: "r1"), reversal(7, id: "v1")]).net == 9_990_000)
    let again = [purchase(), refund(5, id: "r1"), reversal(7, id: "v1"), refund(9, 40_000, id: "r2")]
    #expect(try await money(again).net == 5_994_000)
    let late = try await money([purchase(), refund(40, id: "r1")])
    #expect(late.net == 9_990_000)
    #expect(late.setAside == [.afterCutoff: 1])
    // Signed late, but revoked before the cut-off.
    var signedLate = refund(31, id: "r1")
    signedLate.payload["signedDate"] = "\(milliseconds(40))"
    #expect(try await money([purchase(), signedLate]).net == 0)
  }

  @Test("A part that cannot be told is rejected")
  func badParts() async throws {
    for (percentage, reason) in [
      ("0", SetAsideReason.badPrice), ("100001", .badPrice), ("-1", .badPrice), ("40.5", .badPrice),
      ("true", .badPrice),
    ] {
      let bad = refund(5, id: "r1", ["revocationPercentage": percentage])
      #expect(try await money([purchase(), bad]).setAside == [reason: 1])
    }
    // The part is one of the charge, whether or not the refund tells the price again.
    #expect(try await money([purchase(), refund(5, 40_000, id: "r1", ["price": ""])]).net == 5_994_000)
    #expect(try await money([purchase(), refund(5, id: "r1", ["price": ""])]).net == 0)
  }

  @Test("What is shared in a family and what is played in the sandbox is no money")
  func notMoney() async throws {
    var sandbox = purchase(["webOrderLineItemId": "\"w2\""], id: "n2")
    sandbox.data["environment"] = "\"Sandbox\""
    let family = purchase(
      ["webOrderLineItemId": "\"w3\"", "inAppOwnershipType": "\"FAMILY_SHARED\"", "appAccountToken": ""], id: "n3")
    var priceless = family
    priceless.transaction.merge(["price": "", "currency": ""]) { $1 }
    let found = try await money([purchase(), sandbox, family, priceless])
    #expect(found.gross == 9_990_000)
    #expect(found.setAside == [.sandbox: 1, .familyShared: 2])
  }

  @Test("A page tells what its notifications tell one by one")
  func pages() async throws {
    let story = [
      purchase(), StoreNotification("DID_RENEW", "BILLING_RECOVERY", ["webOrderLineItemId": "\"w2\""], id: "n2"),
      refund(9, 40_000, id: "r1"), StoreNotification("TEST", id: "n4"), purchase(),
    ].map(\.posted)
    let world = World()
    let one = try await world.measureStore(story)
    let page = try await world.measureStore([StoreNotification.page(story)])
    #expect(one.money == page.money)
    #expect(one.setAside == page.setAside)
    #expect(one.setAside == [.notMeasured: 1, .duplicate: 1])
    #expect(one.used == 3)
  }
}
