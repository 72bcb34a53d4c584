import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// A stranger's table of orders, and what the job says of it.
@Suite("Logs that a stranger wrote")
struct LogMappingTests {
  private static let columns = "columns: {userId: user, occurredAt: at, productId: sku, transactionId: order}"

  /// Rows `order,user,at,sku,…` of events-csv.
  private func world(_ header: String, _ rows: [String], _ keys: String, defaults: String = "") -> SourceWorld {
    let filled = defaults.isEmpty ? "defaults: {eventType: purchase, currency: USD}" : defaults
    return SourceWorld("events-csv", [header] + rows, "\(Self.columns), \(filled), \(keys)")
  }

  /// A price of one charge; nil where the row is rejected, with the reason and the detail.
  private func charge(
    _ price: String, _ keys: String, currency: String = "USD", quantity: String = "1"
  ) async throws -> (micros: Int128?, fault: String) {
    var world = world(
      "order,user,at,sku,price,currency,qty", ["1,u1,2026-03-02 10:00:00,p,\(price),\(currency),\(quantity)"],
      keys, defaults: "defaults: {eventType: purchase}")
    world.world.job = "currency: \(currency)"
    let found = try await world.measure()
    let reject = found.rejects.all.first
    return (reject == nil ? found.money[0] : nil, reject.map { "\($0.reason.rawValue): \($0.detail)" } ?? "")
  }

  // MARK: - Types

  @Test("Names of event types stand for ours; ours stand for themselves; others are told what to say")
  func types() async throws {
    let found = try await world(
      "order,user,at,sku,price,kind",
      [
        "1,u1,2026-03-02 10:00:00,p,10,subscription_started", "1,u1,2026-03-03 10:00:00,p,,Charge refund",
        "2,u1,2026-03-04 10:00:00,p,5,renewal", "3,u1,2026-03-04 10:00:00,p,5,plan_changed",
        "4,u1,2026-03-04 10:00:00,p,5,upgrade",
      ],
      "types: {subscription_started: purchase, \"Charge refund\": refund, plan_changed: ignore}",
      defaults: "defaults: {currency: USD}"
    ).renaming("eventType: kind").measure()
    #expect(found.cents == [1500, 500, 350, 2, 1])
    #expect(found.setAside == [.notMeasured: 1, .unknownEventType: 1])
    #expect(found.noticed.filter { $0.key.hasPrefix("not_measured") } == ["not_measured plan_changed": 1])
    #expect(found.rejects.all.first?.detail.contains("upgrade") == true)
  }

  @Test("An event type that nothing knows is an error, with the nearest one")
  func unknownType() async throws {
    let log = world("order,user,at,sku,price", [], "types: {sale: purchse}")
    let fault = await #expect(throws: OfferliftError.self) { try await log.measure() }
    #expect(fault?.message.contains("types: there is no event type \"purchse\"; did you mean \"purchase\"?") == true)
    var named = world("order,user,at,sku,price", [], "types: {tapped: purchase_tap}")
    named.world.job = "event_types: [purchase_tap]"
    #expect(try await named.measure().rejects.isEmpty)
  }

  @Test("A star stands for all that nothing names")
  func everythingElse() async throws {
    let found = try await world(
      "order,user,at,sku,price,kind",
      [
        "1,u1,2026-03-02 10:00:00,p,10,sold", "2,u1,2026-03-02 10:00:00,p,10,seen", "3,u1,2026-03-02 10:00:00,p,10,x",
        "4,u1,2026-03-02 10:00:00,p,10,renewal",
      ],
      "types: {sold: purchase, \"*\": ignore}", defaults: "defaults: {currency: USD}"
    ).renaming("eventType: kind").measure()
    #expect(found.cents[0] == 2000 && found.setAside == [.notMeasured: 2])
  }

