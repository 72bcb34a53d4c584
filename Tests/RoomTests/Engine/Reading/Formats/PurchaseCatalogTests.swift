import Foundation
import Jobs
import Testing

@testable import Engine
@testable import Measurement
@testable import Simulation

@Suite("The catalog of purchase formats")
struct PurchaseCatalogTests {
  @Test("Every format has a name of its own")
  func names() {
    #expect(Set(PurchaseCatalog.all.map(\.name)).count == PurchaseCatalog.all.count)
  }

  @Test("Feeds are numbered in order of their names")
  func feeds() {
    let own = PurchaseCatalog.feed(of: .events)
    #expect([PurchaseFormat.eventsCSV, .apiLog].map(PurchaseCatalog.feed) == [own, own])
    let inOrder: [PurchaseFormat] = [
      .adaptyExport, .appStoreNotifications, .events, .ga4Export, .googlePlayNotifications, .googlePlayOrders,
      .googlePlaySubscriptions, .revenueCatExport, .revenueCatWebhooks, .stripeEvents, .superwallWebhooks,
    ]
    let numbers = inOrder.map(PurchaseCatalog.feed)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
  }

  @Test(
    "Names show the format they belong to, in its table format alone",
    arguments: [
      (["signedTransactions", "hasMore"], "app-store-notifications"),
      (["environment", "bundleId", "data"], "app-store-notifications"),
      (["signedPayload"], "app-store-notifications"), (["notificationType", "data", "x"], "app-store-notifications"),
      (["orders"], "google-play-orders"), (["orders", "x"], nil),
      (["orderId", "lineItems", "x"], "google-play-orders"),
      (["subscriptionState", "lineItems"], "google-play-subscriptions"),
      (["message", "subscription"], "google-play-notifications"), (["message", "x"], nil),
      (["packageName", "eventTimeMillis", "version"], "google-play-notifications"),
      (["event"], "revenuecat-webhooks"), (["event", "x"], nil), (["event", "api_version"], "revenuecat-webhooks"),
      (["object", "type", "projectId", "data"], "superwall-webhooks"), (["object", "type", "data"], nil),
      (["endpoint", "response"], "api-log"), (["userId", "eventType", "occurredAt"], "events"),
      (["userId", "occurredAt"], nil), ([], nil),
    ] as [(Set<String>, String?)])
  func members(names: Set<String>, format: String?) {
    #expect(PurchaseCatalog.format(of: names, in: .jsonl)?.name == format)
  }

  @Test("A header shows its format by the columns nobody else has")
  func columns() {
    let own: Set = ["store_transaction_id", "rc_original_app_user_id", "product_identifier"]
    #expect(PurchaseCatalog.format(of: own, in: .csv) == .revenueCatExport)
    #expect(PurchaseCatalog.format(of: own.subtracting(["product_identifier"]), in: .csv) == nil)
    #expect(PurchaseCatalog.format(of: ["userId", "occurredAt"], in: .csv) == .eventsCSV)
    let adapty: Set = ["profile_id", "event_type", "event_datetime", "store"]
    #expect(PurchaseCatalog.format(of: adapty, in: .csv) == .adaptyExport)
    #expect(PurchaseCatalog.format(of: ["profile_id", "paywall_showed_at"], in: .csv) == .adaptyExport)
    #expect(PurchaseCatalog.format(of: adapty.subtracting(["profile_id"]), in: .csv) == nil)
  }

  @Test("README names every format that is read")
  func named() throws {
    let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
    let page = try String(contentsOfFile: "\(root)/README.md", encoding: .utf8)
    let missing = PurchaseCatalog.all.map(\.name).filter { !page.contains("`\($0)`") && !page.contains(": \($0)`") }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("What a story can be written in is a format that is read")
  func simulated() {
    #expect(Set(Story.Format.allCases.map(\.rawValue)).isSubset(of: PurchaseCatalog.all.map(\.name)))
  }
}
