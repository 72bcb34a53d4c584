import Testing

@testable import Engine
@testable import Measurement

@Suite("Nested members of JSON")
struct NestedJSONTests {
  private static let names = [
    "id", SourceField.path("event", "id").name, SourceField.path("event", "user", "name").name, "event",
  ]

  private func read(_ line: String) throws -> [String?] {
    let found = try rows(line, as: JSONLines(names: Self.names), width: Self.names.count)
    try #require(found.count == 1)
    return found[0].fields
  }

  @Test(
    "A path leads into nested objects",
    arguments: [
      (#"{"id":1,"event":{"id":"x","user":{"name":"n"}}}"#, ["1", "x", "n"]),
      (#"{"event":{"user":{"name":"n"},"id":"x"},"id":1}"#, ["1", "x", "n"]),
      (#"{"event":{"id":null,"user":{}}}"#, [nil, nil, nil]),
      (#"{"event":{"id":{"id":"deep"}}}"#, [nil, #"{"id":"deep"}"#, nil]),
      // What has the name without the place is another member.
      (#"{"user":{"name":"n"},"other":{"id":"x"},"event":[{"id":"x"}]}"#, [nil, nil, nil]),
      (#"{"event":"text"}"#, [nil, nil, nil]), (#"{}"#, [nil, nil, nil]),
    ] as [(String, [String?])])
  func paths(line: String, values: [String?]) throws {
    #expect(try Array(read(line).prefix(3)) == values)
  }

  @Test("An object that is picked whole may be looked into all the same")
  func whole() throws {
    #expect(try read(#"{"event":{"id":7}}"#) == [nil, "7", nil, #"{"id":7}"#])
  }

  @Test("Of members with one name the last counts, with all that lies inside")
  func last() throws {
    #expect(try read(#"{"event":{"id":"x","user":{"name":"n"}},"event":{"id":"y"}}"#)[1...2] == ["y", nil])
    #expect(try read(#"{"event":{"id":"x"},"event":null}"#) == [nil, nil, nil, nil])
    #expect(try read(#"{"event":{"user":{"name":"n"},"user":{}}}"#)[2] == nil)
  }

  @Test("A text in memory may span lines, and must be one whole object")
  func memory() {
    let (reader, arena) = (JSONObjectReader<Id>(), TextArena())
    func id(_ text: String) -> String? { reader.read(arena.copy(text.utf8)).map { $0[.id].string } }
    #expect(id("{\n\"id\":\n\"a\\u0062\"}") == "ab")
    #expect(id("{\"id\":1}{}") == nil)
    #expect(id("[]") == nil)
    #expect(id("") == nil)
    #expect(id("{\"id\":\"" + String(repeating: "x", count: longestLine) + "\"}") == nil)
    reader.forget()
    #expect(id("{\"id\":\"x\"}") == "x")
  }

  private enum Id: Int, JSONMember {
    case id
    var source: SourceField { SourceField(name: "id") }
  }
}
