import Foundation
import Testing

@testable import Domain
@testable import Engine

@Suite("What counts")
struct HistoryBuilderTests {
  /// What the events of one user come to.
  private func measure(_ events: [String], _ change: (inout World) -> Void = { _ in }) async throws -> Measurement {
    var world = World()
    world.events = events
    change(&world)
    return try await world.measure()
  }

  /// Gross and net of the user in cents, whatever the order of the lines.
  private func cents(_ events: [String]) async throws -> [Int128] {
    let forward = try await measure(events).money
    let backward = try await measure(events.reversed()).money
    #expect(forward == backward)
    return forward[...1].map { $0 / 10_000 }
  }

  // MARK: - Environment

  @Test(
    "Production counts in any case, and so does no environment",
    arguments: ["", "Production", "PRODUCTION", "production"])
  func production(environment: String) async throws {
    #expect(try await measure([event("purchase", march(2), ["environment": environment])]).used == 1)
  }

  @Test(
    "Test environments are set aside as sandbox",
    arguments: ["Sandbox", "Xcode", "LocalTesting", "TestFlight", "SANDBOX", "?"])
  func sandbox(environment: String) async throws {
    let found = try await measure([event("purchase", march(2), ["environment": environment])])
    #expect(found.setAside == [.sandbox: 1])
    #expect(found.money == [0, 0, 0, 0, 0])
  }

  @Test("Shared purchases are access, not payment", arguments: ["FAMILY_SHARED", "family_shared"])
  func familyShared(ownership: String) async throws {
    let found = try await measure([event("purchase", march(2), ["ownershipType": ownership])])
    #expect(found.setAside == [.familyShared: 1])
    let own = try await measure([event("purchase", march(2), ["ownershipType": "PURCHASED"])])
    #expect(own.used == 1)
  }

  // MARK: - Cut-off

  @Test("What happens at or after T has not happened")
  func cutoff() async throws {
    let found = try await measure([
      event("purchase", "2026-03-31T23:59:59.999Z"), event("purchase", "2026-04-01T00:00:00.000Z"),
      event("purchase", "2026-04-01T00:00:00.001Z"), event("purchase", "2026-04-01T01:59:59.999+02:00"),
    ])
    #expect(found.used == 2)
    #expect(found.setAside == [.afterCutoff: 2])
  }

