import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("The catalog from stored responses")
struct ServedOfferingsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let control = Catalog.GroupID(offering: "test", group: "control")

  /// One response in the server's own shape.
  private static func response(
    _ group: String = "control", price: String = "$7.99", defaultProduct: String = "weekly", offering: String = "test"
  ) -> String {
    let products = [("weekly", "weekly", price), ("monthly", "monthly", "$19.99"), ("coins", "consumable", "0.99")]
      .enumerated().map { position, product in
        #"{"productId":"\#(product.0)","type":"\#(product.1)","fallbackDisplayPrice":"\#(product.2)","#
          + #""position":\#(position),"isDefault":\#(product.0 == defaultProduct),"badgeText":null}"#
      }
    return #"{"Success":1,"Body":{"offeringId":"\#(offering)","testGroupId":"\#(group)","#
      + #""subscriptions":[\#(products.joined(separator: ","))],"copy":{"headerTitle":"Hello, [you]"}}}"#
  }

  private func read(
    _ lines: [String], endpoints: [String: String] = [:]
  ) throws -> (catalog: Catalog, readings: [FileReading]) {
    try folder.write("responses.jsonl", lines.joined(separator: "\n"))
    var job = Job(name: "job", file: folder.url.appendingPathComponent("job.yml"))
    var log = PurchaseInput(TableInput("purchases", path: "log.jsonl", format: .jsonl), format: .apiLog)
    log.endpoints = endpoints
    job.purchases = [log]
    let input = TableInput(name: "catalog.responses", path: "responses*", line: 3, format: .jsonl)
    return try Catalog.read(CatalogInput(responses: input), job: job)
  }

  @Test("A response tells its group's products, prices, kinds and default")
  func whole() throws {
    let (found, readings) = try read([Self.response(), Self.response("a", price: "€ 9,99", defaultProduct: "monthly")])
    #expect(
      found.products[Self.control] == [
        Catalog.Product(id: "coins", displayPrice: "0.99", isDefault: false),
        Catalog.Product(id: "monthly", displayPrice: "$19.99", isDefault: false),
        Catalog.Product(id: "weekly", displayPrice: "$7.99", isDefault: true),
      ])
    #expect(found.kindOfProduct == ["weekly": .autoRenewable, "monthly": .autoRenewable, "coins": .consumable])
    #expect(found.priceOfProduct == ["monthly": "$19.99", "coins": "0.99"])
    let dollar = try #require(Currency(Array("USD".utf8)))
    #expect(found.pricesDiffer(in: "test", among: ["control", "a"], reporting: dollar))
    #expect(found.groupsWithoutOneDefault.isEmpty && found.conflicts.isEmpty && found.weights.isEmpty)
    #expect(readings.map(\.account.used) == [2])
  }

  @Test(
    "Other spellings say the same",
    arguments: [
      #"{"Success":1,"Body":{"offeringId":"test","testGroupId":"control","subscriptions":null,"products":[{"productId":"p","fallbackDisplayPrice":"1.50","isDefault":true}]}}"#,
      #"{"Success":1,"Body":{"offeringId":"test","testGroupId":"control","products":[{"productId":"x"}],"subscriptions":[{"productId":"p","fallbackDisplayPrice":"1.50","isDefault":true}]}}"#,
      #"{"Success":1,"Body":"{\"offeringId\":\"test\",\"testGroupId\":\"control\",\"subscriptions\":[{\"productId\":\"p\",\"fallbackDisplayPrice\":\"1.50\",\"isDefault\":true}]}"}"#,
      #"{"response":{"Success":1,"Body":{"offeringId":"test","testGroupId":"control","subscriptions":[{"productId":"p","fallbackDisplayPrice":"1.50","isDefault":true}]}}}"#,
      #"{"endpoint":"/v1/getSubscriptionOffering","response":"{\"Success\":1,\"Body\":{\"offeringId\":\"test\",\"testGroupId\":\"control\",\"subscriptions\":[{\"productId\":\"p\",\"fallbackDisplayPrice\":\"1.50\",\"isDefault\":true}]}}"}"#,
      #"{"Body":{"offering_id":"test","group_name":"control","products":[{"product_id":"p","fallback_display_price":"1.50","is_default":1}]}}"#,
      #"{"success":1,"body":{"offeringId":"test","testGroupId":"control","products":[{"productId":"p","displayPrice":1.50,"isDefault":"true"}]}}"#,
      #"{"offeringId":"test","test_group_id":"control","products":[ {"is_default":true,"display_price":"1.50","product_id":"\u0070"} ]}"#,
      #"{"Success":0,"Success":1,"Body":{"offeringId":"x","offeringId":"test","testGroupId":"control","products":[{"productId":"p","fallbackDisplayPrice":1.50,"isDefault":true}]}}"#,
    ])
  func spellings(line: String) throws {
    let found = try read([line]).catalog
    #expect(found.products == [Self.control: [Catalog.Product(id: "p", displayPrice: "1.50", isDefault: true)]])
  }

  @Test(
    "A response without an offering is used and teaches nothing",
    arguments: [
      #"{"Success":1,"Body":null}"#, #"{"Success":1}"#, #"{"Success":5,"Body":{"offeringId":"x"}}"#,
      #"{"Success":5,"Body":"token"}"#, #"{"Success":0}"#, #"{"Success":null,"Body":7}"#, #"{"Body":null}"#,
      #"{"Success":1,"Body":{"offeringId":"test","testGroupId":"control"}}"#,
      #"{"Success":1,"Body":{"offeringId":"test","testGroupId":"control","subscriptions":[]}}"#,
    ])
  func nothing(line: String) throws {
    let (found, readings) = try read([line])
    #expect(found.products.isEmpty)
    #expect(readings.first?.account.used == 1)
  }

  @Test(
    "A response that cannot be read is rejected with why",
    arguments: [
      ("{", "malformed"), ("[]", "malformed"), (#"{"Success":1,"Body":[]}"#, "malformed"), ("{}", "missing_field"),
      (#"{"Success":1,"Body":{"testGroupId":"a","products":[]}}"#, "missing_field"),
      (#"{"Success":1,"Body":{"offeringId":"o","testGroupId":"","products":[]}}"#, "missing_field"),
      (#"{"Success":1,"Body":{"offeringId":"o","testGroupId":"a","products":{}}}"#, "malformed"),
      (#"{"Success":1,"Body":{"offeringId":"o","testGroupId":"a","products":["p"]}}"#, "malformed"),
      (
        #"{"Success":1,"Body":{"offeringId":"o","testGroupId":"a","products":[{"productId":"p"},{"type":"weekly"}]}}"#,
        "missing_field"
      ),
      (String(repeating: "[", count: 100_000), "malformed"),
      (#"{"Success":1,"Body":"token"}"#, "malformed"), (#"{"endpoint":"/v1/getSubscriptionOffering"}"#, "malformed"),
      (#"{"endpoint":"/v1/getSubscriptionOffering","response":"{"}"#, "malformed"),
      (#"{"response":{"Success":1,"Body":{"offeringId":"o","subscriptions":[]}}}"#, "missing_field"),
    ])
  func rejected(line: String, reason: String) throws {
    let (found, readings) = try read([line, Self.response()])
    let reading = try #require(readings.first)
    #expect(reading.rejects.all.map(\.reason.rawValue) == [reason])
    #expect(reading.account.isBalanced && reading.account.used == 1)
    #expect(found.products.count == 1)
  }

  @Test("Where responses of one group differ the most frequent counts, in any order, and it is told")
  func conflicts() throws {
    let seed: UInt64 = 5
    var dice = Dice(seed: seed)
    let lines =
      [Self.response(), Self.response(), Self.response(price: "$8.99"), Self.response(defaultProduct: "monthly")]
      + [Self.response("a", price: "2"), Self.response("a", price: "1")] + [Self.response("b"), Self.response("b")]
    for _ in 0..<10 {
      let found = try read(lines.shuffled(using: &dice)).catalog
      #expect(
        found.products[Self.control]?.last == Catalog.Product(id: "weekly", displayPrice: "$7.99", isDefault: true))
      #expect(found.products[Catalog.GroupID(offering: "test", group: "a")]?.last?.displayPrice == "1")
      #expect(found.conflicts.map(\.group.group) == ["a", "control"])
      #expect(found.conflicts.map(\.versions) == [2, 3])
    }
  }

  @Test("A card is what a group was served most often with its products, copy at whatever place")
  func cards() throws {
    func line(_ title: String, badge: String = "", price: String = "1") -> String {
      #"{"offeringId":"test","testGroupId":"control",\#(title)"products":[{"productId":"p","type":"weekly","#
        + #""displayPrice":"\#(price)","position":3,"badgeText":"\#(badge)"},{"product_id":"q","subtitle_text":"s"}]}"#
    }
    let often = [
      line(#""headerTitle":"A","#), line(#""copy":{"header_title":"A","supportingText":null},"#),
      line(#""header_title":"A","#),
    ]
    let rest = [line(#""headerTitle":"B","#, badge: "new"), line("", price: "2")]
    for lines in [often + rest, rest + often] {
      let card = try #require(try read(lines).catalog.cards[Self.control])
      #expect(
        card.products == [
          PaywallCard.Product(id: "q", position: 1, subtitle: "s"),
          PaywallCard.Product(id: "p", position: 3, displayPrice: "1", type: "weekly"),
        ])
      #expect(card.copy == [PaywallCard.CopyLine(field: "header_title", text: "A")])
    }
  }

  @Test("Products in another order are the same list")
  func order() throws {
    let line = #"{"offeringId":"test","testGroupId":"control","products":[{"productId":"a"},{"productId":"b"}]}"#
    let other = #"{"offeringId":"test","testGroupId":"control","products":[{"productId":"b"},{"productId":"a"}]}"#
    #expect(try read([line, other]).catalog.conflicts.isEmpty)
  }

  @Test(
    "Of a log of calls those for an offering are responses, whatever the app calls them, and the others are left alone")
  func calls() throws {
    func call(_ endpoint: String, _ group: String) -> String {
      #"{"userId":"u","occurredAt":"2026-03-01T00:00:00Z","endpoint":"\#(endpoint)","response":\#(Self.response(group))}"#
    }
    let lines = [
      call("/v1/getSubscriptionOffering?build=7", "a"), call("/app/offer", "b"), call("/v1/getIsPremium", "c"),
      Self.response("d"),
    ]
    let own = try read(lines)
    #expect(own.catalog.products.keys.map(\.group).sorted() == ["a", "d"])
    let account = try #require(own.readings.first?.account)
    #expect(account.used == 2 && account.setAside == [.notMeasured: 2] && account.isBalanced)
    let mapped = try read(lines, endpoints: ["/app/offer": "/v1/getSubscriptionOffering"])
    #expect(mapped.catalog.products.keys.map(\.group).sorted() == ["a", "b", "d"])
    let moved = try read(lines, endpoints: ["/v1/getSubscriptionOffering": "/api/subscription/status"])
    #expect(moved.catalog.products.keys.map(\.group).sorted() == ["d"])
    #expect(moved.readings.first?.account.setAside == [.notMeasured: 3])
  }

  @Test("A product's kind is what most responses that tell one say; another hint tells nothing")
  func types() throws {
    func line(_ type: String) -> String {
      #"{"offeringId":"test","testGroupId":"control","subscriptions":[{"productId":"p","type":"\#(type)"}]}"#
    }
    #expect(try read([line("lifetime_deal")]).catalog.kindOfProduct.isEmpty)
    let found = try read([line("promo"), line("promo"), line("Monthly")]).catalog
    #expect(found.kindOfProduct == ["p": .autoRenewable] && found.periodOfProduct == ["p": Period(months: 1)])
  }

  @Test("A group that was shown words and no products has its words; an empty list is no list among others")
  func emptyLists() throws {
    let empty = #"{"offeringId":"test","testGroupId":"control","subscriptions":[],"copy":{"headerTitle":"Hi"}}"#
    let alone = try read([empty]).catalog
    #expect(alone.products.isEmpty && alone.cards[Self.control]?.copy.map(\.text) == ["Hi"])
    let beside = try read([empty, empty, Self.response()]).catalog
    #expect(beside.products[Self.control]?.count == 3 && beside.conflicts.isEmpty && beside.silence == nil)
  }

  @Test("Responses none of which tells a product say what they hold instead")
  func silence() throws {
    let lines = [
      #"{"Success":1,"Body":null}"#, #"{"Success":1}"#, #"{"Success":5,"Body":null}"#, #"{"Success":0}"#,
      #"{"Success":1,"Body":{"offeringId":"o","testGroupId":"a","subscriptions":[]}}"#,
    ]
    let counts = try #require(try read(lines).catalog.silence).counts
    #expect(counts.map(\.why) == [.noTest, .unknownUser, .serverError, .noProducts])
    #expect(counts.map(\.responses) == [2, 1, 1, 1])
  }

  // MARK: - In a job

  /// Runs a job over two groups, whose catalog is `catalog`.
  private func measure(_ catalog: String) async throws -> RunMeasurement {
    var world = World()
    world.assignments.append("u2,test,a,2026-03-01")
    world.job = "catalog: \(catalog)"
    world.events = [event("purchase", march(2), ["productId": "weekly", "price": "7990"])]
    let path = try world.write(to: folder)
    return try await World.measure(path, asOf: "2026-04-01", threads: 1)
  }

  @Test("A job takes kinds, prices and defaults from it, and counts its rows")
  func job() async throws {
    try folder.write("stored-1.jsonl.gz", Gzip.member((Self.response() + "\n").utf8))
    try folder.write("stored-2.jsonl", Self.response("a", defaultProduct: "none") + "\n" + Self.response(price: "9"))
    let found = try await measure("{responses: stored-*}")
    #expect(found.accounts.filter { $0.input == "catalog.responses" }.map(\.used) == [1, 2])
    let notices = Dictionary(grouping: found.notices, by: \.check)
    #expect(notices["catalog_conflict"]?.map(\.subject) == ["group control"])
    #expect(notices["catalog_default"]?.map(\.count) == [0])
    #expect(notices["unknown_product"] == nil)
    #expect(found.offering?.weights == nil)
  }

  @Test("A damaged file under on_corrupt: skip teaches nothing")
  func damaged() async throws {
    try folder.write("stored-1.jsonl", Self.response())
    try folder.write("stored-2.jsonl", Gzip.member((Self.response(price: "9") + "\n").utf8) + [1])
    let found = try await measure("{responses: {path: stored-*, format: jsonl}}\non_corrupt: skip")
    #expect(!found.notices.contains { $0.check == "catalog_conflict" })
    #expect(found.oddPrices.map(\.catalogPrice) == ["$7.99"])
  }

  @Test("A table's column holds the responses as JSON text, and one without such a column is refused")
  func table() async throws {
    let cell = "\"" + Self.response().replacing("\"", with: "\"\"") + "\""
    try folder.write("calls.csv", "id,path,answer\n1,/v1/getSubscriptionOffering,\(cell)\n2,/other,\n")
    let found = try await measure(
      "{responses: {path: calls.csv, format: csv, columns: {endpoint: path, response: answer}}}")
    #expect(found.offering?.cards.map(\.card.products.count) == [3])
    let account = try #require(found.accounts.first { $0.input == "catalog.responses" })
    #expect(account.used == 1 && account.setAside == [.notMeasured: 1])
    let error = await #expect(throws: OfferliftError.self) {
      try await measure("{responses: {path: calls.csv, format: csv}}")
    }
    #expect(error?.message.contains("no column \"response\"") == true)
  }

  @Test("Groups whose products no response tells are named, and charges alone do not say that prices differ")
  func untold() async throws {
    try folder.write("stored-1.jsonl", Self.response())
    let one = try await measure("{responses: stored-*}")
    #expect(
      one.notices.filter { $0.check == "catalog_products" }.map(\.message) == [
        "the catalog tells no product of a: what was offered there is not known, and default_uptake is 0."
      ])
    try folder.write("stored-1.jsonl", #"{"Success":1,"Body":null}"#)
    let none = try await measure("{responses: stored-*}")
    #expect(
      none.notices.filter { $0.check == "catalog_products" }.map(\.message) == [
        "none of 1 stored response tells a product (1 without a Body): what groups were offered is not known, and "
          + "default_uptake is 0."
      ])
  }

  @Test(
    "A catalog that makes no sense is told with its line",
    arguments: [
      ("{responses: a, offerings: b}", "give it alone, or the tables"),
      ("{responses: {path: a, columns: {answer: x}}}", "has no key \"answer\""),
      ("{responses: {paths: a}}", "did you mean \"path\"?"), ("{response: a}", "did you mean \"responses\"?"),
    ])
  func senseless(catalog: String, words: String) async throws {
    let error = await #expect(throws: OfferliftError.self) { try await measure(catalog) }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains(words) == true)
  }
}
