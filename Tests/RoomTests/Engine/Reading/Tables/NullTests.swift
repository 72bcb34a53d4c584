import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("What stands for no value")
struct NullTests {
  private static let usual = "columns: {userId: user, occurredAt: at}, defaults: {eventType: purchase, currency: USD}"

  private func reason(_ row: String) async throws -> String {
    let found = try await SourceWorld("events-csv", ["user,at,productId,price,transactionId", row], Self.usual)
      .measure()
    return found.rejects.all.first.map { "\($0.reason.rawValue): \($0.detail.prefix { $0 != ";" })" } ?? "used"
  }

  @Test(
    "In ids, times and prices NULL, null and \\N are none, quoted or not",
    arguments: [
      ("VALUE,2026-03-02,p,1,t", "missing_field: userId is missing"),
      ("u1,VALUE,p,1,t", "missing_field: occurredAt is missing"),
      ("u1,2026-03-02,VALUE,1,t", "missing_field: productId is missing"),
      ("u1,2026-03-02,p,VALUE,t", "missing_price: price is missing: a charge needs one"),
      ("u1,2026-03-02,p,1,VALUE", "used"),
    ])
  func events(row: String, outcome: String) async throws {
    for value in ["\\N", "\"\\N\"", "NULL", "null", ""] {
      #expect(try await reason(row.replacing("VALUE", with: value)) == outcome, "\(value)")
    }
  }

  @Test("Two orders without a number are two charges, and offering and group are not logged")
  func ids() async throws {
    let found = try await SourceWorld(
      "events-csv",
      [
        "user,at,productId,price,transactionId,offeringId,testGroupId", "u1,2026-03-02,p,1,NULL,NULL,\\N",
        "u1,2026-03-02,p,1,\\N,test,null",
      ], Self.usual
    ).measure()
    #expect(found.cents[3] == 2 && found.offering?.loggedEvents == 0 && found.offering?.groupMismatches == 0)
  }

  @Test("An assignment without its user, group or time is missing_field; an attribute may be called NULL")
  func assignments() async throws {
    var world = World()
    world.attributes = ["country"]
    world.job = "segments: [country]"
    world.assignments = [
      "\\N,test,control,2026-03-01,x", "NULL,test,control,2026-03-01,x", "u3,test,\\N,2026-03-01,x",
      "u4,null,control,2026-03-01,x", "u5,test,control,NULL,x", "u6,test,control,2026-03-01,\\N",
      "u7,test,control,2026-03-01,\"\\N\"", "u8,test,control,2026-03-01,NULL", "u9,test,control,2026-03-01,",
    ]
    let found = try await world.measure()
    let account = try #require(found.accounts.first { $0.input == "assignments" })
    #expect(account.setAside == [.missingField: 5] && account.used == 4)
    let segments = try #require(found.offering?.groups.first?.segments)
    #expect(
      segments.map { "\($0.id) \($0.users)" }
        == ["all 4", "country=(none) 2", "country=NULL 1", "country=\\N 1"])
  }

  @Test("Tables of products and identities take them for none, too")
  func otherTables() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.events = [event("purchase", march(2), ["userId": "\\\\N"]), event("purchase", march(2), ["userId": "a"])]
    world.products = ["p,auto_renewable,NULL,\\N,null"]
    world.job = "identities: {path: links.csv, columns: {alias: alias, user: user}}"
    try folder.write("links.csv", "alias,user\na,u1\nNULL,u1\n\\N,u1\nb,null\n")
    let found = try await World.measure(world.write(to: folder), asOf: world.asOf, threads: 1)
    #expect(found.cents[0] == 1000 && found.cents[2] == 700)
    #expect(found.accounts.first { $0.input == "identities" }?.setAside == [.missingField: 3])
    #expect(found.setAside == [.missingField: 1])
  }
}