  @Test("Another column's value tells the type, and only what is named counts")
  func typesOf() async throws {
    let found = try await world(
      "order,user,at,sku,price,status",
      [
        "1,u1,2026-03-02 10:00:00,p,10,paid", "1,u1,2026-03-03 10:00:00,p,10,refunded",
        "2,u1,2026-03-03 10:00:00,p,7,pending", "3,u1,2026-03-03 10:00:00,p,7,purchase", "4,u1,2026-03-03,p,7,",
      ],
      "types_of: {column: status, paid: purchase, refunded: refund, pending: ignore}",
      defaults: "defaults: {currency: USD}"
    ).measure()
    #expect(found.cents == [1000, 0, 0, 1, 1])
    #expect(found.setAside == [.notMeasured: 1, .unknownEventType: 1, .missingField: 1])
    #expect(found.rejects.all.contains { $0.detail.contains("types_of: does not name the status \"purchase\"") })
    #expect(found.rejects.all.contains { $0.detail == "status is missing" })
  }

  @Test("Defaults fill what is missing before it is looked at")
  func defaults() async throws {
    let found = try await world(
      "order,user,at,sku,price,status",
      ["1,u1,2026-03-02 10:00:00,p,10,\\N", "2,u1,2026-03-02 10:00:00,p,10,NULL", "3,u1,2026-03-02 10:00:00,p,1,no"],
      "types_of: {column: status, no: ignore}"
    ).measure()
    #expect(found.cents[0] == 2000 && found.setAside == [.notMeasured: 1])
  }

  // MARK: - Money

  @Test(
    "Smallest units are divided by the currency's own",
    arguments: [
      ("999", "USD", 9_990_000), ("999", "JPY", 999_000_000), ("999", "KWD", 999_000), ("0", "EUR", 0),
      ("999.5", "USD", 9_995_000), ("1", "CLF", 100),
    ] as [(String, String, Int128)])
  func minorUnits(price: String, currency: String, micros: Int128) async throws {
    #expect(try await charge(price, "price_unit: minor", currency: currency).micros == micros)
  }

  @Test("A quantity multiplies exactly; without one, or with one that is none, a row is rejected")
  func quantity() async throws {
    #expect(try await charge("2.55", "quantity: qty", quantity: "3").micros == 7_650_000)
    #expect(try await charge("0.3333335", "quantity: qty", quantity: "2.000").micros == 666_667)
    #expect(try await charge("255", "quantity: qty, price_unit: minor", quantity: "4").micros == 10_200_000)
    #expect(try await charge("2.55", "quantity: qty", quantity: "0").micros == 0)
    #expect(try await charge("2.55", "quantity: qty", quantity: "").fault == "missing_field: qty is missing")
    #expect(try await charge("2.55", "quantity: qty", quantity: "NULL").fault == "missing_field: qty is missing")
    #expect(try await charge("2.55", "quantity: qty", quantity: "1e2").fault.hasPrefix("bad_price: qty \"1e2\" is not"))
    let negative = try await charge("2.55", "quantity: qty", quantity: "-1").fault
    #expect(negative.contains("times qty \"-1\" is negative; say negative: refund"))
    let both = try await charge("-2.55", "quantity: qty, negative: refund", quantity: "-1").fault
    #expect(both.contains("are both negative"))
  }

  @Test("A charge of a negative amount is a refund of it where the job says so, and else no charge")
  func negative() async throws {
    let rows = [
      "1,u1,2026-03-02 10:00:00,p,9.99", "1,u1,2026-03-05 10:00:00,p,-4.99", "2,u1,2026-03-06 10:00:00,p,-0.00",
    ]
    let header = "order,user,at,sku,price"
    let reported = try await world(header, rows, "negative: refund").measure()
    #expect(reported.cents == [999, 500, 350, 2, 1] && reported.setAside.isEmpty)
    let untold = try await world(header, rows, "timezone: UTC").measure()
    #expect(untold.cents[0] == 999 && untold.setAside == [.badPrice: 2])
  }

  @Test("A refund's own price may be negative, too, and is the part that is given back")
  func negativeRefund() async throws {
    let found = try await world(
      "order,user,at,sku,price,kind",
      ["1,u1,2026-03-02 10:00:00,p,9.99,sale", "1,u1,2026-03-05 10:00:00,p,-4.99,back"],
      "negative: refund, types_of: {column: kind, sale: purchase, back: refund}", defaults: "defaults: {currency: USD}"
    ).measure()
    #expect(found.cents == [999, 500, 350, 1, 1])
  }

