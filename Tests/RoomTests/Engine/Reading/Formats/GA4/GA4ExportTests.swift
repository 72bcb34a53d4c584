import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Google Analytics' export")
struct GA4ExportTests {
  private static let types = ["trial_start", "purchase", "renewal", "one_time_purchase", "refund", "cancel", "scan"]

  /// A row of 2 March 2026, 10:00 and some seconds of the user `u1`; parameters as raw values by key.
  private func row(
    _ name: String, _ parameters: [String: String] = [:], seconds: Int = 0, _ members: [String: String] = [:]
  ) -> String {
    let pairs = parameters.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { #"{"key":"\#($0.key)","value":{\#($0.value)}}"# }
    let all = [
      "event_name": "\"\(name)\"", "event_timestamp": "\"\((1_772_445_600 + seconds) * 1_000_000)\"",
      "user_id": "\"u1\"",
      "user_pseudo_id": "\"device\"", "event_params": "[\(pairs.joined(separator: ","))]",
    ].merging(members) { $1 }
    let text = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(text.joined(separator: ","))}"
  }

  /// What Google collects by itself of a sale of 9.99 USD.
  private let automatic = [
    "product_id": #""string_value":"monthly""#, "price": #""int_value":"9990000""#,
    "currency": #""string_value":"USD""#,
    "quantity": #""int_value":"1""#,
  ]
  /// What an app logs of it.
  private let manual = [
    "item_id": #""string_value":"monthly""#, "value": #""double_value":9.99"#, "currency": #""string_value":"usd""#,
    "transaction_id": #""string_value":"t1""#,
  ]

  private func measure(_ lines: [String], rates: [String] = [], keys: String = "") async throws -> RunMeasurement {
    var world = SourceWorld("ga4-export", lines, keys)
    world.world.metrics += Self.types.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    world.world.rates = rates
    return try await world.measure()
  }

  private func types(_ found: RunMeasurement) -> [String: Int] {
    Self.types.enumerated().reduce(into: [:]) { counts, type in
      let count = Int(found.sums(type.offset + 5)?.sumY ?? 0)
      if count > 0 { counts[type.element] = count }
    }
  }

