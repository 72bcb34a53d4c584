import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// What is sold where: charges by the store and the paywall that their rows name.
@Suite("Charges by their attributes")
struct ChargeAttributesTests {
  private static let attributes = "attributes: [store, paywall]"

  /// `control store=ios: 1 2 1 2000 1000 700`: buyers, charges, refunded ones, gross, net and proceeds in cents. Over an
  /// attribute's values they add up to the products'.
  private func rows(_ measured: RunMeasurement) throws -> [String] {
    let offering = try #require(measured.offering)
    for group in offering.groups {
      let sold = group.tables.products.map(\.sums)
      let all = Dictionary(grouping: group.tables.attributes, by: \.attribute)
      for (name, values) in all {
        #expect(Self.total(values.map(\.sums)) == Self.total(sold), "\(name) in \(group.id)")
      }
    }
    return offering.groups.flatMap { group in group.tables.attributes.map { (group.id, $0) } }.map { group, sales in
      let sums = sales.sums
      let name = "\(group) \(sales.attribute)=\(sales.value)"
      return "\(name): \(sums.buyers) \(sums.charges) \(sums.refundedCharges) "
        + "\(sums.gross / 10_000) \(sums.net / 10_000) \(sums.proceeds / 10_000)"
    }
  }

  private static func total(_ sums: [ProductSales.Sums]) -> [Int128] {
    [\ProductSales.Sums.gross, \.net, \.proceeds].map { path in sums.reduce(0) { $0 + $1[keyPath: path] } }
      + [\ProductSales.Sums.charges, \.refundedCharges].map { path in sums.reduce(0) { $0 + Int128($1[keyPath: path]) }
      }
  }

  /// The rows, which are the same whatever the order of logs and the number of threads.
  private func rows(_ world: SourceWorld) async throws -> [String] {
    let found = try rows(try await world.measure())
    var other = world
    other.logs = world.logs.reversed()
    #expect(try rows(try await other.measure(threads: 3)) == found)
    return found
  }

  private func sale(_ day: Int, _ id: String, _ fields: [String: String] = [:]) -> String {
    event("purchase", march(day), ["transactionId": id].merging(fields) { $1 })
  }

  // MARK: - Counting