  @Test("Prices with more decimals are rounded exactly, and told where that changes them")
  func roundedPrices() async throws {
    let found = try await world(
      "order,user,at,sku,price",
      [
        "1,u1,2026-03-02 10:00:00,p,9.989999999999998", "2,u1,2026-03-02 10:00:00,p,9.990000000",
        "3,u1,2026-03-02 10:00:00,p,0.0000015", "4,u1,2026-03-02 10:00:00,p,0.00000251",
        "5,u1,2026-03-02 10:00:00,p,0.12345678901234567891",
      ], "timezone: UTC"
    ).measure()
    #expect(found.money[0] == 9_990_000 * 2 + 2 + 3 + 123_457)
    let notice = try #require(found.notices.first { $0.kind == .roundedPrices })
    #expect(notice.count == 3 && notice.isWarning && notice.subject == "USD")
    // 0.0000005 + 0.00000049 + 0.000000210987…
    #expect(notice.message.contains("3 prices in USD had more than six decimals and were rounded"))
    #expect(notice.message.contains("by 0.000001200987 USD in all"))
  }

  @Test("What binary floating point leaves of a price is no change")
  func noise() async throws {
    let found = try await world(
      "order,user,at,sku,price", ["1,u1,2026-03-02 10:00:00,p,9.989999999999998"], "timezone: UTC"
    ).measure()
    let notice = try #require(found.notices.first { $0.kind == .roundedPrices })
    #expect(notice.count == 1 && !notice.isWarning && notice.message.contains("that say nothing"))
  }

  // MARK: - Items

  private static let order = [
    "1,u1,2026-03-02 10:00:00,p,10,purchase", "1,u1,2026-03-02 10:00:00,q,5,purchase",
    "1,u1,2026-03-02 10:00:00,p,10,purchase",
  ]

  private func items(_ more: [String], _ keys: String = "items: true") async throws -> RunMeasurement {
    try await world(
      "order,user,at,sku,price,kind", Self.order + more, keys, defaults: "defaults: {currency: USD}"
    ).renaming("eventType: kind").measure()
  }

  @Test("Rows of one transaction with another product are items of it, each its own charge")
  func itemsOfAnOrder() async throws {
    let found = try await items([])
    #expect(found.cents[0] == 1500 && found.cents[3] == 2 && found.setAside == [.duplicate: 1])
    #expect(try await items([], "timezone: UTC").cents[3] == 1)
  }

  @Test("A refund takes back of the item it names; of all where it names none, up to its sum")
  func refundsOfItems() async throws {
    #expect(try await items(["1,u1,2026-03-03 10:00:00,q,,refund"]).cents[1] == 1000)
    #expect(try await items(["1,u1,2026-03-03 10:00:00,p,4,refund"]).cents[1] == 1100)
    #expect(try await items(["1,u1,2026-03-03 10:00:00,,,refund"]).cents[1] == 0)
    #expect(try await items(["1,u1,2026-03-03 10:00:00,,12,refund"]).cents[1] == 300)
    #expect(try await items(["1,u1,2026-03-03 10:00:00,,99,refund"]).cents[1] == 0)
    let two = ["1,u1,2026-03-03 10:00:00,,4,refund", "1,u1,2026-03-04 10:00:00,,8,refund"]
    #expect(try await items(two).cents[1] == 300)
    let restored = two + ["1,u1,2026-03-05 10:00:00,,,refund_reversal"]
    #expect(try await items(restored).cents[1] == 1500)
    // At one instant, of one amount: of two items.
    let pair = ["1,u1,2026-03-03 10:00:00,p,3,refund", "1,u1,2026-03-03 10:00:00,q,3,refund"]
    #expect(try await items(pair).cents[1] == 900)
  }

  @Test("Items need a column of the transaction")
  func itemsWithoutTransaction() async throws {
    let world = SourceWorld(
      "events-csv", ["user,at,sku,price", "u1,2026-03-02,p,1"],
      "columns: {userId: user, occurredAt: at, productId: sku}, defaults: {eventType: purchase, currency: USD}, items: true"
    )
    let fault = await #expect(throws: OfferliftError.self) { try await world.measure() }
    #expect(fault?.message.contains("there is no column \"transactionId\"") == true)
  }

  // MARK: - Rows that are left out

