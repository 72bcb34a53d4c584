import Foundation
import GRDB
import Testing

@Suite("Values of attributes")
struct AttributeValueTests {
  /// Three users of one group: with the country DE, with an empty one, with none.
  private static let rows: [(user: String, country: String?)] = [("u1", "DE"), ("u2", ""), ("u3", nil)]

  private static let formats: [String] = ["mysql", "jsonl", "sqlite"]

  private func segments(_ format: String, in folder: TemporaryFolder) async throws -> [String: Int] {
    var input = "{path: a.\(format), format: \(format), attributes: [country]"
    switch format {
    case "mysql":
      input += ", columns: [user, offering, group, assigned_at, country]"
      let lines = Self.rows.map { "\($0.user)\ttest\tcontrol\t2026-03-01\t\($0.country ?? "\\N")\n" }
      try folder.write("a.mysql", lines.joined())
    case "jsonl":
      let lines = Self.rows.map { row in
        let country = row.country.map { "\"\($0)\"" } ?? "null"
        return
          #"{"user":"\#(row.user)","offering":"test","group":"control","assigned_at":"2026-03-01","country":\#(country)}"#
      }
      try folder.write("a.jsonl", lines.joined(separator: "\n"))
    default:
      input += ", table: a"
      let queue = try DatabaseQueue(path: folder.path("a.sqlite"))
      try await queue.write { database in
        try database.execute(sql: "CREATE TABLE a (user, offering, 'group', assigned_at, country)")
        for row in Self.rows {
          try database.execute(
            sql: "INSERT INTO a VALUES (?, 'test', 'control', '2026-03-01', ?)", arguments: [row.user, row.country])
        }
      }
      try queue.close()
    }
    var world = World()
    world.job = "segments: [country]"
    try world.write(to: folder)
    try folder.write(
      "job.yml", world.yaml.replacingOccurrences(of: "{path: \"assignments*.csv*\"}", with: "\(input)}"))
    let found = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    let segments = try #require(found.offering?.groups.first?.segments)
    return Dictionary(uniqueKeysWithValues: segments.map { ($0.id.text, $0.users) })
  }

  @Test("No value and an empty value are two segments", arguments: formats)
  func twoSegments(format: String) async throws {
    let found = try await segments(format, in: TemporaryFolder())
    #expect(found == ["all": 3, "country=": 1, "country=(none)": 1, "country=DE": 1])
  }

  @Test("In CSV, which has no NULL of its own, an empty field is no value, in quotes or not")
  func csv() async throws {
    var world = World()
    world.attributes = ["country"]
    world.job = "segments: [country]"
    world.assignments = ["u1,test,control,2026-03-01,", "u2,test,control,2026-03-01,\"\""]
    let segments = try await world.measure().offering?.groups.first?.segments.map(\.id)
    #expect(segments == ["all", "country=(none)"])
  }
}