  @Test("A row is set aside under the first reason that applies")
  func order() async throws {
    let sandbox = ["environment": "Sandbox"]
    let shared = ["ownershipType": "FAMILY_SHARED"]
    let late = "2026-05-01T00:00:00Z"
    let nobody = ["userId": "nobody"]
    let twice = ["userId": "u2"]
    let yen = ["currency": "JPY"]
    let copy = ["transactionId": "1"]
    func all(_ parts: [String: String]...) -> [String: String] {
      parts.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    let cases: [(String, SetAsideReason)] = [
      (event("purchase", late, all(sandbox, shared, nobody, yen, copy, ["price": "x"])), .badPrice),
      (event("purchase", late, all(sandbox, shared, nobody, yen, copy)), .sandbox),
      (event("purchase", late, all(shared, nobody, yen, copy)), .familyShared),
      (event("purchase", late, all(nobody, yen, copy)), .afterCutoff),
      (event("purchase", march(3), all(nobody, yen, copy)), .unassigned),
      (event("purchase", march(3), all(twice, yen, copy)), .excludedUser),
      (event("purchase", march(3), all(yen, copy)), .noExchangeRate),
      (event("purchase", march(3), copy), .duplicate),
    ]
    for (line, reason) in cases {
      let found = try await measure([event("purchase", march(2), copy), line]) { world in
        world.assignments += ["u2,test,a,2026-03-01", "u2,test,b,2026-03-01"]
      }
      #expect(found.setAside == [reason: 1], "\(line)")
      #expect(found.used == 1)
    }
  }

  // MARK: - Duplicates

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

  // MARK: - Refunds

  private func charge(_ id: String = "1", price: String = "10", at time: String = march(2)) -> String {
    event("purchase", time, ["transactionId": id, "price": price])
  }

  private func refund(_ time: String, _ price: String = "", of id: String = "1", _ fields: [String: String] = [:])
    -> String
  {
    event("refund", time, ["transactionId": id, "price": price].merging(fields) { $1 })
  }

  private func reversal(_ time: String, of id: String = "1") -> String {
    event("refund_reversal", time, ["transactionId": id])
  }

  @Test("A refund without a price takes all back, one with a price that part")
  func refunds() async throws {
    #expect(try await cents([charge(), refund(march(3))]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3), "2.5")]) == [1000, 750])
    #expect(try await cents([charge(), charge("2"), refund(march(3), of: "2")]) == [2000, 1000])
  }

  @Test("Parts add up, and never to more than the charge")
  func parts() async throws {
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(4), "3")]) == [1000, 500])
    #expect(try await cents([charge(), refund(march(3), "8"), refund(march(4), "8")]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3)), refund(march(4), "5")]) == [1000, 0])
    #expect(try await cents([charge(), refund(march(3), "10.01")]) == [1000, 0])
    #expect(try await cents([charge(price: "0"), refund(march(3))]) == [0, 0])
  }

  @Test("A reversal restores all, and what comes later counts again")
  func reversals() async throws {
    #expect(try await cents([charge(), refund(march(3)), reversal(march(4))]) == [1000, 1000])
    #expect(
      try await cents([charge(), refund(march(3), "2"), refund(march(4), "3"), reversal(march(5))]) == [1000, 1000])
    #expect(try await cents([charge(), refund(march(3)), reversal(march(4)), refund(march(5), "4")]) == [1000, 600])
    #expect(try await cents([charge(), reversal(march(3)), refund(march(4), "4")]) == [1000, 600])
  }

  @Test("At one instant refunds come before reversals")
  func sameInstant() async throws {
    #expect(try await cents([charge(), reversal(march(3)), refund(march(3))]) == [1000, 1000])
    #expect(
      try await cents([charge(), reversal(march(3)), refund(march(3), "4"), refund(march(3), "5")]) == [1000, 1000])
  }

  @Test("A refund acts on its charge whenever before T it comes, even before the charge")
  func refundTimes() async throws {
    #expect(try await cents([charge(), refund("2026-03-31T23:59:59.999Z")]) == [1000, 0])
    #expect(try await cents([charge(), refund("2026-04-01T00:00:00Z")]) == [1000, 1000])
    #expect(try await cents([charge(at: march(20)), refund(march(3))]) == [1000, 0])
  }

  @Test("A refund acts on the one charge that is kept of several copies")
  func refundOfCopy() async throws {
    #expect(
      try await cents([charge(price: "10"), charge(price: "8", at: march(3)), refund(march(4), "9")]) == [1000, 100])
  }

  @Test("A refund whose charge is unknown is counted and has no effect")
  func orphans() async throws {
    let found = try await measure([
      charge(), refund(march(3), of: "2"), event("refund", march(3)), reversal(march(4), of: "3"),
      event("purchase", march(2), ["transactionId": "9", "environment": "Sandbox"]), refund(march(5), of: "9"),
      event("purchase", march(2), ["transactionId": "8", "userId": "u9"]), refund(march(6), of: "8"),
    ])
    #expect(found.orphanRefunds == 5)
    #expect(found.money[...1] == [10_000_000, 10_000_000])
    #expect(found.used == 6)
  }

  @Test("Refunds are one per event id, else per transaction, time and amount")
  func duplicateRefunds() async throws {
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(3), "2")]) == [1000, 800])
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(3), "3")]) == [1000, 500])
    #expect(try await cents([charge(), refund(march(3), "2"), refund(march(4), "2")]) == [1000, 600])
    let ids = [["eventId": "a"], ["eventId": "b"], ["eventId": "a"]]
    let lines = ids.map { refund(march(3), "2", of: "1", $0) }
    #expect(try await cents([charge()] + lines) == [1000, 600])
    #expect(try await measure([charge()] + lines).setAside == [.duplicate: 1])
    #expect(
      try await cents([charge(), refund(march(3)), refund(march(3)), reversal(march(3)), reversal(march(3))]) == [
        1000, 1000,
      ])
  }

  @Test("refund_rate counts the charges of which a refund stands")
  func refundRate() async throws {
    let found = try await measure([
      charge("1"), charge("2"), charge("3"), charge("4", price: "0"), refund(march(3), of: "1"),
      refund(march(3), "1", of: "2"),
      refund(march(3), of: "3"), reversal(march(4), of: "3"), refund(march(3), of: "4"),
    ])
    #expect(found.sums(4)?.sumX == 4)
    #expect(found.sums(4)?.sumY == 2)
  }

  // MARK: - Money

  @Test("Each charge is converted once, rounded half to even, at its UTC day's rate")
  func conversion() async throws {
    let rates = ["2026-03-02,EUR,1.1", "2026-03-03,EUR,0.0000005", "2026-03-04,EUR,0.0000015", "2026-03-05,EUR,2"]
    func gross(_ price: String, _ time: String) async throws -> Int128 {
      try await measure([event("purchase", time, ["price": price, "currency": "eur"])]) { $0.rates = rates }.money[0]
    }
    #expect(try await gross("7.99", march(2)) == 8_789_000)
    #expect(try await gross("1", march(3)) == 0)
    #expect(try await gross("1", march(4)) == 2)
    #expect(try await gross("1", "2026-03-05T00:00:00+01:00") == 2)
    #expect(try await gross("1", "2026-03-05T00:00:00Z") == 2_000_000)
  }

  @Test("A refund uses the rate of its charge")
  func refundConversion() async throws {
    let found = try await measure([
      event("purchase", march(2), ["transactionId": "1", "currency": "EUR"]),
      refund(march(9), "4", of: "1", ["currency": "EUR"]),
    ]) { $0.rates = ["2026-03-02,EUR,1.5", "2026-03-09,EUR,9"] }
    #expect(found.money[...1] == [15_000_000, 9_000_000])
  }

  @Test("A charge without a rate is a reject with its place; a refund of it is an orphan")
  func rateless() async throws {
    let found = try await measure([
      charge(), event("purchase", march(9), ["currency": "EUR", "transactionId": "7"]), refund(march(10), of: "7"),
    ]) { $0.rates = ["2026-03-01,EUR,1.5"] }
    #expect(found.setAside == [.noExchangeRate: 1])
    #expect(found.rejects.map(\.line) == [2])
    #expect(
      found.rejects.first?.detail
        == "no rate of EUR for 2026-03-09 or the 7 days before; exchange_rates: names a table of date, currency, rate "
        + "(USD for 1 EUR)")
    #expect(found.orphanRefunds == 1)
  }

  @Test("Proceeds are net without tax and commission, rounded half to even once")
  func proceeds() async throws {
    func proceeds(_ price: String, _ product: String, _ refunded: String? = nil) async throws -> Int128 {
      let charge = event("purchase", march(2), ["price": price, "productId": product, "transactionId": "1"])
      let lines = [charge] + (refunded.map { [refund(march(3), $0)] } ?? [])
      return try await measure(lines) { world in
        world.products = [
          "p,,,,", "taxed,,,20,", "both,,,19.5,15", "free,,,,0", "half,,,,50", "gone,,,100,",
          "odd,,,33.333333,33.333333",
        ]
      }.money[2]
    }
    #expect(try await proceeds("10", "p") == 7_000_000)
    #expect(try await proceeds("10", "unlisted") == 7_000_000)
    #expect(try await proceeds("10", "taxed") == 5_600_000)
    #expect(try await proceeds("7.99", "both") == 5_467_158)  // 5,467,157.5 rounds to even
    #expect(try await proceeds("10", "free") == 10_000_000)
    #expect(try await proceeds("0.000001", "half") == 0)
    #expect(try await proceeds("0.000003", "half") == 2)
    #expect(try await proceeds("10", "gone") == 0)
    #expect(try await proceeds("10", "p", "4") == 4_200_000)
    #expect(try await proceeds("1", "odd") == 444_444)
  }

  @Test("Money beyond 64 bits of micros is an error, not a wrap")
  func overflow() async throws {
    let error = await #expect(throws: OfferliftError.self) {
      try await measure([event("purchase", march(2), ["price": "9000000000000", "currency": "EUR"])]) {
        $0.rates = ["2026-03-01,EUR,9"]
      }
    }
    #expect(error?.exit == .badData)
  }

  // MARK: - Kinds

  @Test("A product's kind: its table, else the catalog, else the event's type")
  func kinds() async throws {
    func oneTime(_ type: String, _ products: [String]) async throws -> (Int128?, [Notice]) {
      let found = try await measure([event(type, march(2))]) { world in
        world.metrics = ["{name: one_time_conversion, window: none}"]
        world.products = products
      }
      return (found.sums(0)?.sumY, found.notices.filter { $0.check == "unknown_product" })
    }
    #expect(try await oneTime("purchase", ["p,consumable,,,"]).0 == 1)
    #expect(try await oneTime("one_time_purchase", ["p,auto_renewable,,,"]).0 == 0)
    #expect(try await oneTime("purchase", []).0 == 0)
    #expect(try await oneTime("one_time_purchase", []).0 == 1)
    #expect(try await oneTime("renewal", ["p,,,,"]).0 == 0)
    #expect(try await oneTime("renewal", ["p,non_renewing,,,"]).1.isEmpty)
    let notice = try await oneTime("renewal", ["q,consumable,,,"]).1
    #expect(notice.map(\.count) == [1])
    #expect(notice.first?.message.contains("\"p\"") == true)
  }
}

@Suite("Keys of one user's events")
struct KeySetTests {
  @Test("A key keeps the number it came with first, for few and for many", arguments: [1, 23, 24, 25, 26, 200])
  func numbers(count: Int) {
    var keys = KeySet()
    for round in 0..<2 {
      for number in 0..<count {
        let key = Fingerprint((UInt64(number), 1, 2), space: 3).low
        #expect(keys.insert(key, number: round * 1000 + number) == number)
      }
    }
    keys.removeAll()
    #expect(keys.insert(Fingerprint((0, 1, 2), space: 3).low, number: 77) == 77)
  }
}