  @Test("Each group's charges since the assignment are counted by value, with what is left of them")
  func counted() async throws {
    var world = SourceWorld(
      "events",
      [
        sale(2, "a", ["store": "ios", "paywall": "discovery"]), sale(3, "b", ["store": "ios", "paywall": "exhausted"]),
        sale(4, "c", ["store": "web"]), event("refund", march(5), ["transactionId": "b", "price": "4"]),
        sale(2, "d", ["store": "ios", "paywall": "discovery", "userId": "u2"]),
        event("purchase", "2026-02-20T00:00:00Z", ["transactionId": "e", "store": "ios"]),
      ], Self.attributes)
    world.world.assignments.append("u2,test,group_a,2026-03-01T00:00:00Z")
    #expect(
      try await rows(world) == [
        "control paywall=(none): 1 1 0 1000 1000 700", "control paywall=discovery: 1 1 0 1000 1000 700",
        "control paywall=exhausted: 1 1 1 1000 600 420", "control store=ios: 1 2 1 2000 1600 1120",
        "control store=web: 1 1 0 1000 1000 700", "group_a paywall=discovery: 1 1 0 1000 1000 700",
        "group_a store=ios: 1 1 0 1000 1000 700",
      ])
  }

  @Test("No value and an empty one are two; what is no text stands as it was typed")
  func empty() async throws {
    let typed = sale(5, "d").replacing("{", with: #"{"store":true,"#)
    let world = SourceWorld(
      "events",
      [
        sale(2, "a"), sale(3, "b").replacing("{", with: #"{"store":null,"#),
        sale(4, "c").replacing("{", with: #"{"store":"","#), typed,
      ], "attributes: [store]")
    #expect(
      try await rows(world) == [
        "control store=: 1 1 0 1000 1000 700", "control store=(none): 1 2 0 2000 2000 1400",
        "control store=true: 1 1 0 1000 1000 700",
      ])
  }

  @Test("An offering's twenty values with the most charges stand by themselves; a buyer of several others is one")
  func others() async throws {
    // Values p00 to p21 with a charge each, and one more of p21: of 22 the last in order of names are left out.
    var lines = (0...21).map { number in
      sale(2, "t\(number)", ["paywall": number < 10 ? "p0\(number)" : "p\(number)", "userId": "u2"])
    }
    lines += [sale(3, "x", ["paywall": "p21"]), sale(4, "y", ["paywall": "p19"]), sale(5, "z", ["paywall": "p20"])]
    var world = SourceWorld("events", lines, "attributes: [paywall]")
    world.world.assignments.append("u2,test,group_a,2026-03-01T00:00:00Z")
    let found = try await rows(world)
    #expect(found.count == 3 + 21)
    #expect(found.contains("group_a paywall=(other): 1 2 0 2000 2000 1400"))
    #expect(found.contains("group_a paywall=p16: 1 1 0 1000 1000 700"))
    #expect(!found.contains { $0.contains("p17") || $0.contains("p18") })
  }

  @Test("A job that names no attributes has none")
  func none() async throws {
    let world = SourceWorld("events", [sale(2, "a", ["store": "ios"])])
    #expect(try await rows(world).isEmpty)
  }

  // MARK: - Formats

  @Test("A table's column may be called otherwise, and may be read as a field already")
  func table() async throws {
    let lines = [
      "userId,eventType,occurredAt,productId,price,currency,sold_by,environment",
      "u1,purchase,\(march(2)),p,10,USD,discovery,Production", "u1,purchase,\(march(3)),p,10,USD,,Production",
      "u1,purchase,\(march(4)),p,10,USD,\"access, ended\",Production",
    ]
    let world = SourceWorld(
      "events-csv", lines, "columns: {paywall: sold_by}, attributes: [paywall, environment, productId]")
    #expect(
      try await rows(world) == [
        "control environment=Production: 1 3 0 3000 3000 2100", "control paywall=(none): 1 1 0 1000 1000 700",
        "control paywall=access, ended: 1 1 0 1000 1000 700", "control paywall=discovery: 1 1 0 1000 1000 700",
        "control productId=p: 1 3 0 3000 3000 2100",
      ])
  }

  @Test("A notification's transaction tells members of any name, signed or not")
  func appStore() async throws {
    let one = StoreNotification("SUBSCRIBED", "INITIAL_BUY", ["storefront": "\"DEU\""])
    let other = StoreNotification(
      "DID_RENEW", nil, ["transactionId": "\"t2\"", "webOrderLineItemId": "\"w2\"", "storefront": "\"USA\""], id: "n2")
    let world = SourceWorld(
      "app-store-notifications", [one.decoded, other.posted],
      "columns: {country: storefront}, attributes: [country, productId]")
    #expect(
      try await rows(world) == [
        "control country=DEU: 1 1 0 999 999 699", "control country=USA: 1 1 0 999 999 699",
        "control productId=p: 1 2 0 1998 1998 1398",
      ])
  }

  @Test("An export's row tells its store and any column, of which NULL is no value; the latest snapshot decides")
  func export() async throws {
    let lines = ExportRows.file(
      [
        ["store": "play_store", "platform": "x", "updated_at": "2026-03-02 11:00:00"], ["platform": "old"],
        ["store_transaction_id": "t2", "platform": "NULL", "tax_percentage": "0.1"],
      ], columns: ExportRows.columns + ["platform", "tax_percentage"])
    let world = SourceWorld("revenuecat-export", lines, "attributes: [store, platform]")
    #expect(
      try await rows(world) == [
        "control platform=(none): 1 1 0 999 999 629", "control platform=x: 1 1 0 999 999 699",
        "control store=app_store: 1 1 0 999 999 629", "control store=play_store: 1 1 0 999 999 699",
      ])
  }

  @Test("A webhook tells members of its event, in its envelope or without")
  func webhooks() async throws {
    let event = """
      "type":"INITIAL_PURCHASE","id":"1","app_user_id":"u1","purchased_at_ms":\(milliseconds(2)),"product_id":"p",\
      "transaction_id":"t1","price_in_purchased_currency":10,"currency":"USD","store":"STRIPE","country_code":"DE"
      """
    let lines = [
      "{\"event\":{\(event)}}", "{\(event.replacing("t1", with: "t2").replacing("STRIPE", with: "APP_STORE"))}",
      "{\(event.replacing("t1", with: "t3").replacing("country_code", with: "country"))}",
    ]
    let world = SourceWorld(
      "revenuecat-webhooks", lines, "columns: {country: country_code}, attributes: [store, country]")
    #expect(
      try await rows(world) == [
        "control country=(none): 1 1 0 1000 1000 1000", "control country=DE: 1 2 0 2000 2000 1700",
        "control store=APP_STORE: 1 1 0 1000 1000 700", "control store=STRIPE: 1 2 0 2000 2000 2000",
      ])
  }

  // MARK: - Several rows of one charge

  @Test("Of rows that tell one charge the earliest with a value counts, whatever feed it comes in")
  func twoFeeds() async throws {
    let sold = StoreNotification("SUBSCRIBED", "INITIAL_BUY", ["purchaseDate": "\(milliseconds(2))"])
    var world = SourceWorld("app-store-notifications", [sold.decoded])
    func app(_ time: String, _ paywall: String) -> String {
      event("purchase", time, ["transactionId": "t1", "price": "9.99", "paywall": paywall])
    }
    world.add(
      "events", [app(march(3), "later"), app(march(2, "12:00:01"), "first"), app(march(2, "12:00:00"), "")],
      "attributes: [paywall]")
    #expect(try await rows(world) == ["control paywall=first: 1 1 0 999 999 699"])
  }

  @Test("Of rows that differ in nothing else the first value by its bytes counts, in one file or in two")
  func ties() async throws {
    let lines = ["b", "a", "", "c"].map { sale(2, "t", ["paywall": $0]) }
    var world = SourceWorld("events", lines, "attributes: [paywall]")
    #expect(try await rows(world) == ["control paywall=a: 1 1 0 1000 1000 700"])
    world = SourceWorld("events", Array(lines.reversed()), "attributes: [paywall]")
    #expect(try await rows(world) == ["control paywall=a: 1 1 0 1000 1000 700"])
    world = SourceWorld("events", [lines[0], lines[2]], "attributes: [paywall]")
    world.add("events", [lines[1], lines[3]], "attributes: [paywall]")
    #expect(try await rows(world) == ["control paywall=a: 1 1 0 1000 1000 700"])
  }

  // MARK: - Mistakes

  /// What is wrong with a job of one log.
  private func problem(_ format: String, _ lines: [String], _ keys: String) async throws -> String {
    do {
      _ = try await SourceWorld(format, lines, keys).measure()
      return ""
    } catch let error as OfferliftError {
      #expect(error.exit == .badJobFile)
      return error.message
    }
  }

  @Test("A name that no charge has is refused with what to do, by whatever format")
  func unknown() async throws {
    #expect(
      try await problem("events", [sale(2, "a", ["paywall": "x"])], "attributes: [paywal]").hasSuffix(
        "attributes: no charge of log0.txt has a key \"paywal\"; correct the name, say columns: {paywal: NAME}, or leave it "
          + "out. Did you mean \"paywall\"?"))
    #expect(
      try await problem("revenuecat-export", ExportRows.file([[:]]), "attributes: [shop]").contains(
        "there is no column \"shop\""))
    #expect(try await problem("events-csv", ["userId,eventType,occurredAt"], "attributes: [shop]").contains("\"shop\""))
    let sold = StoreNotification("SUBSCRIBED", "INITIAL_BUY")
    #expect(try await problem("app-store-notifications", [sold.decoded], "attributes: [shop]").contains("\"shop\""))
    // A value that is null is one of a key that is there; a log without charges tells nothing yet.
    #expect(
      try await problem("events", [sale(2, "a").replacing("{", with: #"{"shop":null,"#)], "attributes: [shop]") == "")
    #expect(try await problem("events", [event("cancel", march(2))], "attributes: [shop]") == "")
    // A key that another row has is no slip of the pen, though no charge happens to tell it.
    let cancelled = event("cancel", march(3)).replacing("{", with: #"{"shop":"web","#)
    #expect(try await problem("events", [sale(2, "a"), cancelled], "attributes: [shop]") == "")
  }

  @Test("A log that tells of no charge has no attributes of them")
  func apiLog() async throws {
    #expect(
      try await problem("api-log", [], Self.attributes).hasSuffix(
        "attributes: format: api-log tells of no charge; name them in the input that tells the charges."))
    #expect(try await problem("revenuecat-webhooks", [], "attributes: [event]").contains("all of the webhook"))
  }

  @Test("More values than there is room for fail the run, and the message says whose they are")
  func tooMany() async throws {
    let folder = try TemporaryFolder()
    let lines = (0..<ChargeDetailsTable.most).map { "u1,purchase,\(march(2)),p,10,USD,\($0)" }
    let world = SourceWorld(
      "events-csv", ["userId,eventType,occurredAt,productId,price,currency,order"] + lines, "attributes: [order]")
    let path = try world.write(to: folder)
    let error = await #expect(throws: OfferliftError.self) {
      try await World.measure(path, asOf: "2026-04-01", threads: 2)
    }
    #expect(error?.exit == .badData)
    #expect(error?.message.contains("order, tax and commission in more than 65,536 different ways") == true)
  }
}
