import Foundation
import GRDB
import Testing

@testable import Domain
@testable import Platform

@Suite("A database that strangers' statements may read")
struct ReadOnlyDatabaseTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a ?#%41 b.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB);
          INSERT INTO t VALUES (1, 0.5, 'é', x'00ff'), (-9223372036854775808, 1e300, '', NULL);
          CREATE VIEW v AS SELECT a, count(*) OVER () AS n FROM t;
          """)
    }
    try queue.close()
  }

  private func answer(_ sql: String, _ bounds: ReadOnlyDatabase.Bounds = .init()) throws -> ReadOnlyDatabase.Answer {
    try ReadOnlyDatabase(path: path, bounds: bounds).answer(sql)
  }

  @Test("Values come as they are stored")
  func values() throws {
    let found = try answer("SELECT * FROM t")
    #expect(found.columns == ["a", "b", "c", "d"])
    #expect(found.rows[0] == [.integer(1), .real(0.5), .text("é"), .bytes([0, 255])])
    #expect(found.rows[1] == [.integer(.min), .real(1e300), .text(""), .null])
    #expect(try answer("WITH x AS (SELECT 1 AS y) SELECT y FROM x; -- the end\n").rows == [[.integer(1)]])
    #expect(try answer("/* first */ SELECT n FROM v LIMIT 1").rows == [[.integer(2)]])
  }

  @Test("A link in a database's place is not followed, and a pipe is not waited for")
  func noFile() throws {
    try Folder.makeLink(folder.path("link.sqlite"), to: path)
    mkfifo(folder.path("pipe.sqlite"), 0o600)
    for name in ["link.sqlite", "pipe.sqlite"] {
      #expect(throws: OfferliftError.self) { try ReadOnlyDatabase(path: folder.path(name)) }
    }
  }

  @Test("A function that would work for hours on two long texts is refused its texts")
  func longTexts() throws {
    let text = "replace(hex(zeroblob(1000000)), '00', 'a')"
    #expect(throws: OfferliftError.self) { try answer("SELECT instr(\(text), \(text) || 'b')") }
  }

  @Test("A function that takes a tenth of a second a step is ended, though the clock is looked at every ten thousand")
  func slowSteps() throws {
    var bounds = ReadOnlyDatabase.Bounds()
    bounds.seconds = 1
    let text = "replace(hex(zeroblob(120000)), '00', 'a')"
    let sql = """
      WITH RECURSIVE x AS (SELECT \(text) AS a, substr(\(text), 1, 60000) || 'b' AS b),
      n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) SELECT sum(instr(a || i, b || i)) FROM x, n
      """
    let error = try #require(throws: OfferliftError.self) { try answer(sql, bounds) }
    #expect(error.exit == .badData && error.message.contains("was ended after 1 seconds"), "\(error.message)")
  }

  @Test("Arguments are values and never a part of the statement")
  func arguments() throws {
    let database = try ReadOnlyDatabase(path: path)
    #expect(
      try database.answer("SELECT ?1 || ?1", ["'; DROP TABLE t"]).rows == [[.text("'; DROP TABLE t'; DROP TABLE t")]])
  }

  @Test(
    "Whatever is not reading is refused before it runs",
    arguments: [
      "DELETE FROM t", "INSERT INTO t (a) VALUES (1)", "UPDATE t SET a = 1", "DROP TABLE t", "CREATE TABLE u (a)",
      "CREATE TEMP TABLE u (a)", "PRAGMA user_version", "PRAGMA journal_mode = WAL",
      "SELECT * FROM pragma_table_info('t')",
      "ATTACH 'other.sqlite' AS o", "DETACH main", "VACUUM", "VACUUM INTO 'copy.sqlite'", "REINDEX", "ANALYZE", "BEGIN",
      "SAVEPOINT s", "SELECT load_extension('x.so')", "SELECT fts3_tokenizer('simple')", "EXPLAIN SELECT 1",
      "EXPLAIN QUERY PLAN SELECT 1", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "", ";", "-- nothing",
      "WITH x AS (SELECT 1) DELETE FROM t", "WITH x AS (SELECT 1) INSERT INTO t (a) SELECT 1",
      "SELECT 1 \0; DROP TABLE t",
      "CREATE VIRTUAL TABLE f USING fts5(a)", "ALTER TABLE t RENAME TO u",
      "SELECT \"none\" FROM t",
    ])
  func refused(sql: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect { try answer(sql) } throws: { ($0 as? OfferliftError)?.exit == .usage }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try Folder.names(in: folder.url.path) == ["a ?#%41 b.sqlite"])
  }

  @Test(
    "A statement without end, or one that wants too much, is ended",
    arguments: [
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) SELECT i FROM n ORDER BY -i, hex(i)",
      "SELECT length(hex(zeroblob(1000000000)))", "SELECT randomblob(2000000000)",

      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT group_concat(i) FROM n",
    ])
  func endless(sql: String) {
    var bounds = ReadOnlyDatabase.Bounds()
    bounds.seconds = 1
    bounds.memory = 32 << 20
    #expect(throws: OfferliftError.self) { try answer(sql, bounds) }
  }

  @Test("Of more rows, or more bytes, than there may be the first come, and it says so")
  func cut() throws {
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n"
    let database = try ReadOnlyDatabase(path: path)
    #expect(try database.answer(many, rows: 4).rows.count == 4)
    #expect(try database.answer(many, rows: 4).isCut)
    #expect(try !database.answer(many, rows: 9).isCut)
    let wide = try database.answer(many.replacing("SELECT i FROM n", with: "SELECT printf('%.*c', 200000, 'x') FROM n"))
    #expect(wide.rows.count == 5 && wide.isCut)
  }

  @Test("A file that another program is changing, none, and no database are refused in words")
  func unreadable() throws {
    #expect { try ReadOnlyDatabase(path: folder.path("none.sqlite")) } throws: {
      ($0 as? OfferliftError)?.exit == .inputMissing
    }
    try folder.write("text.sqlite", String(repeating: "no database ", count: 100))
    #expect { try ReadOnlyDatabase(path: folder.path("text.sqlite")).answer("SELECT 1 FROM t") } throws: {
      ($0 as? OfferliftError)?.exit == .badData
    }
    try Data([1]).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect { try ReadOnlyDatabase(path: path) } throws: { ($0 as? OfferliftError)?.exit == .tryAgainLater }
  }

  @Test("It is read where nobody may write")
  func readOnlyFolder() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
    #expect(try answer("SELECT count(*) FROM t").rows == [[.integer(2)]])
  }
}
