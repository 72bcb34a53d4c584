import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Line ends")
struct LineEndsTests {
  private static let table = ["user,offering,group,assigned_at", "u1,test,control,2026-03-01", "u2,test,b,2026-03-02"]
  private static let log = [
    event("purchase", march(3)), event("purchase", march(4), ["transactionId": "t2"]), event("purchase", march(5)),
  ]
  private static let dump = ["u1\ttest\tcontrol\t2026-03-01", "u2\ttest\tb\t2026-03-02"]

  @Test(
    "A file whose lines end with CR, or with CR CR LF, is refused by name with the line that mends it, packed or not",
    arguments: [("\r", #"tr '\r' '\n'"#), ("\r\r\n", #"tr -d '\r'"#)])
  func refused(end: String, program: String) async throws {
    let refusal = try Refusal()
    let texts = [Self.table, Self.log, Self.dump].map { Array(($0.joined(separator: end) + end).utf8) }
    let mysql = "format: mysql, columns: [user, offering, group, assigned_at]"
    for isPacked in [false, true] {
      let bytes = isPacked ? texts.map { Gzip.member($0) } : texts
      let errors = [
        try await refusal.ofTable("format: csv", bytes[0]), try await refusal.ofTable(mysql, bytes[2]),
        try await refusal.ofLog("events", bytes[1]),
      ]
      for (error, name) in zip(errors, ["table.txt", "table.txt", "log.txt"]) {
        #expect(error?.exit == .badData)
        let line = isPacked ? "gunzip -c '\(name)' | \(program) > FILE" : "\(program) < '\(name)' > FILE"
        #expect(error?.message.hasPrefix("\(name): lines end with") == true, "\(error?.message ?? "read")")
        #expect(error?.message.contains(line) == true, "\(error?.message ?? "read")")
      }
    }
  }

  @Test("One such shard among sound ones is refused by name, and so is one that begins within a file")
  func shards() async throws {
    let folder = try TemporaryFolder()
    let world = World()
    try world.write(to: folder)
    let rows = (0..<300).map { "u\($0),test,control,2026-03-01" }
    try folder.write("assignments-2.csv", ([Self.table[0]] + rows).joined(separator: "\r"))
    let first = await #expect(throws: OfferliftError.self) {
      _ = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    }
    #expect(first?.message.hasPrefix("assignments-2.csv: lines end with a carriage return alone (CR)") == true)
    try folder.write(
      "assignments-2.csv", Self.table.joined(separator: "\n") + "\n" + rows.joined(separator: "\r") + "\r")
    let second = await #expect(throws: OfferliftError.self) {
      _ = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    }
    #expect(second?.message.hasPrefix("assignments-2.csv, line 4: from here on lines end with") == true)
    // Too long for one window.
    let many = (0..<120_000).map { "u\($0),test,control,2026-03-01" }
    try folder.write("assignments-2.csv", Self.table.joined(separator: "\n") + "\n" + many.joined(separator: "\r"))
    let third = await #expect(throws: OfferliftError.self) {
      _ = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    }
    #expect(third?.message.hasPrefix("assignments-2.csv, line 4: from here on lines end with") == true)
  }

  @Test("What only holds a carriage return is read", arguments: ["x\ry", "\"x\r\ny\"", "\"x\ry\""])
  func retained(cell: String) throws {
    let found = try rows(
      "a,b\n\(cell),1\nz,2\r\r\n\"q\",\"3\"\r\r\n", as: CSVFormat(binding: columns(["a", "b"]), delimiter: nil),
      width: 2)
    #expect(found.map { $0.fields[1] } == ["1", "2", "3"])
    #expect(
      ForeignLineEnds(firstOf: "\(cell)\r\n".utf8, outside: UInt8(ascii: "\"")) == (cell == "x\ry" ? .returns : nil))
  }

  @Test("A last line that a carriage return ends alone is a line")
  func lastLine() {
    for text in ["a,b\r", "a,b", "", "\r", "a,b\r\n1,2\r"] {
      #expect(ForeignLineEnds(firstOf: text.utf8, outside: nil) == nil, "\(text)")
    }
  }
}

@Suite("Tables that are written in another way")
struct OtherTableTests {
  private static let rows = (1...3).map { ["u\($0)", "test", "control", "2026-03-01"] }
  private static let names = ["user", "offering", "group", "assigned_at"]

  private static func text(_ rows: [[String]], _ mark: String) -> String {
    rows.map { $0.joined(separator: mark) + "\n" }.joined()
  }

