import Foundation
import GRDB
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Tables of SQLite files")
struct SQLiteRowsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database(_ statements: String...) throws -> InputFile {
    let queue = try DatabaseQueue(path: folder.path("data.sqlite"))
    // How a database keeps its log is not to be said within a transaction.
    try queue.writeWithoutTransaction { database in
      for statement in statements { try database.execute(sql: statement) }
    }
    try queue.close()
    return InputFile(path: folder.path("data.sqlite"), displayName: "data.sqlite")
  }

  private func read(
    _ file: InputFile, _ names: [String], table: String? = nil, query: String? = nil
  ) throws -> (rows: [[String?]], reading: FileReading) {
    var input = TableInput(name: "rates", path: "data.sqlite", line: 4)
    input.format = .sqlite
    input.table = table
    input.query = query
    let table = TableFile(
      input: input, file: file, fields: names, isRequired: names.map { _ in true }, job: .plain()
    )
    var rows: [[String?]] = []
    let reading = try table.read { batch, reading in
      for row in 0..<batch.count {
        rows.append(plainRow(row, of: batch).fields)
        reading.account.outcomes.use()
      }
    }.reading
    return (rows, reading)
  }

  @Test("Values come as text, numbers as they were typed, NULL as NULL")
  func values() throws {
    let file = try database(
      "CREATE TABLE \"my table\" (id, a)",
      "INSERT INTO \"my table\" VALUES (1, NULL), (2, ''), (3, 'é'), (4, 42), (5, 7.99), (6, 100.0), (7, x'4142'), (8, -3)"
    )
    let found = try read(file, ["id", "a"], table: "my table")
    #expect(found.rows.map { $0[1] } == [nil, "", "é", "42", "7.99", "100", "AB", "-3"])
    #expect(found.reading.account.rows == 8)
    #expect(found.reading.account.isBalanced)
    #expect(found.reading.account.bytes > 0)
  }

  @Test(
    "A query without end, and one that wants more memory than there is, ends with a sentence",
    arguments: [
      ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id FROM c", "does the query end?"),
      (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id FROM c WHERE x < 0",
        "does the query end?"
      ),
      ("SELECT hex(zeroblob(30000000)) AS id", "of memory"),
      (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT group_concat(hex(zeroblob(1000))) AS id FROM c",
        "does the query end?"
      ),
    ])
  func withoutEnd(query: String, words: String) throws {
    let file = try database("CREATE TABLE t (id)")
    let bounded = file.bounded(by: SQLiteBounds(memory: 20 << 20, steps: 20_000_000, bytes: 1 << 20))
    let error = try #require(throws: OfferliftError.self) { try read(bounded, ["id"], query: query) }
    #expect(error.exit == .badData)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.message.contains("data.sqlite"))
  }

  @Test("A function that works on and on within one step is ended with its process, in a view of the file's too")
  func withinOneStep() throws {
    let text = "replace(hex(zeroblob(20000000)), '00', 'a')"
    let file = try database(
      "CREATE TABLE t (id)", "INSERT INTO t VALUES (1)",
      "CREATE VIEW v AS SELECT id FROM t WHERE instr(\(text), substr(\(text), 1, 10000000) || 'b') = 0")
    let bounded = file.bounded(by: SQLiteBounds(seconds: 1))
    let error = try #require(throws: OfferliftError.self) { try read(bounded, ["id"], table: "v") }
    #expect(error.exit == .badData && error.message.contains("does the query end?"), "\(error.message)")
  }

  @Test(
    "What does anything but read is refused, and so is a second statement",
    arguments: [
      "PRAGMA table_info(t)", "SELECT id FROM t; SELECT 1", "ATTACH 'other.sqlite' AS o", "EXPLAIN SELECT id FROM t",
      "SELECT load_extension('x.so') AS id", "SELECT name AS id FROM pragma_table_info('t')", "",
    ])
  func notReading(query: String) throws {
    let file = try database("CREATE TABLE t (id)")
    let error = try #require(throws: OfferliftError.self) { try read(file, ["id"], query: query) }
    #expect(error.exit == .badData && error.message.contains("A query reads, and is one SELECT"), "\(error.message)")
  }

  @Test("A text longer than a row may be is a row set aside, and no more of such than fit the memory are held")
  func longTexts() throws {
    let file = try database(
      "CREATE TABLE t (id, note)",
      "INSERT INTO t VALUES (1, 'x'), (2, hex(zeroblob(524288))), (3, hex(zeroblob(524289)))")
    let found = try read(file, ["id", "note"], table: "t")
    #expect(found.rows.map { $0.first ?? nil } == ["1", "2", nil])
    #expect(try read(file, ["id"], table: "t").rows.map { $0[0] } == ["1", "2", "3"])
  }

  @Test("Small and large numbers come in plain decimal notation")
  func plainNumbers() throws {
    let file = try database(
      "CREATE TABLE t (id, a REAL)",
      "INSERT INTO t VALUES (1, 0.000039), (2, 1e-9), (3, 0.00001234), (4, 1e15), (5, 1.5e16), (6, 123456789.125), (7, -0.00005), (8, 0.0)"
    )
    let found = try read(file, ["id", "a"], table: "t").rows.map { $0[1] }
    #expect(
      found == [
        "0.000039", "0.000000001", "0.00001234", "1000000000000000", "15000000000000000", "123456789.125", "-0.00005",
        "0",
      ])
  }

  @Test("A query may stand in a table's place, and columns are bound by name")
  func query() throws {
    let file = try database("CREATE TABLE t (x, y)", "INSERT INTO t VALUES (1, 2), (3, 4)")
    let found = try read(file, ["b", "a"], query: "SELECT x AS a, 0 AS other, y AS b FROM t WHERE x > 1")
    #expect(found.rows == [["4", "3"]])
  }

  @Test("A text is taken whole, NULs and all, and from a database in UTF-16, too")
  func wholeTexts() throws {
    let texts = "(1, 'a' || char(0) || 'b'), (2, char(0)), (3, x'6162'), (4, 'é😀'), (5, x'')"
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
      let file = try database(
        "DROP TABLE IF EXISTS t", "PRAGMA encoding = '\(encoding)'", "CREATE TABLE t (id, a)",
        "INSERT INTO t VALUES \(texts)")
      let found = try read(file, ["id", "a"], table: "t").rows.map { $0[1] }
      #expect(found == ["a\0b", "\0", "ab", "é😀", ""], "\(encoding)")
      try FileManager.default.removeItem(atPath: file.path)
    }
  }

  @Test("A text that is not UTF-8 rejects its row, by the column's name, where the column is read")
  func invalidUTF8() throws {
    let file = try database(
      "CREATE TABLE t (a, note)",
      "INSERT INTO t VALUES ('x', NULL), (CAST(x'C328' AS TEXT), NULL), (x'FF', NULL), ('y', CAST(x'FF' AS TEXT))")
    var faults: [Reject?] = []
    var input = TableInput(name: "rates", path: "data.sqlite", line: 4, format: .sqlite)
    input.table = "t"
    let table = TableFile(
      input: input, file: file, fields: ["a"], isRequired: [true], job: .plain())
    _ = try table.read { batch, _ in faults += (0..<batch.count).map { batch.fault(of: $0) } }
    #expect(faults.map { $0?.reason } == [nil, .invalidUTF8, .invalidUTF8, nil])
    #expect(faults[1]?.line == 2)
    #expect(faults[1]?.detail == "the column a holds a text that is not UTF-8; mend it in the database")
  }

  @Test("More rows than a batch takes come in several")
  func batches() throws {
    let file = try database(
      "CREATE TABLE t (a)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i FROM n")
    let found = try read(file, ["a"], table: "t")
    #expect(found.rows.map { $0[0] } == (1...5000).map { "\($0)" })
  }

  @Test("The file is not changed, and what would change it is refused")
  func readOnly() throws {
    let file = try database("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(throws: OfferliftError.self) { try read(file, ["a"], query: "DELETE FROM t RETURNING a") }
    _ = try read(file, ["a"], table: "t")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
  }

  @Test("A missing table, a wrong query and a file that is not SQLite are errors with file and place")
  func errors() throws {
    let file = try database("CREATE TABLE t (a)")
    for attempt in [("none", nil), (nil, "SELEC 1"), (nil, "SELECT z FROM t")] as [(String?, String?)] {
      let error = #expect(throws: OfferliftError.self) { try read(file, ["a"], table: attempt.0, query: attempt.1) }
      #expect(error?.exit == .badData)
      #expect(error?.message.hasPrefix("data.sqlite: SQLite says") == true)
      #expect(error?.message.contains("job.yml, line 4") == true)
    }
    let text = try folder.write("text.sqlite", "this is no database, but long enough to be looked at as one")
    #expect(throws: OfferliftError.self) { try read(text, ["a"], table: "t") }
    let missing = #expect(throws: OfferliftError.self) { try read(file, ["b"], table: "t") }
    #expect(missing?.exit == .badJobFile)
  }

  @Test("An empty file has no rows")
  func empty() throws {
    let file = try folder.write("empty.sqlite", "")
    #expect(try read(file, ["a"], table: "t").rows.isEmpty)
  }

  @Test("A database that another program has locked is waited for, and then told")
  func locked() async throws {
    let file = try database("CREATE TABLE t (id)", "INSERT INTO t VALUES (1)")
    // A lock of another process: one of this one's would be gone as soon as this one closes the file.
    let (other, said, heard) = (Process(), Pipe(), Pipe())
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = ["python3", "-c", Self.holder, file.path]
    (other.standardOutput, other.standardInput) = (said, heard)
    try other.run()
    defer { other.terminate() }
    #expect(String(decoding: said.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("locked"))
    let error = #expect(throws: OfferliftError.self) {
      try read(file.bounded(by: SQLiteBounds(patience: 0.2)), ["id"], table: "t")
    }
    #expect(error?.exit == .tryAgainLater)
    #expect(error?.message.hasPrefix("data.sqlite: another program has locked it") == true)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.3)
      try? heard.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }
    #expect(try read(file, ["id"], table: "t").rows == [["1"]])
  }

  /// Locks a database until it is written a line.
  private static let holder = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    sys.stdin.readline()
    database.execute("COMMIT")
    """

  @Test("A database with a log that SQLite cannot read in its folder says to copy it")
  func log() throws {
    let file = try database("PRAGMA journal_mode = WAL; CREATE TABLE t (id); INSERT INTO t VALUES (1)")
    #expect(try read(file, ["id"], table: "t").rows == [["1"]])
    // Where a folder stands SQLite can make no file, whoever asks.
    for ending in ["-shm", "-wal"] {
      try? FileManager.default.removeItem(atPath: file.path + ending)
      try FileManager.default.createDirectory(atPath: file.path + ending, withIntermediateDirectories: false)
    }
    let error = #expect(throws: OfferliftError.self) { try read(file, ["id"], table: "t") }
    #expect(error?.message.contains("copy it, cp 'data.sqlite'* FOLDER") == true, "\(error?.message ?? "")")
  }

  @Test("Ids as bytes are refused with the query that makes texts of them")
  func blobs() throws {
    let file = try database(
      "CREATE TABLE \"my users\" (\"user\" BLOB, \"group\" TEXT, more TEXT)",
      "INSERT INTO \"my users\" VALUES (x'ff000102', 'a', 'x'), (x'00010203', 'b', 'x'), (x'6162', 'c', 'x')")
    var faults: [String?] = []
    var input = TableInput(name: "users", path: "data.sqlite", line: 4)
    (input.format, input.table) = (.sqlite, "my users")
    let table = TableFile(
      input: input, file: file, fields: ["user", "group"], isRequired: [true, true], job: .plain())
    _ = try table.read { batch, _ in faults += (0..<batch.count).map { batch.fault(of: $0)?.detail } }
    let remedy =
      "the column user holds bytes (BLOB) that are no text; in place of table: say query: SELECT lower(hex(\"user\")) AS "
      + "\"user\", \"group\" FROM \"my users\""
    #expect(faults == [remedy, remedy, nil])
    (input.table, input.query) = (nil, "SELECT lower(hex(\"user\")) AS \"user\", \"group\" FROM \"my users\"")
    #expect(
      try read(file, ["user", "group"], query: input.query).rows.map { $0[0] } == ["ff000102", "00010203", "6162"])
  }
}

extension InputFile {
  fileprivate func bounded(by bounds: SQLiteBounds) -> InputFile {
    InputFile(path: path, displayName: displayName, in: RunContext(chunk: 1 << 20, sqlite: bounds))
  }
}