  @Test("Rows are left out by what a column of them says, each by name")
  func skipped() async throws {
    let found = try await world(
      "order,user,at,sku,price,_fivetran_deleted,Op,gone_at",
      [
        "1,u1,2026-03-02 10:00:00,p,1,false,I,", "2,u1,2026-03-02 10:00:00,p,2,TRUE,I,",
        "3,u1,2026-03-02 10:00:00,p,4,t,I,", "4,u1,2026-03-02 10:00:00,p,8,0,D,", "5,u1,2026-03-02 10:00:00,p,16,,X,",
        "6,u1,2026-03-02 10:00:00,p,32,,U,2026-03-09", "7,,,,dear,,d,\\N",
      ],
      "skip_where: {_fivetran_deleted: true, Op: [D, X], gone_at: \"*\"}"
    ).measure()
    #expect(found.cents[0] == 100)
    #expect(found.setAside == [.skipped: 5, .missingField: 1])
    #expect(
      found.noticed.filter { $0.key.hasPrefix("skipped") }
        == [
          "skipped _fivetran_deleted: true": 2, "skipped Op: D": 1, "skipped Op: X": 1, "skipped gone_at: *": 1,
        ])
  }

  @Test(
    "None is a cell without anything, a null and an empty text, and \"\" says the same", arguments: ["null", "\"\""])
  func skippedNone(none: String) async throws {
    let columns =
      "columns: {userId: id, occurredAt: at}, defaults: {eventType: trial_start}, skip_where: {at: \(none)}"
    let table = SourceWorld("events-csv", ["id,at", "u1,2026-03-02", "u2,", "u3,\"\"", "u4,\\N", "u5,NULL"], columns)
    #expect(try await table.measure().setAside == [.skipped: 4])
    let lines = [
      #"{"id":"u1","at":"2026-03-02"}"#, #"{"id":"u2","at":null}"#, #"{"id":"u3","at":""}"#, #"{"id":"u4"}"#,
    ]
    #expect(try await SourceWorld("events", lines, columns).measure().setAside == [.skipped: 3])
  }

  @Test("A time that some rows lack is a reject that says how to leave them out")
  func missingTime() async throws {
    let table = SourceWorld(
      "events-csv", ["id,trial_activated_at", "u1,2026-03-02", "u2,"],
      "columns: {userId: id, occurredAt: trial_activated_at}, defaults: {eventType: trial_start}")
    let rejects = try await table.measure().rejects.all
    #expect(rejects.map(\.reason) == [.missingField])
    let remedy = "skip_where: {trial_activated_at: null} leaves out rows that have none"
    #expect(rejects.first?.detail.hasSuffix(remedy) == true)
  }

  @Test("A column of skip_where: that a table does not have is an error that names its columns")
  func skippedColumn() async throws {
    let world = world("order,user,at,sku,price", [], "skip_where: {_fivetran_deletd: true}")
    let fault = await #expect(throws: OfferliftError.self) { try await world.measure() }
    #expect(fault?.message.contains("there is no column \"_fivetran_deletd\"") == true)
  }

  @Test("Rows of assignments are left out, too")
  func skippedAssignments() async throws {
    var world = World()
    world.events = [event("purchase", march(2)), event("purchase", march(2), ["userId": "u2"])]
    world.attributes = ["deleted"]
    world.assignments = ["u1,test,control,2026-03-01T00:00:00Z,", "u2,test,control,2026-03-01T00:00:00Z,1"]
    let folder = try TemporaryFolder()
    try world.write(to: folder)
    try folder.write(
      "job.yml",
      world.yaml.replacingOccurrences(of: ", attributes: [deleted]", with: ", skip_where: {deleted: true}"))
    let found = try await World.measure(folder.path("job.yml"), asOf: world.asOf, threads: 1)
    #expect(found.cents[0] == 1000)
    #expect(found.accounts.first { $0.input == "assignments" }?.setAside == [.skipped: 1])
  }
}

extension SourceWorld {
  /// The same with one more column named.
  fileprivate func renaming(_ column: String) -> SourceWorld {
    var world = self
    for log in world.logs.indices {
      world.logs[log].keys = world.logs[log].keys.replacingOccurrences(of: "columns: {", with: "columns: {\(column), ")
    }
    return world
  }
}
