import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Small tables: rates, products, catalog")
struct ReferenceTablesTests {
  let folder: TemporaryFolder
  private let job: Job

  init() throws {
    folder = try TemporaryFolder()
    job = Job(name: "job", file: folder.url.appendingPathComponent("job.yml"))
  }

  private func input(_ name: String, _ text: String) throws -> TableInput {
    try folder.write("\(name).csv", text)
    return TableInput(name: name, path: "\(name).csv", line: 3)
  }

  // MARK: - Exchange rates

  private func rates(_ lines: String...) throws -> (rates: ExchangeRates, readings: [FileReading]) {
    let table = try input("rates", (["date,currency,rate"] + lines).joined(separator: "\n"))
    let dollar = try #require(Currency(Array("USD".utf8)))
    return try ExchangeRates.read(table, job: job, reporting: dollar)
  }

  private func currency(_ text: String) throws -> Currency { try #require(Currency(Array(text.utf8))) }

  private func day(_ dayOfMonth: Int64) -> Int64 { CivilDate(year: 2026, month: 3, dayOfMonth: dayOfMonth).day }

  @Test("A rate is good for its day and seven more, until a later one")
  func reach() throws {
    let found = try rates("2026-03-20,EUR,3", "2026-03-02,EUR,1.1", "2026-03-05,eur,1.2").rates
    let euro = try currency("EUR")
    let expected: [Int64: Int64?] = [
      1: nil, 2: 1_100_000_000, 4: 1_100_000_000, 5: 1_200_000_000, 12: 1_200_000_000, 13: nil, 19: nil,
      20: 3_000_000_000,
      27: 3_000_000_000, 28: nil,
    ]
    for (dayOfMonth, nanos) in expected {
      #expect(found.nanos(euro, day: day(dayOfMonth)) == nanos, "\(dayOfMonth) March")
    }
    #expect(found.nanos(try currency("JPY"), day: day(2)) == nil)
  }

  @Test("The reporting currency is always one, whatever the table says")
  func reporting() throws {
    let found = try rates("2026-03-02,USD,7").rates
    #expect(found.nanos(try currency("USD"), day: -1_000_000) == ExchangeRates.one)
    #expect(found.nanos(try currency("USD"), day: day(2)) == ExchangeRates.one)
  }

  @Test(
    "Rates have at most nine decimals and are above 0",
    arguments: [("0.000000001", 1), ("1", 1_000_000_000), ("9223372036.854775807", .max), ("0.0067", 6_700_000)]
      as [(String, Int64)])
  func exact(text: String, nanos: Int64) throws {
    #expect(try rates("2026-03-02,EUR,\(text)").rates.nanos(currency("EUR"), day: day(2)) == nanos)
  }

  @Test(
    "A row that is no rate is rejected with why",
    arguments: [
      ("2026-03-02,EUR,", "missing_field"), (",EUR,1", "missing_field"), ("2026-03-02,,1", "missing_field"),
      ("2026-03-32,EUR,1", "bad_time"), ("02.03.2026,EUR,1", "bad_time"), ("2026-03-02T00:00:00Z,EUR,1", "bad_time"),
      ("2026-03-02,EURO,1", "bad_currency"), ("2026-03-02,EUR,0", "malformed"), ("2026-03-02,EUR,-1", "malformed"),
      ("2026-03-02,EUR,1e3", "malformed"), ("2026-03-02,EUR,1.0000000001", "malformed"),
      ("2026-03-02,EUR", "malformed"),
    ])
  func badRates(line: String, reason: String) throws {
    let found = try rates(line, "2026-03-02,EUR,5")
    let account = try #require(found.readings.first)
    #expect(account.rejects.all.map(\.reason.rawValue) == [reason])
    #expect(account.rejects.all.first?.line == 2)
    #expect(account.account.isBalanced)
    #expect(found.rates.nanos(try currency("EUR"), day: day(2)) == 5_000_000_000)
  }

  @Test("Two rates for one day and currency are refused, the same one twice is not")
  func contradiction() throws {
    #expect(try rates("2026-03-02,EUR,1.1", "2026-03-02,eur,1.10").readings[0].account.used == 2)
    let error = #expect(throws: OfferliftError.self) {
      try rates("2026-03-02,EUR,1.1", "2026-03-03,EUR,2", "2026-03-02,EUR,1.2")
    }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("rates.csv, line 4: EUR is 1.2 on 2026-03-02") == true)
  }

  // MARK: - Products

  private func products(_ lines: String...) throws -> (products: Products, readings: [FileReading]) {
    let table = try input(
      "products", (["product_id,kind,tier,tax_percent,commission_percent"] + lines).joined(separator: "\n"))
    return try Products.read(table, job: job)
  }

  @Test("A product's lengths of time and its credits are what its row says, and the catalog's type fills in")
  func lengths() throws {
    let table = try input(
      "lengths",
      "product_id,period,trial,grace,credits\na,P1M,P14D,P0D,30\nb,P3D,,,\nc,,,,0\nd,,,,\n")
    let (products, readings) = try Products.read(table, job: job)
    #expect(readings[0].account.used == 4)
    let groups = try input("groups", "id,subscription_offering_id,group_name\n5,1,control")
    let sold = try input(
      "sold", "offering_group_id,product_id,type\n5,a,weekly\n5,c,Yearly\n5,d,consumable\n5,e,weekly\n5,e,monthly")
    let offerings = try input("offerings", "id,offering_id\n1,spring")
    let (catalog, _) = try Catalog.read(
      CatalogInput(offerings: offerings, groups: groups, products: sold), job: job)
    let facts = ProductFacts(names: ["a", "b", "c", "d", "e"], products: products, catalog: catalog)
    #expect(facts.periods == [Period("P1M"), Period("P3D"), Period("P1Y"), nil, Period("P1M")])
    #expect((0..<5).map { facts.trial(of: $0) } == [Period("P14D"), nil, nil, nil, nil])
    #expect(facts.graces == [Period("P0D")] + Array(repeating: Period("P16D"), count: 4))
    #expect(facts.credits == [30, 0, 0, 0, 0])
    #expect(facts.kinds == [.autoRenewable, nil, .autoRenewable, .consumable, .autoRenewable])
  }

  @Test(
    "A row with a length that is none, or credits that are no count, is rejected with why",
    arguments: [
      ("P1X,,,", "period \"P1X\" is no length of time; write P3D, P1W, P1M, P1Y or P1Y6M"),
      ("P0D,,,", "period \"P0D\" is no"), ("P2D1M,,,", "period"), ("P1M1M,,,", "period"), ("P,,,", "period"),
      ("p1m,,,", "period"), ("1M,,,", "period"),
      ("PM,,,", "period"), ("P-1D,,,", "period"), ("P123456D,,,", "period"), ("PT3H,,,", "period"),
      (",2 weeks,,", "trial"), (",,P1,", "grace"), (",,,1.5", "credits \"1.5\" is not a whole number from 0"),
      (",,,-1", "credits"), (",,,99999999999999999999", "credits"),
    ])
  func badLengths(values: String, detail: String) throws {
    let table = try input("lengths", "product_id,period,trial,grace,credits\na,\(values)\nb,P1W,,,\n")
    let (products, readings) = try Products.read(table, job: job)
    let reject = try #require(readings[0].rejects.all.first)
    #expect(reject.reason == .malformed)
    #expect(reject.detail.hasPrefix(detail))
    #expect(products.rows["a"] == nil)
    #expect(products.rows["b"]?.period == Period("P1W"))
  }

  @Test("A product is what its row says, and what it does not say has its default")
  func productRows() throws {
    let found = try products(
      "a,auto_renewable,gold,19,15", "b,,,,", "c,non_consumable,,7.123456,0", "d,consumable,,100,100"
    ).products
    #expect(
      found.rows["a"] == Products.Row(kind: .autoRenewable, tier: "gold", tax: 19_000_000, commission: 15_000_000))
    #expect(found.rows["b"] == Products.Row(kind: nil, tier: nil, tax: 0))
    #expect(found.rows["c"] == Products.Row(kind: .nonConsumable, tier: nil, tax: 7_123_456, commission: 0))
    #expect(found.rows["d"] == Products.Row(kind: .consumable, tier: nil, tax: 100_000_000, commission: 100_000_000))
  }

  @Test(
    "A row that is no product is rejected",
    arguments: [
      ",consumable,,,", "a,weekly,,,", "a,Consumable,,,", "a,,,x,", "a,,,-1,", "a,,,100.000001,", "a,,,,101",
      "a,,,1.1234567,", "a,,",
    ])
  func badProducts(line: String) throws {
    let found = try products(line)
    #expect(found.readings.first?.rejects.count == 1)
    #expect(found.products.rows.isEmpty)
  }

  @Test("Two rows that contradict each other are refused, repeated ones are not")
  func productContradiction() throws {
    #expect(try products("a,consumable,,,", "a,consumable,,0,").products.rows.count == 1)
    #expect(throws: OfferliftError.self) { try products("a,consumable,,,", "a,non_renewing,,,") }
    #expect(throws: OfferliftError.self) { try products("a,consumable,,,", "a,consumable,,,31") }
  }

  // MARK: - Catalog

  private func catalog(
    offerings: String = "1,test,Test,t\n2,other,Other,t",
    groups: String = "10,1,control,0.5\n11,1,a,0.5\n12,2,control,1",
    products: String =
      "10,weekly_799,weekly,$7.99,1,1\n10,monthly_1999,monthly,$19.99,2,0\n11,weekly_999,weekly,$9.99,1,t\n12,pass,consumable,,1,true"
  ) throws -> (catalog: Catalog, readings: [FileReading]) {
    let tables = CatalogInput(
      offerings: try input("offerings", "id,offering_id,name,is_active\n\(offerings)"),
      groups: try input("groups", "id,subscription_offering_id,group_name,weight\n\(groups)"),
      products: try input(
        "catalog", "offering_group_id,product_id,type,fallback_display_price,position,is_default\n\(products)"),
      copy: try input("copy", "offering_group_id,header_title\n10,\"Hello, you\"\n"))
    return try Catalog.read(tables, job: job)
  }

  @Test("The four tables hang together by row id")
  func catalogTables() throws {
    let (found, readings) = try catalog()
    #expect(found.offeringOfID == ["1": "test", "2": "other"])
    #expect(found.groupOfID["11"] == Catalog.GroupID(offering: "test", group: "a"))
    #expect(found.weights == ["test": ["control": 0.5, "a": 0.5], "other": ["control": 1]])
    #expect(
      found.kindOfProduct == [
        "weekly_799": .autoRenewable, "monthly_1999": .autoRenewable, "weekly_999": .autoRenewable, "pass": .consumable,
      ])
    #expect(
      found.products[Catalog.GroupID(offering: "test", group: "control")]?.map(\.id) == ["weekly_799", "monthly_1999"])
    let dollar = try currency("USD")
    #expect(found.pricesDiffer(in: "test", among: Self.pair, reporting: dollar))
    // A group that is none of the two changes nothing of them.
    #expect(!found.pricesDiffer(in: "test", among: ["control"], reporting: dollar))
    #expect(!found.pricesDiffer(in: "other", among: Self.pair, reporting: dollar))
    #expect(
      found.reportsPrices(of: "test", among: Self.pair) && !found.reportsPrices(of: "test", among: ["control", "b"]))
    #expect(found.groupsWithoutOneDefault.isEmpty)
    #expect(readings.map(\.account.rows) == [2, 3, 4, 1])
    #expect(readings.allSatisfy { $0.account.isBalanced && $0.rejects.isEmpty })
  }

  @Test(
    "Prices differ by what they come to, not by how they are written, and not where one is not told",
    arguments: [
      ("7.99", "$7.99", false), ("7.99", "7,99 USD", false), ("7.99", "8.99", true), ("7.99", "€7.99", true),
      ("", "7.99", false), ("soon", "7.99", false), ("5 kr", "6 kr", true), ("5 kr", "5 kr", false), ("", "", false),
    ])
  func differingPrices(one: String, other: String, differ: Bool) throws {
    let found = try catalog(products: "10,p,weekly,\(one.quoted),0,1\n11,p,weekly,\(other.quoted),0,1").catalog
    #expect(found.pricesDiffer(in: "test", among: Self.pair, reporting: try currency("USD")) == differ)
  }

  @Test("Other products differ, and a group that tells none does not")
  func differingProducts() throws {
    let dollar = try currency("USD")
    let (others, one) = (
      try catalog(products: "10,p,weekly,1,0,1\n11,q,weekly,1,0,1").catalog,
      try catalog(products: "10,p,weekly,1,0,1").catalog
    )
    #expect(others.pricesDiffer(in: "test", among: Self.pair, reporting: dollar))
    #expect(!one.pricesDiffer(in: "test", among: Self.pair, reporting: dollar))
  }

  private static let pair: [Identifier] = ["control", "a"]

  @Test(
    "An offering is over where is_active is false in each of its rows, as databases write that",
    arguments: [
      ("0", true), ("f", true), ("FALSE", true), ("false", true), ("no", true), ("\0", true), ("1", false),
      ("t", false),
      ("true", false), ("\u{1}", false), ("", false), ("maybe", false),
    ])
  func ended(flag: String, isOver: Bool) throws {
    let found = try catalog(offerings: "1,test,Test,\(flag)\n2,other,Other,1")
    let ended: Set<Identifier> = isOver ? ["test"] : []
    let odd: [Identifier: String] = flag == "maybe" ? ["test": "maybe"] : [:]
    #expect(found.catalog.endedOfferings == ended)
    #expect(found.catalog.oddFlags == odd)
    #expect(found.readings.allSatisfy { $0.rejects.isEmpty })
    #expect(
      try catalog(offerings: "1,test,Test,\(flag)\n2,other,Other,1\n3,test,Test,1").catalog.endedOfferings.isEmpty)
  }

  @Test("What paywalls show is kept as the tables have it, in any order of their rows")
  func cards() throws {
    func cards(_ products: [String], _ copy: [String]) throws -> [Catalog.GroupID: PaywallCard] {
      let tables = CatalogInput(
        offerings: try input("offerings", "id,offering_id\n1,test"),
        groups: try input("groups", "id,subscription_offering_id,group_name\n10,1,control\n11,1,a"),
        products: try input(
          "catalog",
          (["offering_group_id,product_id,type,fallback_display_price,position,is_default,badge_text,subtitle_text"]
            + products).joined(separator: "\n")),
        copy: try input(
          "copy", (["offering_group_id,header_title,cta_button_text"] + copy).joined(separator: "\n")))
      let (found, readings) = try Catalog.read(tables, job: job)
      #expect(readings.allSatisfy { $0.account.isBalanced && $0.rejects.isEmpty })
      return found.cards.mapValues(\.inOrder)
    }
    let products = [
      "10,yearly,yearly,$49,10,0,,", "10,weekly,weekly,$7,2,1,Popular,per week", "10,pass,one_time,,first,0,,",
    ]
    let copy = ["10,\"Hello, you\",Go", "10,\"Hello, you\",Start", "11,,", "99,Nobody,"]
    let found = try cards(products, copy)
    #expect(try cards(products.reversed(), copy.reversed()) == found)
    let card = try #require(found[Catalog.GroupID(offering: "test", group: "control")])
    #expect(found.count == 1)
    #expect(
      card.products == [
        PaywallCard.Product(
          id: "weekly", position: 2, displayPrice: "$7", type: "weekly", isDefault: true, badge: "Popular",
          subtitle: "per week"),
        PaywallCard.Product(id: "yearly", position: 10, displayPrice: "$49", type: "yearly"),
        PaywallCard.Product(id: "pass", type: "one_time"),
      ])
    #expect(
      card.copy.map { "\($0.field): \($0.text)" } == [
        "cta_button_text: Go", "cta_button_text: Start", "header_title: Hello, you",
      ])
  }

  @Test("A group without exactly one default product is reported, not fatal")
  func defaults() throws {
    let found = try catalog(products: "10,a,weekly,,1,1\n10,b,weekly,,2,1\n11,a,weekly,,1,0\n12,a,weekly,,1,1").catalog
    #expect(found.groupsWithoutOneDefault.map(\.group.group) == ["a", "control"])
    #expect(found.groupsWithoutOneDefault.map(\.defaults) == [0, 2])
  }

  @Test("Rows that point nowhere, or say nothing, are rejected")
  func badCatalog() throws {
    func rejected(_ readings: [FileReading]) -> Int { readings.reduce(0) { $0 + $1.rejects.count } }
    #expect(rejected(try catalog(offerings: "1,test,Test,t\n2,other,Other,t\n,x,y,z\n3,,y,z").readings) == 2)
    #expect(
      rejected(
        try catalog(groups: "10,1,control,1\n11,1,a,1\n12,2,control,1\n13,9,x,1\n14,1,,1\n15,1,y,-1\n16,1,z,much")
          .readings) == 4)
    #expect(rejected(try catalog(products: "99,a,weekly,,1,1\n10,,weekly,,1,1").readings) == 2)
  }

  @Test("Rows that contradict each other are refused")
  func catalogContradiction() throws {
    #expect(throws: OfferliftError.self) { try catalog(offerings: "1,test,Test,t\n2,other,Other,t\n1,third,x,t") }
    #expect(throws: OfferliftError.self) { try catalog(groups: "10,1,control,1\n11,1,a,1\n12,2,control,1\n10,1,b,1") }
    #expect(throws: OfferliftError.self) {
      try catalog(groups: "10,1,control,1\n11,1,a,1\n12,2,control,1\n13,1,control,2")
    }
  }

  @Test("Assignments may hold the catalog's row ids")
  func catalogKeys() async throws {
    _ = try catalog()
    try folder.write(
      "job.yml",
      """
      job: keys
      max_reject_ratio: 1
      catalog: {offerings: offerings.csv, groups: groups.csv}
      assignments: {path: users.csv, keys: catalog}
      purchases: {path: log.jsonl, format: events}
      metrics: [{name: charges}]
      """)
    try folder.write(
      "users.csv",
      "user,offering,group,assigned_at\nu1,1,11,2026-03-01\nu2,2,12,2026-03-01\nu3,1,12,2026-03-01\nu4,1,a,2026-03-01\n"
    )
    try folder.write("log.jsonl", "")
    let found = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    #expect(
      found.offerings.map { "\($0.id) \($0.groups.map { "\($0.id)" })" } == [#"other ["control"]"#, #"test ["a"]"#])
    #expect(found.offerings.last?.weights == ["control": 0.5, "a": 0.5])
    #expect(found.rejects.all.map(\.line) == [4, 5])
  }
}

extension String {
  /// As a cell of a CSV table.
  fileprivate var quoted: String { contains(",") ? "\"\(self)\"" : self }
}
