import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What several feeds tell of one user")
struct FeedsTests {
  /// What was kept of a user's events, as cents and rows.
  private struct Outcome: Equatable {
    var gross: Int64 = 0
    var net: Int64 = 0
    var used = 0
    var duplicates = 0
    var orphans = 0
  }

  /// An event as a file of the log tells it.
  private struct Reported {
    var event: PurchaseEvent
    var file: UInt32
  }

  /// Builds the history of events told by the feeds of their files: file 0 is one feed, file 1 another.
  private func build(_ events: [Reported], feeds: [UInt8] = [0, 1]) throws -> Outcome {
    let usd = try #require(Currency(Array("USD".utf8)))
    let rules = HistoryRules(
      facts: ProductFacts(names: ["p"], products: Products(), catalog: Catalog()), types: EventTypes(named: []),
      rates: ExchangeRates(reporting: usd), names: RosterOrder(Roster(names: EventNames(), attributes: [])),
      feeds: FeedIndex(ofFiles: feeds), details: ChargeDetailsIndex(EventNames(), attributes: []))
    let builder = rules.makeBuilder(cutoff: .max)
    func run(_ events: [Reported]) -> Outcome {
      let chunks = EventChunks(partitions: 1)
      for reported in events {
        var event = reported.event
        event.file = reported.file
        chunks.append(event, to: 0, user: 0)
      }
      var tally = EventTally(files: feeds.count)
      PartitionEventIndex([chunks], partition: 0, userCount: 1).withEvents(ofUser: 0) { builder.build($0, &tally) }
      let charges = withExtendedLifetime(builder) { Array($0.history.charges) }
      let outcomes = tally.outcomes.reduce(into: RowOutcomes()) { $0.merge($1) }
      return Outcome(
        gross: charges.reduce(0) { $0 + $1.gross } / 10_000, net: charges.reduce(0) { $0 + $1.net } / 10_000,
        used: outcomes.used, duplicates: outcomes.setAside[.duplicate] ?? 0, orphans: tally.orphanRefunds)
    }
    let forward = run(events)
    #expect(run(events.reversed()) == forward)
    return forward
  }

  private func key(_ number: UInt64) -> Fingerprint { Fingerprint((number, 0, 0), space: 0) }

  private func charge(
    _ time: Int64, key number: UInt64, transaction: UInt64? = nil, cents: Int64 = 1000, file: UInt32 = 0
  ) -> Reported {
    var event = PurchaseEvent()
    event.type = .purchase
    event.time = time
    event.product = 0
    event.currency = Currency(Array("USD".utf8)) ?? .none
    event.amountMicros = cents * 10_000
    event.transaction = transaction
    event.key = key(number)
    return Reported(event: event, file: file)
  }

  private func refund(
    _ time: Int64, of transaction: UInt64, cents: Int64? = nil, chargeKey: UInt64? = nil, file: UInt32 = 0,
    type: EventType = .refund, id: UInt64
  ) -> Reported {
    var event = PurchaseEvent()
    event.type = type
    event.time = time
    event.amountMicros = cents.map { $0 * 10_000 }
    event.currency = Currency(Array("USD".utf8)) ?? .none
    event.transaction = transaction
    event.chargeKey = chargeKey.map { key($0).low }
    event.key = key(id)
    return Reported(event: event, file: file)
  }

  @Test("A charge two feeds tell under keys of their own counts once")
  func chargeOnce() throws {
    let reported = [charge(10, key: 100, transaction: 7), charge(12, key: 200, transaction: 7, file: 1)]
    #expect(try build(reported) == Outcome(gross: 1000, net: 1000, used: 1, duplicates: 1))
    // Within a feed the key alone tells charges apart: an export numbers the renewals of one transaction.
    #expect(try build(reported, feeds: [1, 1]) == Outcome(gross: 2000, net: 2000, used: 2))
    // A third telling, by the second feed's key or the first's, changes nothing.
    let thrice = reported + [charge(13, key: 200, transaction: 8, file: 1), charge(14, key: 100, transaction: 9)]
    #expect(try build(thrice) == Outcome(gross: 1000, net: 1000, used: 1, duplicates: 3))
  }

  @Test("A refund reported by two feeds is subtracted once, in full and in part")
  func refundOnce() throws {
    let sale = [charge(10, key: 100, transaction: 7), charge(10, key: 200, transaction: 7, file: 1)]
    let full = [refund(20, of: 7, id: 1), refund(25, of: 7, cents: 1000, file: 1, id: 2)]
    #expect(try build(sale + full) == Outcome(gross: 1000, net: 0, used: 2, duplicates: 2))
    let part = [refund(20, of: 7, cents: 300, id: 1), refund(25, of: 7, cents: 300, file: 1, id: 2)]
    #expect(try build(sale + part) == Outcome(gross: 1000, net: 700, used: 2, duplicates: 2))
  }

