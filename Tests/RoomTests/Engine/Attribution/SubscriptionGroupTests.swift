import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// A customer may hold one subscription in each group: of every group the latest charge decides by itself.
@Suite("Groups of subscriptions")
struct SubscriptionGroupTests {
  private let news = charge("news", march(2), "purchase", ["transactionId": "n1"])
  private let maps = charge("maps", march(5), "purchase", ["transactionId": "m1", "price": "20"])

  @Test("Monthly revenue is the groups' sum, access any group's")
  func sums() async throws {
    let both = try await StandingOfUser.of([news, maps], at: "2026-03-20")
    #expect(both.monthly == 3000 && both.active == 1 && both.state == "subscribed")
    // Without groups the latest charge alone decides.
    let one = [charge("monthly", march(2)), charge("yearly", march(5), "purchase", ["price": "120"])]
    #expect(try await StandingOfUser.of(one, at: "2026-03-20").monthly == 1000)
  }

  @Test("The end of one group leaves the others as they are, and the state is the best of them")
  func best() async throws {
    let end = event("expire", march(10), ["productId": "maps"])
    let lapsed = try await StandingOfUser.of([news, maps, end], at: "2026-03-20")
    #expect(lapsed.monthly == 1000 && lapsed.active == 1 && lapsed.state == "subscribed")
    let off = event("cancel", march(10), ["productId": "news"])
    let mixed = try await StandingOfUser.of([news, maps, off], at: "2026-03-20")
    #expect(mixed.state == "subscribed" && mixed.renewing == 1)
    let last = try await StandingOfUser.of([news, maps, off, end], at: "2026-03-20")
    #expect(last.state == "set_to_expire" && last.renewing == 0 && last.active == 1)
    let retry = event("billing_retry", march(10), ["productId": "maps"])
    #expect(try await StandingOfUser.of([news, maps, retry, off], at: "2026-03-20").state == "set_to_expire")
    let ends = [end, event("expire", march(11), ["productId": "news"])]
    #expect(try await StandingOfUser.of([news, maps] + ends, at: "2026-03-20").state == "expired")
  }

  @Test("A trial of a group goes on beside another group's charges, and ends with its own group's")
  func trials() async throws {
    let trial = event("trial_start", march(3), ["productId": "maps"])
    let end = event("expire", march(10), ["productId": "news"])
    let later = charge("news", march(9), "renewal", ["transactionId": "n2"])
    #expect(try await StandingOfUser.of([news, trial, later, end], at: "2026-03-12").state == "in_trial")
    #expect(try await StandingOfUser.of([news, trial, later, end], at: "2026-03-18").state == "expired")
    let paid = charge("maps", march(4), "renewal", ["transactionId": "m2"])
    let all = [news, trial, paid, end, event("expire", march(10), ["productId": "maps"])]
    #expect(try await StandingOfUser.of(all, at: "2026-03-12").state == "expired")
  }

  @Test("Who leaves one group for another stays, and who leaves all is gone when the last one ends")
  func retention() async throws {
    func survival(_ events: [String], at time: String) async throws -> Survival? {
      var world = Life(events: events, asOf: time).world("name: retention")
      world.productColumns = StandingOfUser.columns
      world.products = StandingOfUser.products
      return try await world.measure().metric(0)?.values.lazy.compactMap { Survival($0) }.first
    }
    let end = event("expire", march(10), ["productId": "news"])
    let stayed = try await survival([news, maps, end], at: "2026-03-20T12:00:00Z")
    #expect(stayed?.isEnded == false && stayed?.days == 18)
    let gone = try await survival(
      [news, maps, end, event("expire", march(15), ["productId": "maps"])], at: "2026-03-20T12:00:00Z")
    #expect(gone?.isEnded == true && gone?.days == 13)
    // A gap between the two ends it.
    let late = charge("maps", march(12), "purchase", ["transactionId": "m1"])
    let anew = try await survival([news, end, late], at: "2026-03-20T12:00:00Z")
    #expect(anew?.isEnded == true && anew?.days == 8)
  }

  @Test("A log that names groups needs no table, and what names none shares that of its product or subscription")
  func reported() async throws {
    func sold(_ number: Int, _ group: String, _ product: String) -> String {
      StoreNotification(
        "SUBSCRIBED", "INITIAL_BUY",
        [
          "transactionId": "\"t\(number)\"", "originalTransactionId": "\"t\(number)\"",
          "webOrderLineItemId": "\"w\(number)\"",
          "productId": "\"\(product)\"", "purchaseDate": "\(milliseconds(number))",
          "subscriptionGroupIdentifier": group,
        ], id: "n\(number)"
      ).decoded
    }
    let two = [sold(2, "\"1\"", "monthly"), sold(3, "\"2\"", "odd")]
    let standing = try await StandingOfUser.of(two, format: "app-store-notifications", at: "2026-03-20")
    #expect(standing.monthly == 1998)
    let one = [sold(2, "\"1\"", "monthly"), sold(3, "\"1\"", "odd")]
    #expect(try await StandingOfUser.of(one, format: "app-store-notifications", at: "2026-03-20").monthly == 999)
    let same = [sold(2, "\"1\"", "monthly"), sold(3, "", "monthly")]
    #expect(try await StandingOfUser.of(same, format: "app-store-notifications", at: "2026-03-20").monthly == 999)
  }
}
