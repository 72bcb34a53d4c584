import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Dialects of MySQL that differ from the usual one")
struct MySQLDialectTests {
  private static let quote = UInt8(ascii: "\"")

  private func read(
    _ text: String, _ dialect: MySQLDialect, columns order: [String] = ["a", "b"], step: Int = .max
  ) throws -> [[String?]] {
    let format = { try MySQLFormat(dialect: dialect, binding: columns(["a", "b"]), columnOrder: order) }
    return try rows(text, as: format(), width: 2, step: step).map { $0.fault == nil ? $0.fields : ["\($0.fault!)"] }
  }

  // MARK: - Line ends

  @Test(
    "A file shows how its lines end, and what else breaks a line is text",
    arguments: [
      ("x\ty\r\nz\tw\r\n", [["x", "y"], ["z", "w"]]), ("x\ty\r\n", [["x", "y"]]), ("x\ty\r", [["x", "y\r"]]),
      // A carriage return that ends a text, in a file of line feeds.
      ("x\ty\r\nz\tw\n", [["x", "y\r"], ["z", "w"]]), ("z\tw\nx\r\ty\r\n", [["z", "w"], ["x\r", "y\r"]]),
      // Line feeds as they are, in a file whose lines end in both.
      ("1\n2\ty\r\nz\tw\r\n", [["1\n2", "y"], ["z", "w"]]), ("x\ty\r\nz\t3\n4\r\n", [["x", "y"], ["z", "3\n4"]]),
      ("x\ty\r\nz\tw\\\r\n\r\n", [["x", "y"], ["z", "w\r\n"]]),
      ("bad\nx\ty\n", [["malformed"], ["x", "y"]]), ("\r\n\r\nx\ty\r\n", [["x", "y"]]),
    ] as [(String, [[String?]])])
  func lineEnds(text: String, expected: [[String?]]) throws {
    for step in [1, 3, .max] { #expect(try read(text, MySQLDialect(), step: step) == expected, "step \(step)") }
  }

  @Test("A job that tells the line end is taken at its word")
  func reportedLineEnds() throws {
    var dialect = MySQLDialect()
    dialect.linesTerminatedBy = Array("\n".utf8)
    #expect(try read("x\ty\r\n", dialect) == [["x", "y\r"]])
    dialect.linesTerminatedBy = Array("\r\n".utf8)
    #expect(try read("x\ty\nz\r\n", dialect) == [["x", "y\nz"]])
    dialect.linesTerminatedBy = Array("|\n".utf8)
    #expect(try read("x\ty\\||\nz\tw\n|\n", dialect) == [["x", "y|"], ["z", "w\n"]])
    dialect.linesStartingBy = Array(">>".utf8)
    #expect(try read(">>x\t>>y|\nz\tw|\n>>\t|\n", dialect) == [["x", ">>y"], ["malformed"], ["", ""]])
  }

  @Test("A row too long to be held ends where the dialect says")
  func tooLong() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("t", "1\t2\r\(String(repeating: "x\n", count: 3 << 19))\t3\r4\t5\r")
    var dialect = MySQLDialect()
    dialect.linesTerminatedBy = [0x0d]
    let format = try MySQLFormat(dialect: dialect, binding: columns(["a", "b"]), columnOrder: ["a", "b"])
    let (rows, reading) = try reading(file, as: format, width: 2)
    #expect(rows.filter { $0.fault == nil }.map(\.fields) == [["1", "2"], ["4", "5"]])
    #expect(reading.account.setAside == [.lineTooLong: 1])
  }

  // MARK: - Separators

  @Test("A separator may have several bytes, and is escaped by its first")
  func longSeparators() throws {
    let bars = MySQLDialect(terminatedBy: Array("||".utf8))
    #expect(try read("a|b||c\\|\\|d\n||\n\\N||\\N\n", bars) == [["a|b", "c||d"], ["", ""], [nil, nil]])
    let list = MySQLDialect(terminatedBy: Array(", ".utf8), enclosedBy: Self.quote)
    #expect(try read("\"a, b\", 1\n\"x\",y\n", list) == [["a, b", "1"], ["malformed"]])
  }

  @Test("Where nothing is escaped, a separator beside a part of one can be read in two ways")
  func overlap() throws {
    let bars = MySQLDialect(terminatedBy: Array("||".utf8), escapedBy: nil)
    #expect(try read("a||b\n||\n", bars) == [["a", "b"], ["", ""]])
    #expect(throws: OfferliftError.self) { try read("a|||b\n", bars) }
  }

  // MARK: - NULL

