import Foundation
import Testing

@testable import Domain

@Suite("Events of a log")
struct EventDecoderTests {
  /// What one line comes to: the reason it is set aside for with its detail, or nil where it is used.
  private func fault(_ line: String, _ job: String = "") async throws -> (reason: SetAsideReason, detail: String)? {
    var world = World()
    world.events = [line]
    world.job = job
    let found = try await world.measure()
    #expect(found.accounts.allSatisfy { $0.isBalanced })
    guard let reason = found.setAside.keys.first else { return nil }
    return (reason, found.rejects.all.first?.detail ?? "")
  }

  private func with(_ members: String) -> String {
    "{\"userId\":\"u1\",\"eventType\":\"purchase\",\"occurredAt\":\"2026-03-02T00:00:00Z\",\"productId\":\"p\",\(members)}"
  }

  @Test(
    "A charge's price is a string or a number in plain decimal notation",
    arguments: [
      (#""7.99""#, nil), ("7.99", nil), ("0", nil), (#""0""#, nil), ("7.990000", nil),
      (#""9223372036854.775807""#, nil),
      ("null", .missingPrice), ("\"\"", .badPrice), ("1e2", .badPrice), ("-1", .badPrice), (#""-7.99""#, .badPrice),
      (#""+7.99""#, .badPrice),
      (#""7,99""#, .badPrice), (#""1,000.00""#, .badPrice), (#"" 7.99""#, .badPrice), (#""7.99 ""#, .badPrice),
      (#""$7.99""#, .badPrice),
      (#""7.9999999""#, nil), (#""9.989999999999998""#, nil), ("7.99000000000000000001", nil),
      (#""7.9999999e0""#, .badPrice), (#""7.1234567,8""#, .badPrice), (#""9223372036854.7758079""#, .badPrice),
      ("\"NULL\"", .missingPrice), ("\"null\"", .missingPrice), (#""\\N""#, .missingPrice), (#""Null""#, .badPrice),
      (#""7.""#, .badPrice), (#"".99""#, .badPrice), ("true", .badPrice),
      ("[7.99]", .badPrice), ("{}", .badPrice),
      (#""9223372036854.775808""#, .badPrice), (#""NaN""#, .badPrice), ("7.9900000", nil), (#""\u0037.99""#, nil),
    ] as [(String, SetAsideReason?)])
  func prices(price: String, reason: SetAsideReason?) async throws {
    #expect(try await fault(with("\"price\":\(price),\"currency\":\"USD\""))?.reason == reason)
  }

  @Test("A charge without a price is missing_price")
  func noPrice() async throws {
    #expect(try await fault(with("\"currency\":\"USD\""))?.reason == .missingPrice)
  }

  @Test(
    "A currency is three letters",
    arguments: [
      (#""USD""#, nil), (#""usd""#, nil), (#""US""#, .badCurrency), (#""USDT""#, .badCurrency), (#""""#, .badCurrency),
      ("840", nil), ("999", .badCurrency),
      (#""$""#, .badCurrency), ("null", .missingField),
    ] as [(String, SetAsideReason?)])
  func currencies(currency: String, reason: SetAsideReason?) async throws {
    #expect(try await fault(with("\"price\":1,\"currency\":\(currency)"))?.reason == reason)
  }

  @Test("What an event cannot do without", arguments: ["userId", "eventType", "occurredAt", "productId", "currency"])
  func required(field: String) async throws {
    for value in ["", "\"\(field)\":null,"] {
      var fields = [
        "userId": "u1", "eventType": "purchase", "occurredAt": "2026-03-02T00:00:00Z", "productId": "p",
        "currency": "USD",
      ]
      fields[field] = nil
      let rest = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
      let found = try await fault("{\(value)\(rest),\"price\":1}")
      #expect(found?.reason == .missingField)
      #expect(found?.detail.hasPrefix("\(field) is missing") == true)
    }
  }

  @Test(
    "Only a charge needs product, price and currency",
    arguments: ["paywall_view", "trial_start", "cancel", "expire", "refund"])
  func notRequired(type: String) async throws {
    #expect(try await fault(event(type, march(2))) == nil)
  }

  @Test("A refund's price is the part given back: above 0, or absent")
  func refundPrices() async throws {
    for (price, reason) in [("1.5", nil), ("0", .badPrice), ("-1", .badPrice), ("x", .badPrice)]
      as [(String, SetAsideReason?)]
    {
      #expect(try await fault(event("refund", march(2), ["price": price]))?.reason == reason)
    }
  }

  @Test("An extension needs no price, but the time access now ends at")
  func extensions() async throws {
    #expect(try await fault(event("extend", march(2), ["expiresDate": march(20)])) == nil)
    let lacking = try await fault(event("extend", march(2)))
    #expect(lacking?.reason == .missingField)
    #expect(lacking?.detail.hasPrefix("expiresDate is missing") == true)
    #expect(try await fault(event("extend", march(2), ["expiresDate": "soon"]))?.reason == .badTime)
  }

  @Test("A type that nothing names is unknown; one that the job or a metric names is carried")
  func types() async throws {
    let line = event("nudge_sent", march(2))
    #expect(try await fault(line)?.reason == .unknownEventType)
    #expect(try await fault(line)?.detail.contains("\"nudge_sent\"; add it to event_types:") == true)
    #expect(try await fault(line, "event_types: [nudge_sent]") == nil)
    #expect(try await fault(event("Purchase", march(2)))?.reason == .unknownEventType)
    var world = World()
    world.events = [line, event("seen", march(2)), event("tapped", march(2))]
    world.metrics = [
      "{name: event_rate, event: nudge_sent}", "{name: count_ratio, numerator: tapped, denominator: seen}",
    ]
    #expect(try await world.measure().used == 3)
  }

  @Test("Bad and ambiguous times are told apart, and time zone and unit are the input's")
  func times() async throws {
    #expect(try await fault(event("cancel", "soon"))?.reason == .badTime)
    var world = World()
    world.job = ""
    let folder = try TemporaryFolder()
    world.events = [
      event("cancel", "2026-03-29 01:30:00"), event("cancel", "2026-03-29 02:30:00"), event("cancel", "1774800000"),
    ]
    let path = try world.write(to: folder)
    try folder.write(
      "job.yml", world.yaml.replacingOccurrences(of: "format: events", with: "format: events, timezone: Europe/London"))
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
    #expect(found.setAside == [.ambiguousTime: 1])
    try folder.write(
      "job.yml", world.yaml.replacingOccurrences(of: "format: events", with: "format: events, time_unit: ms"))
    world.events = []
    #expect(try await World.measure(path, asOf: "2026-04-01", threads: 1).used == 3)
  }

  @Test("Numbers may stand where ids do, objects may not")
  func ids() async throws {
    var world = World()
    world.assignments = ["7,test,control,2026-03-01"]
    world.events = [
      #"{"userId":7,"eventType":"cancel","occurredAt":1772446530}"#,
      #"{"userId":[7],"eventType":"cancel","occurredAt":1772446530}"#,
      #"{"userId":true,"eventType":"cancel","occurredAt":1772446530}"#,
    ]
    let found = try await world.measure()
    #expect(found.used == 1)
    #expect(found.setAside == [.malformed: 2])
  }

  @Test("Defaults fill in what a log lacks, and only that")
  func defaults() async throws {
    let folder = try TemporaryFolder()
    let world = World()
    let path = try world.write(to: folder)
    try folder.write(
      "orders.csv",
      "customer;paid_at;sku;total;currency;order_id\nu1;2026-03-02;p;7.5;;1\nu1;2026-03-03;p;2;EUR;2\nu1;2026-03-03;p;;;3\n"
    )
    let purchases = """
      purchases:
        path: orders.csv
        format: events-csv
        columns: {userId: customer, occurredAt: paid_at, productId: sku, price: total, transactionId: order_id}
        defaults: {eventType: purchase, currency: USD}
      """
    try folder.write(
      "job.yml",
      world.yaml.replacingOccurrences(of: "purchases: {path: \"events*.jsonl*\", format: events}", with: purchases))
    let found = try await World.measure(path, asOf: world.asOf, threads: 1)
    #expect(found.money[0] == 7_500_000)
    #expect(found.setAside == [.noExchangeRate: 1, .missingPrice: 1])
  }

  @Test("A reject tells line, byte, reason and how the row begins")
  func rejects() async throws {
    var world = World()
    world.events = [event("cancel", march(2)), "", "  ", "{\"userId\":\"é\"}", event("cancel", march(3))]
    let found = try await world.measure()
    let reject = try #require(found.rejects.all.first)
    #expect(reject.line == 4)
    #expect(reject.byteOffset == Int64(world.events[0].utf8.count + 1 + 1 + 3))
    #expect(reject.excerpt == Array("{\"userId\":\"é\"}".utf8))
    #expect(reject.reason == .missingField)
    #expect(found.accounts[reject.account].input == "purchases")
  }
}
