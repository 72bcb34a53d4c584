import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Values inside others, by dotted names")
struct DottedNameTests {
  private static let names = "columns: {userId: d.user, occurredAt: d.at, productId: d.sku, price: d.cost.amount}"
  private static let defaults = "defaults: {eventType: purchase, currency: USD}"

  private func gross(_ format: String, _ lines: [String], columns: String = names) async throws -> Int128 {
    let found = try await SourceWorld(format, lines, "\(columns), \(Self.defaults)").measure()
    return found.cents[0]
  }

  private static let object = #"{"user":"u1","at":"2026-03-02T10:00:00Z","sku":"p","cost":{"amount":"9.99"}}"#
  private static let text = object.replacing(#"""#, with: #"\""#)

  @Test(
    "A value is a member of that name, else one of nested objects, else of JSON in a text",
    arguments: [
      #"{"d":OBJECT}"#, #"{"d":"TEXT"}"#, #"{"d": {"user":"u1","at":"2026-03-02","sku":"p","cost.amount":"9.99"}}"#,
      #"{"d.user":"u1","d.at":"2026-03-02","d.sku":"p","d.cost.amount":9.99,"d":OTHER}"#,
      #"{"d":{"user":"u1","at":"2026-03-02","sku":"p","cost":"{\"amount\":9.99}"}}"#,
      #"{"d.user":"u1","d":{"at":"2026-03-02","sku":"p"},"d.cost":{"amount":9.99}}"#,
      #"{"d":"  TEXT"}"#,
    ])
  func objects(line: String) async throws {
    let other = Self.object.replacing("9.99", with: "5").replacing("u1", with: "nobody")
    let whole = line.replacing("OBJECT", with: Self.object).replacing("TEXT", with: Self.text)
      .replacing("OTHER", with: other)
    #expect(try await gross("events", [whole, whole.replacing("9.99", with: "1")]) == 999 + 100)
  }

  @Test("JSON in a cell of a table is read, and a column that has the dotted name comes first")
  func cells() async throws {
    let cell = "\"" + Self.object.replacing("\"", with: "\"\"") + "\""
    #expect(try await gross("events-csv", ["id,d", "1,\(cell)", "2,\(cell)"]) == 1998)
    #expect(try await gross("events-csv", ["id,d,d.cost.amount", "1,\(cell),5", "2,\(cell),\\N"]) == 500)
    #expect(
      try await gross(
        "events-csv", ["d.user,d.at,d.sku,d.cost", #"u1,2026-03-02,p,"{""amount"": 3}""#]) == 300)
  }

  @Test("Rows whose text holds no such object lack the field, and say so")
  func noObject() async throws {
    for cell in ["", "{", "[1]", "9.99", #""{""user"": 7""#] {
      let found = try await SourceWorld("events-csv", ["id,d", "1,\(cell)"], "\(Self.names), \(Self.defaults)")
        .measure()
      #expect(found.rejects.all.map { $0.detail.hasPrefix("userId is missing") } == [true], "\(cell)")
    }
  }

  @Test("What to type is told where the beginning of a file shows it, of objects, JSON in a text and JSON in a cell")
  func told() async throws {
    let logs = [
      ("events", [#"{"d":\#(Self.object)}"#]), ("events", [#"{"d":"\#(Self.text)"}"#]),
      ("events-csv", ["userId,d", ",\"\(Self.object.replacing("\"", with: "\"\""))\""]),
    ]
    for (format, lines) in logs {
      let keys = "columns: {userId: user, occurredAt: d.at}, \(Self.defaults)"
      let renamed = lines.map { $0.replacing("userId,", with: "user_id,") }
      let told: String
      do {
        told = try await SourceWorld(format, renamed, keys).measure().rejects.all.first?.detail ?? ""
      } catch let fault as OfferliftError {
        told = fault.message
      }
      #expect(told.contains("d.user") || told.contains("its columns are \"user_id\", \"d\""), "\(told)")
    }
  }

  @Test("A table that has neither the column nor one it may lie in is refused")
  func missing() async throws {
    let fault = await #expect(throws: OfferliftError.self) { try await gross("events-csv", ["id,e", "1,2"]) }
    #expect(fault?.message.contains("there is no column \"d.user\"") == true)
  }

  @Test("Mongo's dates keep apart, and one column may feed two fields")
  func mongo() async throws {
    let line =
      #"{"_id":{"$oid":"0a"},"user_id":"u1","created_at":{"$date":"2026-03-02T00:00:00Z"},"#
      + #""amount":{"$numberDecimal":"9.99"},"updated_at":{"$date":"2026-05-20T00:00:00Z"}}"#
    let columns =
      "columns: {userId: user_id, occurredAt: created_at.$date, price: amount.$numberDecimal, eventId: _id.$oid, "
      + "transactionId: _id.$oid, productId: user_id}"
    #expect(try await gross("events", [line, line], columns: columns) == 999)
  }

  @Test("Assignments take dotted names, and both kinds of rows are found for explain")
  func assignments() async throws {
    var world = World()
    world.events = [event("purchase", march(2))]
    let folder = try TemporaryFolder()
    try world.write(to: folder)
    try folder.write(
      "assignments.jsonl",
      #"{"_airbyte_data":"{\"id\":\"u1\",\"test\":{\"name\":\"test\",\"arm\":\"control\"},\"at\":\"2026-03-01\"}"}"#)
    try folder.write(
      "job.yml",
      world.yaml.replacingOccurrences(
        of: "{path: \"assignments*.csv*\"}",
        with: "{path: assignments.jsonl, format: jsonl, columns: {user: _airbyte_data.id, "
          + "offering: _airbyte_data.test.name, group: _airbyte_data.test.arm, assigned_at: _airbyte_data.at}}"))
    let found = try await World.measure(folder.path("job.yml"), asOf: world.asOf, threads: 1)
    #expect(found.cents[0] == 1000)
  }

  @Test("A name is taken apart at every dot, the plainest reading first")
  func paths() throws {
    let name = try #require(DottedName("a.b.c"))
    let mark = "\u{1f}"
    #expect(name.paths == ["a.b\(mark)c", "a\(mark)b.c", "a\(mark)b\(mark)c"])
    #expect(name.containers(nested: false).map(\.name) == ["a.b", "a"])
    #expect(name.containers(nested: true).map(\.name) == ["a.b", "a\(mark)b", "a"])
    for plain in ["a", ".a", "a.", "a..b", ""] { #expect(DottedName(plain) == nil, "\(plain)") }
  }
}