  @Test("Parts that one feed tells add up, and of two feeds the larger sum is taken back")
  func parts() throws {
    let sale = [charge(10, key: 100, transaction: 7), charge(10, key: 200, transaction: 7, file: 1)]
    let twice = [refund(20, of: 7, cents: 300, id: 1), refund(30, of: 7, cents: 300, id: 2)]
    #expect(try build(sale + twice) == Outcome(gross: 1000, net: 400, used: 3, duplicates: 1))
    let other = [refund(21, of: 7, cents: 300, file: 1, id: 3), refund(40, of: 7, cents: 100, file: 1, id: 4)]
    #expect(try build(sale + twice + other) == Outcome(gross: 1000, net: 400, used: 3, duplicates: 3))
    let more = other + [refund(50, of: 7, cents: 250, file: 1, id: 5)]
    #expect(try build(sale + twice + more) == Outcome(gross: 1000, net: 350, used: 4, duplicates: 3))
  }

  @Test("A reversal told twice restores once, and a later refund takes again")
  func reversals() throws {
    let sale = [charge(10, key: 100, transaction: 7), charge(10, key: 200, transaction: 7, file: 1)]
    func story(file: UInt32, after delay: Int64) -> [Reported] {
      let id = UInt64(file) * 10
      return [
        refund(20 + delay, of: 7, file: file, id: id + 1),
        refund(30 + delay, of: 7, file: file, type: .refundReversal, id: id + 2),
        refund(40 + delay, of: 7, cents: 200, file: file, id: id + 3),
      ]
    }
    let late = try build(sale + story(file: 0, after: 0) + story(file: 1, after: 15))
    #expect(late == Outcome(gross: 1000, net: 800, used: 4, duplicates: 4))
  }

  @Test("A refund finds its charge by the format's key, else by the transaction")
  func lookUp() throws {
    let sale = [charge(10, key: 100, transaction: 7)]
    #expect(try build(sale + [refund(20, of: 8, chargeKey: 100, id: 1)]).net == 0)
    #expect(try build(sale + [refund(20, of: 7, chargeKey: 999, id: 1)]).net == 0)
    #expect(
      try build(sale + [refund(20, of: 8, chargeKey: 999, id: 1)])
        == Outcome(
          gross: 1000, net: 1000, used: 2, orphans: 1))
    // A restore is a copy with a transaction of its own, by which the refund may go.
    let restored = sale + [charge(90, key: 100, transaction: 8)]
    #expect(try build(restored + [refund(95, of: 8, id: 1)]) == Outcome(gross: 1000, net: 0, used: 2, duplicates: 1))
  }

  @Test("Of the snapshots of a row the latest counts, its refund with it; an older one says nothing")
  func versions() throws {
    func row(_ version: Int64, cents: Int64, refunded: Int64?) -> [Reported] {
      var rows = [charge(10, key: 100, transaction: 7, cents: cents)]
      if let refunded {
        rows.append(refund(20, of: 7, cents: refunded, chargeKey: 100, id: UInt64(refunded)))
        rows[1].event.isCompanion = true
      }
      for index in rows.indices { rows[index].event.version = version }
      return rows
    }
    let old = row(1, cents: 900, refunded: 500)
    #expect(
      try build(row(2, cents: 1000, refunded: 300) + old)
        == Outcome(
          gross: 1000, net: 700, used: 1, duplicates: 1))
    #expect(
      try build(row(2, cents: 1000, refunded: nil) + old)
        == Outcome(
          gross: 1000, net: 1000, used: 1, duplicates: 1))
    #expect(try build(old) == Outcome(gross: 900, net: 400, used: 1))
  }

  @Test("A restored transaction that another feed tells is the charge it restores, whichever comes first")
  func restoredElsewhere() throws {
    let sale = [charge(10, key: 100, transaction: 7), charge(10, key: 100, transaction: 8)]
    let reported = sale + [charge(10, key: 200, transaction: 8, file: 1)]
    #expect(try build(reported) == Outcome(gross: 1000, net: 1000, used: 1, duplicates: 2))
    let refunded = reported + [refund(20, of: 8, file: 1, id: 1)]
    #expect(try build(refunded) == Outcome(gross: 1000, net: 0, used: 2, duplicates: 2))
  }

  @Test("A refund that tells a share takes that share of the charge, rounded half to even")
  func share() throws {
    var part = refund(20, of: 7, id: 1)
    part.event.isShare = true
    part.event.amountMicros = 40_000
    #expect(try build([charge(10, key: 100, transaction: 7), part]).net == 600)
    #expect(RefundShare.part(50_000, of: 1) == 0 && RefundShare.part(50_000, of: 3) == 2)
    #expect(RefundShare.part(100_000, of: .max) == .max)
  }
}
