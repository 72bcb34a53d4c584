import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("A server's catalog beside a stranger's tables")
struct CatalogGuessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let tables = [
    "subscription_offerings": "id,offering_id,name,is_active\n7,spring,Spring,1\n",
    "subscription_offering_groups":
      "id,subscription_offering_id,group_name,weight\n11,7,control,1.0\n12,7,year_first,1.0\n",
    "subscription_offering_group_products":
      "id,offering_group_id,product_id,type,fallback_display_price,position,is_default,badge_text,subtitle_text\n"
      + "1,11,month,monthly,9.99,0,1,,\n2,12,year,yearly,59.99,0,1,,\n",
  ]

  private func writeTables(in position: String, dumped: Bool = false) throws {
    for (name, text) in Self.tables {
      let rows = text.split(separator: "\n").dropFirst().map { $0.replacing(",", with: "\t") }
      try folder.write(
        "\(position)\(name).\(dumped ? "txt" : "csv")", dumped ? rows.joined(separator: "\n") + "\n" : text)
    }
  }

  private func assignments(_ groups: (String, String), in position: String = "", dumped: Bool = false) throws -> String
  {
    let rows = (0..<60).map { "\($0 + 1),u\($0),7,\($0 % 2 == 0 ? groups.0 : groups.1),2026-03-01 10:00:00" }
    let header = "id,user_id,subscription_offering_id,offering_group_id,created_at\n"
    let name = "\(position)user_offering_assignments.\(dumped ? "txt" : "csv")"
    let text = rows.joined(separator: "\n") + "\n"
    return try folder.write(name, dumped ? text.replacing(",", with: "\t") : header + text).path
  }

  private func recognised(_ assignments: String, catalog: [String] = []) throws -> Recognition {
    let views = (0..<60).map {
      #"{"userId":"u\#($0)","eventType":"paywall_view","occurredAt":"2026-03-05T00:00:00Z"}"#
    }
    try folder.write("views.jsonl", views.joined(separator: "\n") + "\n")
    var files = Recognition.Files()
    files.assignments = [assignments]
    files.purchases = [folder.path("views.jsonl")]
    files.catalog = catalog
    var found = try Recognition(files, job: folder.url.appendingPathComponent("job.yml"))
    try found.read(naming: "job")
    return found
  }

  @Test(
    "Row ids of groups take their names from tables that lie beside, CSV or a dump without a header",
    arguments: [false, true])
  func beside(dumped: Bool) throws {
    try writeTables(in: "", dumped: dumped)
    let found = try recognised(assignments(("11", "12"), dumped: dumped))
    #expect(found.assignments[0].input.usesCatalogKeys && found.assignments[0].missingCatalog == nil)
    #expect(found.survey.groups == ["spring": ["control", "year_first"]])
    #expect(found.survey.reportsDefaults)
    #expect(found.catalog?.tables.map(\.key) == ["offerings", "groups", "products"])
  }

  @Test("They are known by their columns, wherever they lie and whatever they are called")
  func named() throws {
    try writeTables(in: "else/")
    try FileManager.default.moveItem(
      atPath: folder.path("else/subscription_offerings.csv"), toPath: folder.path("else/a.csv"))
    let names = ["a", "subscription_offering_groups", "subscription_offering_group_products"]
    let found = try recognised(
      assignments(("11", "12")), catalog: names.map { folder.path("else/\($0).csv") })
    #expect(found.survey.groups == ["spring": ["control", "year_first"]])
  }

  @Test("Row ids without a catalog are told, with what to type")
  func missing() throws {
    let found = try recognised(assignments(("11", "12")))
    #expect(found.survey.groups == ["7": ["11", "12"]] && found.catalog == nil)
    #expect(found.assignments[0].missingCatalog?.contains("--catalog subscription_offerings.csv") == true)
  }

  @Test("A catalog of other groups that lies beside is none of theirs")
  func others() throws {
    try writeTables(in: "")
    let found = try recognised(assignments(("1", "2")))
    #expect(found.catalog == nil && !found.assignments[0].input.usesCatalogKeys)
  }

  @Test("Groups by name need no row ids, and a catalog that was named says what they sell")
  func names() throws {
    try writeTables(in: "else/")
    let found = try recognised(
      assignments(("control", "year_first")), catalog: Self.tables.keys.sorted().map { folder.path("else/\($0).csv") })
    #expect(!found.assignments[0].input.usesCatalogKeys && found.assignments[0].missingCatalog == nil)
    #expect(found.survey.reportsDefaults)
  }

  @Test("Stored answers are a catalog, and a file that is none is refused with what one is")
  func responses() throws {
    let answer =
      #"{"Success":1,"Body":{"offeringId":"spring","testGroupId":"control","products":[{"productId":"p","isDefault":true}]}}"#
    try folder.write("answers.jsonl", answer + "\n")
    let found = try recognised(assignments(("control", "year_first")), catalog: [folder.path("answers.jsonl")])
    #expect(found.catalog?.tables.map(\.key) == ["responses"])
    #expect(throws: OfferliftError.self) {
      try recognised(assignments(("control", "year_first")), catalog: [folder.path("views.jsonl")])
    }
  }

  @Test("A products table may be a list as a server answers it")
  func list() throws {
    let file = try folder.write("products.json", #"[{"id":1,"product_id":"p","scan_credits":30}]"#)
    #expect(try FileSample.isList(file))
    #expect(try !FileSample.isList(folder.write("products.csv", "product_id\np\n")))
  }
}