  @Test("The bare word NULL is a NULL where texts are enclosed, and refused where nothing tells it from a text")
  func bareNull() throws {
    let enclosed = MySQLDialect(terminatedBy: [44], enclosedBy: Self.quote)
    #expect(try read("NULL,\"NULL\"\n\\N,\"\\\\N\"\n", enclosed) == [[nil, "NULL"], [nil, "\\N"]])
    #expect(try read("NULL\tNULL\n", MySQLDialect()) == [["NULL", "NULL"]])
    let plain = MySQLDialect(terminatedBy: [44], escapedBy: nil)
    let error = #expect(throws: OfferliftError.self) { try read("a,b\nNULL,\\N\n", plain) }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("table.csv, line 2: a field is the word NULL") == true)
    // In a column that nobody reads it does no harm.
    #expect(try read("a,b,NULL\n", plain, columns: ["a", "b", "note"]) == [["a", "b"]])
  }

  @Test(
    "More or fewer fields than columns are refused where nothing is escaped: a text may hold separators and line breaks",
    arguments: ["3,4,5", "3"])
  func unescaped(line: String) {
    let dialect = MySQLDialect(terminatedBy: [44], escapedBy: nil)
    let error = #expect(throws: OfferliftError.self) { try read("1,2\n\(line)\n", dialect) }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("table.csv, line 2: it has ") == true)
    #expect(error?.message.hasSuffix("ESCAPED BY '\\\\', and say escaped_by: '\\' (job.yml, line 7).") == true)
  }

  // MARK: - Headers

  @Test("A header's names bind the columns, in whatever order, and others may stand beside those the job lists")
  func headers() throws {
    var dialect = MySQLDialect()
    dialect.hasHeader = true
    #expect(try read("b\tnote\ta\n1\tx\t2\n", dialect) == [["2", "1"]])
    dialect = Self.doubled
    dialect.hasHeader = true
    #expect(try read("\"b\",\"a\"\n\"1\",\"2\"\n", dialect, step: 1) == [["2", "1"]])
    #expect(try read("", dialect) == [])
  }

