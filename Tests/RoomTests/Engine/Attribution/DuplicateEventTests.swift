import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Each event counts once")
struct DuplicateEventTests: OneUser {
  @Test("Charges with one transaction are one charge: the earliest")
  func earliest() async throws {
    let copies = [
      event("purchase", march(3), ["transactionId": "1", "price": "1"]),
      event("purchase", march(2), ["transactionId": "1", "price": "9"]),
      event("renewal", march(4), ["transactionId": "1", "price": "2"]),
    ]
    #expect(try await cents(copies) == [900, 900])
    #expect(try await measure(copies).setAside == [.duplicate: 2])
  }

  @Test("Of copies at one time the smaller price stays, then the smaller product id, then the smaller type name")
  func tieBreaks() async throws {
    func copy(_ price: String, _ product: String, _ type: String) -> String {
      event(type, march(2), ["transactionId": "1", "price": price, "productId": product])
    }
    #expect(try await cents([copy("7.5", "a", "purchase"), copy("7.49", "b", "purchase")]) == [749, 749])
    // The products' kinds tell which one stayed; ids are ordered as bytes, where Z comes before a.
    func subscriptions(_ events: [String]) async throws -> Int128? {
      func sum(_ events: [String]) async throws -> Int128? {
        try await measure(events) { world in
          world.metrics = ["{name: subscription_conversion, window: none}"]
          world.products = ["Z,auto_renewable,,,", "a,consumable,,,"]
        }.sums(0)?.sumY
      }
      let forward = try await sum(events)
      #expect(try await sum(events.reversed()) == forward)
      return forward
    }
    #expect(try await subscriptions([copy("5", "a", "purchase"), copy("5", "Z", "purchase")]) == 1)
    #expect(try await subscriptions([copy("5", "x", "purchase"), copy("5", "x", "one_time_purchase")]) == 0)
    #expect(try await subscriptions([copy("5", "x", "renewal"), copy("5", "x", "purchase")]) == 1)
  }

  @Test("A charge without a transaction goes by its event id, and without either stands alone")
  func keys() async throws {
    let byEvent = [event("purchase", march(2), ["eventId": "e"]), event("purchase", march(3), ["eventId": "e"])]
    #expect(try await cents(byEvent) == [1000, 1000])
    let alone = [event("purchase", march(2)), event("purchase", march(2))]
    #expect(try await cents(alone) == [2000, 2000])
    // With a transaction, the event id says nothing.
    let sameEvent = [
      event("purchase", march(2), ["eventId": "e", "transactionId": "1"]),
      event("purchase", march(2), ["eventId": "e", "transactionId": "2"]),
    ]
    #expect(try await cents(sameEvent) == [2000, 2000])
    // Transaction 7 is not event 7.
    let spaces = [event("purchase", march(2), ["eventId": "7"]), event("purchase", march(2), ["transactionId": "7"])]
    #expect(try await cents(spaces) == [2000, 2000])
  }

  @Test("One transaction of two users is two charges")
  func withinUser() async throws {
    let found = try await measure([
      event("purchase", march(2), ["transactionId": "1"]),
      event("purchase", march(2), ["transactionId": "1", "userId": "u2"]),
    ]) { $0.assignments.append("u2,test,control,2026-03-01") }
    #expect(found.money[3] == 2)
    #expect(found.setAside.isEmpty)
  }

  @Test("A user with hundreds of charges has each one once")
  func manyKeys() async throws {
    let lines = (0..<300).map { event("renewal", march(2 + $0 % 20), ["transactionId": "\($0 % 100)", "price": "1"]) }
    let found = try await measure(lines)
    #expect(found.money[3] == 100)
    #expect(found.setAside == [.duplicate: 200])
  }

  @Test("Other events are one per event id, else per type, product and time")
  func otherEvents() async throws {
    let lines = [
      event("paywall_view", march(2), ["eventId": "1"]), event("paywall_view", march(3), ["eventId": "1"]),
      event("paywall_view", march(4)), event("paywall_view", march(4)), event("paywall_view", march(5)),
      event("paywall_view", march(4), ["productId": "p"]), event("trial_start", march(4)),
      event("paywall_view", march(4), ["eventId": "2"]),
    ]
    let found = try await measure(lines) { world in
      world.metrics = [
        "{name: event_count, event: paywall_view, window: none}",
        "{name: event_count, event: trial_start, window: none, id: trials}",
      ]
    }
    #expect(found.sums(0)?.sumY == 5)
    #expect(found.sums(1)?.sumY == 1)
    #expect(found.setAside == [.duplicate: 2])
  }
}