  @Test("Prices count millionths, values the currency's unit")
  func money() async throws {
    #expect(try await measure([row("in_app_purchase", automatic)]).money[0] == 9_990_000)
    #expect(try await measure([row("purchase", manual)]).money[0] == 9_990_000)
    let two = automatic.merging(["quantity": #""int_value":"2""#]) { $1 }
    #expect(try await measure([row("in_app_purchase", two)]).money[0] == 19_980_000)
    let yen = automatic.merging(["currency": #""string_value":"JPY""#, "price": #""int_value":"500000000""#]) { $1 }
    #expect(try await measure([row("in_app_purchase", yen)], rates: ["2026-03-02,JPY,0.01"]).money[0] == 5_000_000)
    #expect(try await measure([row("in_app_purchase", yen, ["event_value_in_usd": "3.25"])]).money[0] == 3_250_000)
    let dollars = automatic.merging(["currency": "", "price": ""]) { $1 }
    #expect(try await measure([row("in_app_purchase", dollars, ["event_value_in_usd": "9.99"])]).money[0] == 9_990_000)
    let items = #"[{"item_id":"a","price":1},{"item_name":"b","price":8.99}]"#
    let sale = manual.merging(["item_id": "", "value": ""]) { $1 }
    let commerce = #"{"purchase_revenue":9.99,"transaction_id":"t1"}"#
    #expect(try await measure([row("purchase", sale, ["items": items, "ecommerce": commerce])]).money[0] == 9_990_000)
  }

  @Test("Google's names stand for what happened, and the job's own for themselves")
  func names() async throws {
    let subscription = automatic.merging(["subscription": #""int_value":"1""#]) { $1 }
    let trial = subscription.merging(["free_trial": #""int_value":"1""#]) { $1 }
    let lines = [
      row("in_app_purchase", trial), row("in_app_purchase", subscription, seconds: 1000),
      row("in_app_purchase", automatic, seconds: 2000), row("app_store_subscription_renew", automatic, seconds: 3000),
      row("app_store_subscription_convert", automatic, seconds: 4000),
      row("app_store_subscription_cancel", automatic, seconds: 5000), row("scan", seconds: 6000), row("session_start"),
    ]
    let found = try await measure(lines)
    #expect(
      types(found) == ["trial_start": 1, "purchase": 1, "one_time_purchase": 1, "renewal": 2, "cancel": 1, "scan": 1])
    #expect(found.noticed["not_measured session_start"] == 1)
  }

  @Test("A sale told by itself and by the app within a minute is one, in every way")
  func duplicates() async throws {
    let lines = [
      row("in_app_purchase", automatic, seconds: 40), row("purchase", manual),
      row("in_app_purchase", automatic, seconds: 41),
      row("in_app_purchase", automatic, seconds: 600), row("in_app_purchase", automatic, seconds: 660),
      row("in_app_purchase", automatic, seconds: 661),
    ]
    for lines in [lines, lines.reversed()] {
      try await SourceWorld("ga4-export", lines).everyWay().forEach { found, way in
        #expect(found.money[3] == 3, way)
        #expect(found.setAside == [.duplicate: 3], way)
      }
    }
  }

  @Test("A sale that the app's own log tells is the same one")
  func besideOwnLog() async throws {
    var world = SourceWorld(
      "ga4-export", [row("in_app_purchase", automatic, seconds: 20), row("purchase", manual, seconds: 25)])
    world.add(
      "events",
      [event("purchase", "2026-03-02T10:00:00Z", ["productId": "monthly", "price": "9.99", "transactionId": "t1"])])
    try await world.everyWay().forEach { found, way in
      #expect(found.cents == [999, 999, 699, 1, 0], way)
      #expect(found.setAside == [.duplicate: 2], way)
    }
  }

  @Test("A refund takes back of the sale that it names")
  func refunds() async throws {
    let part = row(
      "refund",
      [
        "transaction_id": #""string_value":"t1""#, "value": #""double_value":2.5"#,
        "currency": #""string_value":"USD""#,
      ], seconds: 90)
    #expect(try await measure([row("purchase", manual), part]).cents == [999, 749, 524, 1, 1])
    let all = row("refund", ["transaction_id": #""string_value":"t1""#], seconds: 90)
    #expect(try await measure([row("purchase", manual), all]).cents == [999, 0, 0, 1, 1])
  }

  @Test("A refund without a transaction takes back of the latest sale of its product, in every way")
  func refundsOfTheStore() async throws {
    let lines = [
      row("in_app_purchase", automatic), row("in_app_purchase", automatic, seconds: 600),
      row("app_store_refund", automatic, seconds: 700), row("app_store_refund", automatic, seconds: 700),
    ]
    try await SourceWorld("ga4-export", lines).everyWay().forEach { found, way in
      #expect(found.cents == [1998, 999, 699, 2, 1], way)
      #expect(found.setAside == [.duplicate: 1], way)
    }
  }

  @Test("A device is of who logs in on it, and an order of who tells it first, in every way")
  func owners() async throws {
    let others = ["user_id": "\"u2\"", "user_pseudo_id": "\"tablet\""]
    var world = SourceWorld(
      "ga4-export",
      [
        row("purchase", manual, ["user_id": "null"]), row("login", seconds: 60),
        row("purchase", manual, seconds: 90, others),
        row("purchase", manual.merging(["transaction_id": #""string_value":"u1""#]) { $1 }, seconds: 99, others),
      ])
    world.world.assignments = ["u1,test,control,2026-03-01", "u2,test,b,2026-03-01"]
    try await world.everyWay().forEach { found, way in
      #expect(found.sums(3)?.sumY == 1, way)
      #expect(found.sums(3, group: "b")?.sumY == 1, way)
      #expect(found.setAside == [.duplicate: 1, .notMeasured: 1], way)
    }
  }

  @Test("Everybody is in every experiment that a row names, in every way")
  func experiments() async throws {
    let properties = (12...13).map { #"{"key":"firebase_exp_\#($0)","value":{"string_value":"\#($0 % 2)"}}"# }
    var world = SourceWorld(
      "ga4-export", [row("session_start", [:], ["user_properties": "[\(properties.joined(separator: ","))]"])])
    world.world.isLogged = true
    world.world.job = "population: logged\nbaseline: {firebase_exp_12: \"0\", firebase_exp_13: \"1\"}"
    try await world.everyWay().forEach { found, way in
      #expect(found.offerings.map(\.id) == ["firebase_exp_12", "firebase_exp_13"], way)
      #expect(found.offerings.map { $0.groups.map(\.id) } == [["0"], ["1"]], way)
    }
  }

  @Test("Who has no id of the app's is the device; the experiment is the logged group")
  func users() async throws {
    let anonymous = row("purchase", manual, ["user_id": "null", "user_pseudo_id": "\"u1\""])
    #expect(try await measure([anonymous]).cents[0] == 999)
    #expect(
      try await measure(
        [row("purchase", manual, ["user_pseudo_id": "\"u1\"", "user_id": "\"x\""])], keys: "user: user_pseudo_id"
      ).cents[0] == 999)
    var world = SourceWorld(
      "ga4-export",
      [
        row(
          "purchase", manual,
          ["user_properties": #"[{"key":"x","value":{}},{"key":"firebase_exp_12","value":{"string_value":"1"}}]"#])
      ])
    world.world.isLogged = true
    world.world.job = "population: logged\nbaseline: \"1\""
    #expect(try await world.measure().offerings.first?.id == "firebase_exp_12")
  }

  @Test(
    "What is missing or wrong is a reject with its reason, and nothing crashes",
    arguments: [
      (["price": #""int_value":"-5""#], [:], .badPrice),
      (["price": #""int_value":"99999999999999999999""#], [:], .badPrice),
      (["quantity": #""int_value":"9223372036854775807""#], [:], .badPrice), (["price": ""], [:], .missingPrice),
      (["currency": #""string_value":"dollar""#], [:], .badCurrency), (["product_id": ""], [:], .missingField),
      ([:], ["event_timestamp": "\"soon\""], .badTime), ([:], ["event_timestamp": ""], .missingField),
      ([:], ["user_id": "null", "user_pseudo_id": "null"], .missingField),
      ([:], ["event_params": "[1,{},[],null]"], .missingField),
      ([:], ["event_params": "7", "items": "[7]"], .missingField),
    ] as [([String: String], [String: String], SetAsideReason)])
  func faults(parameters: [String: String], members: [String: String], reason: SetAsideReason) async throws {
    let line = row("in_app_purchase", automatic.merging(parameters) { $1 }, members)
    #expect(try await measure([line]).setAside == [reason: 1])
  }

  @Test("Names show the format")
  func isShown() {
    let names: Set = ["event_date", "event_timestamp", "event_name", "event_params", "user_pseudo_id"]
    #expect(PurchaseCatalog.format(of: names, in: .jsonl) == .ga4Export)
  }
}