  @Test("A header that does not hold the names the job lists is an error, as is one that cannot be read")
  func badHeaders() {
    var dialect = MySQLDialect()
    dialect.hasHeader = true
    let error = #expect(throws: OfferliftError.self) { try read("a\tbb\n1\t2\n", dialect) }
    #expect(error?.exit == .badJobFile)
    #expect(
      error?.message
        == "table.csv, line 1: there is no column \"b\"; its columns are \"a\", \"bb\". Did you mean \"a\"? "
        + "Name the right one under columns: (job.yml, line 7).")
    dialect.linesStartingBy = Array(">".utf8)
    let unread = #expect(throws: OfferliftError.self) { try read("\na\tb\n1\t2\n", dialect) }
    #expect(unread?.message.hasPrefix("table.csv, line 2: the header cannot be read: ") == true)
  }

  // MARK: - The quote as the escape

  private static let doubled = MySQLDialect(terminatedBy: [44], enclosedBy: quote, escapedBy: quote)

  @Test(
    "The quote may be the escape, too",
    arguments: [
      (#""say ""hi""","""""#, ["say \"hi\"", "\""]), (#""a,b","c\n""#, ["a,b", "c\\n"]),
      ("\"a\"\nb\",\"c\"", ["a\nb", "c"]),
      ("\"a\",\"c\"\nd\"", ["a", "c\nd"]), (#""","""#, ["", ""]), (#""nul"0","x""#, ["nul\0", "x"]),
      (#""N,"x""#, [nil, "x"]), (#""x","N"#, ["x", nil]), (#""N","Nx""#, ["N", "Nx"]),
    ] as [(String, [String?])])
  func quoteAsEscape(line: String, values: [String?]) throws {
    for step in [1, 2, .max] {
      #expect(try read("\(line)\n\"next\",\"row\"\n", Self.doubled, step: step) == [values, ["next", "row"]])
    }
    #expect(try read(line, Self.doubled) == [values])
  }

  @Test(
    "What the quote as the escape leaves open stops the run",
    arguments: [
      // NULL and a comma, or a text that begins with N.
      "\"N,\",\"\n",
      // Two rows, or one whose text holds a line break, a 5, a comma and a NUL.
      "\"a\",\"b\"\n5,\"0\"\n",
    ])
  func openQuestions(text: String) {
    var dialect = Self.doubled
    dialect.isOptional = true
    let error = #expect(throws: OfferliftError.self) { try read(text, dialect) }
    #expect(error?.message.contains("can be read in two ways") == true)
  }

  @Test("Random tables with the quote as the escape come back as they were, or stop the run", arguments: [false, true])
  func randomDoubled(isOptional: Bool) throws {
    var dialect = Self.doubled
    dialect.isOptional = isOptional
    var dice = Dice(seed: 22)
    var whole = 0
    for _ in 0..<4000 {
      let table = (0...dice.below(3)).map { _ in
        (0..<2).map { column -> String? in
          if dice.chance(0.1) { return nil }
          if isOptional, column == 0 { return "\(dice.below(100))" }
          return String((0..<dice.below(4)).map { _ in dice.pick(Array("\"N0,\na")) })
        }
      }
      let text = table.map { Self.written($0, isOptional) }.joined()
      guard let found = try? read(text, dialect) else { continue }
      whole += 1
      #expect(found == table, "\(text.debugDescription)")
    }
    #expect(whole > 2000)
  }

  /// A row as the server writes it. Source: MariaDB, `select_export::send_data`.
  private static func written(_ row: [String?], _ isOptional: Bool) -> String {
    let fields = row.enumerated().map { column, value -> String in
      guard let value else { return "\"N" }
      if isOptional, column == 0 { return value }
      let escaped = value.flatMap { "\"\n".contains($0) ? ["\"", $0] : $0 == "\0" ? ["\"", "0"] : [$0] }
      return "\"\(String(escaped))\""
    }
    return fields.joined(separator: ",") + "\n"
  }

  // MARK: - In a job

  @Test("A job whose fields are enclosed but not escaped is refused, with the line to type")
  func enclosedNotEscaped() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "job.yml",
      """
      job: a
      assignments:
        path: a
        format: mysql
        columns: [user, offering, group, assigned_at]
        dialect: {terminated_by: ',', enclosed_by: '"', escaped_by: ''}
      purchases: {path: b, format: events}
      metrics: [{name: charges}]
      """)
    let error = #expect(throws: OfferliftError.self) { try JobReader.read(folder.path("job.yml")) }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains("job.yml, line 6: escaped_by: fields that are enclosed but not escaped") == true)
    #expect(error?.message.hasSuffix("say escaped_by: '\\'.") == true)
  }

  @Test("The job says what the statement said")
  func job() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "job.yml",
      #"""
      job: a
      assignments:
        path: a
        format: mysql
        columns: [user, offering, group, assigned_at]
        dialect: {terminated_by: '||', enclosed_by: "'", escaped_by: '\\', lines_terminated_by: '\r\n', lines_starting_by: "> "}
      purchases: {path: b, format: events}
      metrics: [{name: charges}]
      """#)
    let dialect = try #require(JobReader.read(folder.path("job.yml")).assignments.first?.dialect)
    #expect(dialect.terminatedBy == Array("||".utf8))
    #expect(dialect.enclosedBy == UInt8(ascii: "'") && dialect.escapedBy == UInt8(ascii: "\\"))
    #expect(dialect.linesTerminatedBy == [0x0d, 0x0a] && dialect.linesStartingBy == Array("> ".utf8))
  }

  @Test(
    "NULLs of every form in a table of assignments: a needed one rejects its row, an attribute's is no value",
    arguments: [
      ("{}", "\\N", "%"), ("{terminated_by: ',', enclosed_by: '\"'}", "\\N", "\"%\""),
      ("{terminated_by: ';', enclosed_by: '\"', escaped_by: '\"', optionally: true}", "\"N", "\"%\""),
      ("{terminated_by: '|', escaped_by: '^', lines_terminated_by: '\\r\\n'}", "^N", "%"),
    ])
  func nulls(dialect: String, null: String, form: String) async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.metrics = ["{name: charges, window: none}"]
    world.events = ["u1", "u2", "u3", "u4"].map { event("purchase", march(9), ["userId": $0]) }
    world.job = "segments: [country]"
    let yaml = world.yaml.replacingOccurrences(
      of: "{path: \"assignments*.csv*\"}",
      with: "{path: a.txt, format: mysql, columns: [note, user, offering, group, assigned_at, country], "
        + "attributes: [country], dialect: \(dialect)}")
    try world.write(to: folder)
    try folder.write("job.yml", yaml)
    let rows: [[String?]] = [
      [nil, "u1", "test", "control", "2026-03-01 00:00:00", "DE"], ["", "u2", "test", "control", "2026-03-01", nil],
      ["x", nil, "test", "control", "2026-03-01", "DE"], ["x", "u3", "test", "control", nil, "DE"],
      ["x", "u4", "test", "control", "2026-03-01", "NULL"],
    ]
    let separator = dialect.contains("','") ? "," : dialect.contains("';'") ? ";" : dialect.contains("'|'") ? "|" : "\t"
    let end = dialect.contains("lines") ? "\r\n" : "\n"
    let lines = rows.map { row in
      row.map { $0.map { form.replacingOccurrences(of: "%", with: $0) } ?? null }.joined(separator: separator) + end
    }
    try folder.write("a.txt", lines.joined())
    let found = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
    #expect(found.rejects.all.map(\.reason) == [.missingField, .missingField])
    #expect(found.rejects.all.map(\.line) == [3, 4])
    #expect(found.offering?.groups.first?.measuredUsers == 3)
    let segments = found.offering?.groups.first?.segments.map(\.id)
    #expect(segments == ["all", "country=(none)", "country=DE", "country=NULL"])
  }
}