  private static let written: [(text: String, words: String)] = [
    (text([names] + rows, "|"), #"parted by "|"; say delimiter: "|" (job.yml, line 3)"#),
    (text([names] + rows, "\u{1}"), #"parted by "\x01"; say delimiter: "\x01" (job.yml, line 3)"#),
    (
      text(rows, "\u{1}"),
      #"say format: mysql, dialect: {terminated_by: "\x01"} and columns: with its 4 columns in order"#
    ),
    (text(rows, "|"), #"say format: mysql, dialect: {terminated_by: "|"} and columns: with its 4 columns in order"#),
    ("# made on 1 March\n# by hand\n" + text([names] + rows, ","), "grep -v '^#' 'table.txt' > FILE.csv"),
    ("#" + text([names] + rows, ","), "sed '1s/^# *//' 'table.txt' > FILE.csv"),
  ]

  @Test(
    "A table with other marks between cells, or with comments, is refused with what to type", arguments: written.indices
  )
  func tables(number: Int) async throws {
    let (text, words) = Self.written[number]
    let error = try await Refusal().ofTable("format: csv", text.utf8)
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
  }

  private static let logs: [(text: String, words: String)] = [
    (
      (1...3).map { "{\"id\":\($0),\"_airbyte_data\":\(event("purchase", march($0)))}\n" }.joined(),
      "stand within the member _airbyte_data; write them by themselves: jq -c '._airbyte_data' 'log.txt' > FILE.jsonl"
    ),
    (
      (1...3).map { number in
        let row = event("purchase", march(number)).replacing("\"", with: "\\\"")
        return "{\"id\":\(number),\"data\":\"\(row)\"}\n"
      }.joined(), "jq -c '.data | fromjson' 'log.txt'"
    ),
    (
      "{\"userId\":\"u1\",\"eventType\":\"purchase\",\"occurredAt\":{\"$date\":\"2026-03-02T00:00:00Z\"}}\n",
      "its values are objects of MongoDB"
    ),
    (
      "\u{1e}" + event("purchase", march(3)) + "\n\u{1e}" + event("purchase", march(4)) + "\n",
      #"tr -d '\036' < 'log.txt'"#
    ),
    (event("purchase", march(3)) + ",\n" + event("purchase", march(4)) + "\n", "sed 's/,[[:space:]]*$//' 'log.txt'"),
    ("[\n" + event("purchase", march(3)) + ",\n" + event("purchase", march(4)) + "\n]\n", "jq -c '.[]' 'log.txt'"),
  ]

  @Test("JSON whose rows lie otherwise is refused with the line that writes them anew", arguments: logs.indices)
  func json(number: Int) async throws {
    let (text, words) = Self.logs[number]
    let error = try await Refusal().ofLog("events", text.utf8)
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "read")")
  }

  @Test("A link that was copied as a text is refused by name")
  func copiedLink() async throws {
    let refusal = try Refusal()
    try refusal.folder.write("other.csv", "user,offering,group,assigned_at\n")
    let error = try await refusal.ofTable("format: csv", "other.csv".utf8)
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("table.txt holds nothing but the name of another file, other.csv") == true)
  }

  @Test("A log that Hive wrote is told the line that names its columns")
  func hive() async throws {
    let rows = (1...3).map { ["u\($0)", "purchase", "2026-03-0\($0)T00:00:00Z", "p", "1.00", "USD"] }
    let error = try await Refusal().ofLog("events-csv", Self.text(rows, "\u{1}").utf8)
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains(#"say delimiter: "\x01""#) == true, "\(error?.message ?? "read")")
    #expect(error?.message.contains("cat 'log.txt'; } > FILE.csv") == true, "\(error?.message ?? "read")")
  }

  @Test("Rows with a delimiter at their end, and quotes behind a backslash, say what to type")
  func rowsOfOthers() throws {
    func faults(_ text: String) throws -> [String] {
      let bytes = Array(text.utf8)
      var format = CSVFormat(binding: columns(["a", "b"]), delimiter: nil)
      let batch = RecordBatch(width: 2)
      return try bytes.withText { text in
        batch.begin(text, byteOffset: 0, firstLine: 1)
        _ = try format.read(text, isLast: true, into: batch)
        return (0..<batch.count).compactMap { batch.fault(of: $0)?.detail }
      }
    }
    #expect(
      try faults("a,b\n1,2,\n3,4,5\n") == [
        "the row has 3 fields, the header 2: a delimiter stands at the end of rows alone; take it away: "
          + #"sed '2,$s/,\r*$//' 'table.csv' > FILE.csv"#, "the row has 3 fields, the header 2",
      ])
    let quotes = try faults("a,b\n\"{\\\"x\\\":1}\",2\n")
    #expect(quotes.count == 1)
    #expect(quotes.first?.contains(#"sed 's/\\"/""/g' 'table.csv' > FILE.csv"#) == true, "\(quotes)")
  }
}
