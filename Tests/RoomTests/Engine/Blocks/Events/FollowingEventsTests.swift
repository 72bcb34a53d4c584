import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Events that follow a charge of another user")
struct FollowingEventsTests {
  /// `u1` and `u2` are in the test, `stranger` is not.
  private func world(_ events: [String], job: String = "") -> SourceWorld {
    var world = SourceWorld("events", events)
    world.world.assignments = ["u1,test,control,2026-03-01T00:00:00Z", "u2,test,b,2026-03-01T00:00:00Z"]
    world.world.job = job
    return world
  }

  private func net(_ found: RunMeasurement) -> [Int128?] {
    ["control", "b"].map { found.sums(1, group: $0)?.sumY }
  }

  private let sale = event("purchase", march(2), ["transactionId": "t1"])

  @Test(
    "A refund takes back the charge of its transaction, whoever its user is said to be",
    arguments: ["u1", "u2", "stranger", "$RCAnonymousID:1"])
  func refund(user: String) async throws {
    let refund = event("refund", march(3), ["transactionId": "t1", "userId": user])
    for events in [[sale, refund], [refund, sale]] {
      try await world(events).everyWay().forEach { found, way in
        #expect(net(found) == [0, 0], way)
        #expect(found.orphanRefunds == 0, way)
        #expect(found.setAside == [:], way)
        #expect(found.used == 2, way)
      }
    }
  }

  @Test("A refund of a charge that nobody measured made is outside of the test, too")
  func unassignedCharge() async throws {
    let sale = event("purchase", march(2), ["transactionId": "t1", "userId": "stranger"])
    let refund = event("refund", march(3), ["transactionId": "t1", "userId": "u1"])
    try await world([sale, refund]).everyWay().forEach { found, way in
      #expect(found.orphanRefunds == 0, way)
      #expect(found.setAside == [.unassigned: 2], way)
    }
  }

  @Test("A refund whose charge no log holds stays with its user, and is an orphan")
  func orphan() async throws {
    let refunds = [
      event("refund", march(3), ["transactionId": "t9", "userId": "u1"]),
      event("refund", march(3), ["transactionId": "t9", "userId": "stranger"]),
    ]
    try await world([sale] + refunds).everyWay().forEach { found, way in
      #expect(net(found) == [10_000_000, 0], way)
      #expect(found.orphanRefunds == 1, way)
      #expect(found.setAside == [.unassigned: 1], way)
    }
  }

  @Test("A user who has the charge keeps what follows it, though another has one of the transaction, too")
  func ownFirst() async throws {
    let other = event("purchase", march(2), ["transactionId": "t1", "userId": "u2"])
    let refund = event("refund", march(3), ["transactionId": "t1", "userId": "u2"])
    try await world([sale, other, refund]).everyWay().forEach { found, way in
      #expect(net(found) == [10_000_000, 0], way)
    }
  }

  @Test("A partial refund and its reversal find their charge together")
  func reversal() async throws {
    let events = [
      sale, event("refund", march(3), ["transactionId": "t1", "userId": "x", "price": "4", "currency": "USD"]),
      event("refund_reversal", march(4), ["transactionId": "t1", "userId": "y"]),
      event("refund", march(5), ["transactionId": "t1", "userId": "u2", "price": "1", "currency": "USD"]),
    ]
    try await world(events).everyWay().forEach { found, way in
      #expect(net(found) == [9_000_000, 0], way)
    }
  }

  @Test("A subscription's end is that of the user who pays for it")
  func expire() async throws {
    var world = world([
      event("purchase", march(2), ["transactionId": "t1", "expiresDate": "2026-04-30T00:00:00Z"]),
      event("expire", march(9), ["transactionId": "t1", "userId": "stranger", "productId": "p"]),
    ])
    world.world.metrics = ["{name: active_subscription, id: active}"]
    try await world.everyWay().forEach { found, way in
      #expect(found.sums(0)?.sumY == 0, way)
      #expect(found.setAside == [:], way)
    }
  }

  @Test("Where the job asks what others buy, their refunds go with their charges")
  func outside() async throws {
    let sale = event("purchase", march(2), ["transactionId": "t1", "userId": "stranger"])
    let events = [sale, event("refund", march(3), ["transactionId": "t1", "userId": "other"])]
    for (events, net) in [([sale], "10000000"), (events, "0")] {
      try await world(events, job: "outside: true").everyWay().forEach { found, way in
        #expect(found.outside.map { "\($0.sales.net)" } == [net], way)
      }
    }
  }

  @Test("A refund without a rate that follows another's charge is rejected in its place")
  func unpriced() async throws {
    let refund = event(
      "refund", march(3), ["transactionId": "t1", "userId": "stranger", "price": "4", "currency": "SEK"])
    try await world([sale, refund]).everyWay().forEach { found, way in
      #expect(found.setAside == [.noExchangeRate: 1], way)
      #expect(net(found) == [10_000_000, 0], way)
    }
  }
}
