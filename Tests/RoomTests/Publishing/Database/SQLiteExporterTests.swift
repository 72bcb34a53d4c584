import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("results.sqlite over many nights")
struct SQLiteExporterTests {
  private let folder: ScratchFolder
  private var path: String { folder.path("results.sqlite") }
  private var database: ResultsDatabase { ResultsDatabase(path: path) }

  init() throws {
    folder = try ScratchFolder()
  }

  private func write(_ night: NightResult) throws {
    try PublishedNight.write(night, tables: ResultTables.tables(of: night), toDatabase: path)
  }

  private func column(_ sql: String) throws -> [String] {
    try database.read { try String.fetchAll($0, sql: sql) } ?? []
  }

  @Test("Nights pile up, and a night written again replaces its own rows alone")
  func manyNights() throws {
    try write(try PublishedNight.night(converted: 300))
    try write(try PublishedNight.night(converted: 310, asOf: PublishedNight.cutoff(days: 1)))
    try write(try PublishedNight.night(converted: 350))
    let query = """
      SELECT n.night || ' ' || s.sum_y FROM sufficient_statistics AS s JOIN nights AS n USING (job, as_of)
      WHERE s.test_group_id = 'group_a' AND s.kind = 'proportion' ORDER BY n.night
      """
    #expect(try column(query) == ["2026-03-31 350", "2026-04-01 310"])
    #expect(try column("SELECT COUNT(*) FROM comparisons") == ["4"])
  }

  @Test("A run at another instant of the same night takes that night's place")
  func otherCutoff() throws {
    let noon = Instant(milliseconds: HandMade.asOf.milliseconds - Instant.millisecondsPerDay / 2)
    try write(try PublishedNight.night(asOf: noon))
    try write(try PublishedNight.night())
    #expect(try column("SELECT as_of FROM nights") == ["2026-04-01T00:00:00Z"])
  }

  @Test("It holds the same tables as the folder")
  func sameTables() throws {
    try write(try PublishedNight.night())
    let tables = ResultTables.tables(of: try PublishedNight.night())
    for table in tables {
      #expect(try column("SELECT COUNT(*) FROM \"\(table.name)\"") == ["\(try PublishedNight.held(table).rows.count)"])
      let columns = try column("SELECT name FROM pragma_table_info('\(table.name)')")
      #expect(Array(columns.prefix(3)) == ["job", "as_of", "night"])
      #expect(Set(columns).isSuperset(of: table.columns.map { SQLiteName.name(of: $0.name) }))
    }
  }

  @Test("Sums of any size keep every digit, amounts go in as the nearest number")
  func wideSums() {
    #expect(SQLiteExporter.value(.integer(350), .sum) == "350".databaseValue)
    #expect(
      SQLiteExporter.value(.integer(Int128.max), .sum) == "170141183460469231731687303715884105727".databaseValue)
    #expect(SQLiteExporter.value(.integer(Int128(Int64.max)), .integer) == Int64.max.databaseValue)
    #expect(SQLiteExporter.value(.micros(7_990_000), .amount) == 7.99.databaseValue)
    #expect(SQLiteExporter.value(.micros(8_234_567_890_123_456), .amount) == 8234567890.123456.databaseValue)
    #expect(
      SQLiteExporter.value(.micros(-123_456_789_012_345_678), .amount) == (-123456789012.345678).databaseValue)
  }

  @Test("Every column has a type, and holds nothing of another")
  func typed() throws {
    try write(try PublishedNight.night())
    for table in ResultTables.all {
      #expect(
        try column("SELECT name FROM pragma_table_info('\(table.name)') WHERE type NOT IN ('TEXT', 'INTEGER', 'REAL')")
          == [])
      for name in table.columns.map({ SQLiteName.name(of: $0.name) }) {
        let others = try column(
          """
          SELECT DISTINCT typeof("\(name)") FROM "\(table.name)" WHERE "\(name)" IS NOT NULL AND upper(typeof("\(name)")) <>
          (SELECT type FROM pragma_table_info('\(table.name)') WHERE name = '\(name)')
          """)
        #expect(others == [], "\(table.name).\(name)")
      }
    }
  }

  @Test("A sum beyond 64 bits is not rounded on its way into a table")
  func beyond64Bits() throws {
    var night = try PublishedNight.night()
    night.statistics[0].sums.sumYY = Int128.max
    try write(night)
    #expect(
      try column("SELECT sum_yy FROM sufficient_statistics WHERE length(sum_yy) > 20")
        == ["170141183460469231731687303715884105727"])
  }

  @Test("latest_decisions has the newest night, everybody, primary metrics first")
  func latestDecisions() throws {
    try write(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1)))
    try write(try PublishedNight.night(converted: 100))
    #expect(
      try column("SELECT night || ' ' || metric || ' ' || decision FROM latest_decisions") == [
        "2026-04-01 paying_conversion_7d better", "2026-04-01 revenue_net_30d higher",
      ])
  }

  @Test("lift_over_time has every night in order")
  func liftOverTime() throws {
    try write(try PublishedNight.night(converted: 310, asOf: PublishedNight.cutoff(days: 1)))
    try write(try PublishedNight.night(converted: 300))
    #expect(
      try column("SELECT night || ' ' || rel_lift FROM lift_over_time WHERE metric = 'paying_conversion_7d'")
        == ["2026-03-31 0.5", "2026-04-01 0.55"])
  }

  @Test("A file of the first schema gets types and nights, and keeps its rows, its own columns and its readers' views")
  func firstSchema() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE nights (job TEXT NOT NULL, as_of TEXT NOT NULL, night TEXT NOT NULL, currency TEXT, content TEXT,
            PRIMARY KEY (job, as_of), UNIQUE (job, night));
          INSERT INTO nights VALUES ('test-job', '2026-03-01T00:00:00Z', '2026-02-28', 'USD', '0-0');
          CREATE TABLE sufficient_statistics (job TEXT, as_of TEXT, offering_id TEXT, mine, n, sum_y, sum_yy,
            FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE);
          CREATE INDEX sufficient_statistics_by_night ON sufficient_statistics (job, as_of);
          INSERT INTO sufficient_statistics VALUES ('test-job', '2026-03-01T00:00:00Z', 'spring', 'kept', 9,
            9007199254740993, '170141183460469231731687303715884105727');
          CREATE TABLE products (job TEXT, as_of TEXT, product_id TEXT, gross,
            FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE);
          INSERT INTO products VALUES ('test-job', '2026-03-01T00:00:00Z', 'a', 7.5),
            ('test-job', '2026-03-01T00:00:00Z', 'b', '1234567890.123456'), ('test-job', '2026-03-01T00:00:00Z', 'c', 3);
          CREATE VIEW readers_own AS SELECT product_id FROM products;
          PRAGMA user_version = 1;
          """)
    }
    try queue.close()
    try write(try PublishedNight.night())
    #expect(try column("PRAGMA user_version") == ["\(ResultsDatabase.version)"])
    #expect(
      try column(
        "SELECT night || n || mine || ' ' || sum_y || ' ' || sum_yy FROM sufficient_statistics WHERE mine IS NOT NULL")
        == ["2026-02-289kept 9007199254740993 170141183460469231731687303715884105727"])
    #expect(
      try column("SELECT typeof(gross) || gross FROM products WHERE night = '2026-02-28'")
        == ["real7.5", "real1234567890.12346", "real3.0"])
    #expect(try column("SELECT product_id FROM readers_own LIMIT 3") == ["a", "b", "c"])
    #expect(
      try column("SELECT name FROM pragma_table_info('sufficient_statistics') WHERE pk > 0 ORDER BY pk")
        == ["job", "as_of", "offering_id", "test_group_id", "segment", "metric"])
    #expect(try column("SELECT name FROM sqlite_master WHERE name LIKE 'offerlift%'") == [])
    #expect(try column("PRAGMA foreign_key_check") == [])
    #expect(try column("PRAGMA integrity_check") == ["ok"])
  }

  @Test("An older file gets the columns it lacks and keeps its nights")
  func olderFile() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE nights (job TEXT NOT NULL, as_of TEXT NOT NULL, night TEXT NOT NULL,
            PRIMARY KEY (job, as_of), UNIQUE (job, night));
          INSERT INTO nights VALUES ('test-job', '2026-03-01T00:00:00Z', '2026-02-28');
          CREATE TABLE checks (job TEXT, as_of TEXT, offering_id TEXT, "check" TEXT,
            FOREIGN KEY (job, as_of) REFERENCES nights (job, as_of) ON DELETE CASCADE);
          INSERT INTO checks VALUES ('test-job', '2026-03-01T00:00:00Z', 'spring', 'accounting');
          """)
    }
    try queue.close()
    try write(try PublishedNight.night())
    #expect(try column("PRAGMA user_version") == ["\(ResultsDatabase.version)"])
    #expect(try column("SELECT night FROM nights ORDER BY night") == ["2026-02-28", "2026-03-31"])
    #expect(try column("SELECT check_name FROM checks WHERE message IS NULL") == ["accounting"])
  }

  @Test("A newer file is refused untouched")
  func newerFile() throws {
    try write(try PublishedNight.night(converted: 300))
    try PublishedNight.change(database: path) { try $0.execute(sql: "PRAGMA user_version = 6") }
    let before = FileManager.default.contents(atPath: path)
    let error = try #require(throws: OfferliftError.self) {
      try write(try PublishedNight.night(converted: 350))
    }
    #expect(error.exit == .cannotCreateOutput)
    #expect(error.message.contains("written by a newer offerlift (schema 6; this one knows 5)"))
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("A file that is no database is refused, not written over")
  func noDatabase() throws {
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: OfferliftError.self) { try database.refuseUnusable() }
    #expect(error.exit == .cannotCreateOutput)
    #expect(error.message.contains("is damaged or no SQLite database"))
    #expect(error.message.contains("keep it"))
    #expect(FileManager.default.contents(atPath: path)?.count == 5000)
  }

  @Test("A read that fails is told as the system tells it, and not as damage")
  func failedRead() throws {
    try Folder.create(path)
    let error = try #require(throws: OfferliftError.self) { try database.refuseUnusable() }
    #expect(error.message.contains("is a folder"))
    #expect(!error.message.contains("damaged"))
  }

  @Test(
    "An error without words of its own is told in those of its kind",
    arguments: [
      (.SQLITE_FULL, .inputOutput, "database or disk is full"), (.SQLITE_IOERR, .inputOutput, "disk I/O error"),
      (.SQLITE_READONLY, .cannotCreateOutput, "attempt to write a readonly database"),
    ] as [(ResultCode, OfferliftError.ExitCode, String)])
  func wordless(
    code: ResultCode, exit: OfferliftError.ExitCode, words: String
  ) throws {
    let error = try #require(throws: OfferliftError.self) {
      try DatabaseFailure.translating(path) { throw DatabaseError(resultCode: code, message: "not an error") }
    }
    #expect(error.exit == exit && error.message.contains(words), "\(error)")
  }

  @Test("Readers neither wait nor are waited for, and go on reading what they began with")
  func readers() throws {
    try write(try PublishedNight.night(converted: 300))
    let reader = try DatabaseQueue(path: path)
    let query = "SELECT group_concat(DISTINCT sum_y) FROM sufficient_statistics WHERE test_group_id = 'group_a'"
    try reader.read { database in
      let before = try String.fetchOne(database, sql: query)
      try self.database.holdingOffWriters { try write(try PublishedNight.night(converted: 350)) }
      #expect(try String.fetchOne(database, sql: query) == before)
    }
    #expect(try column(query).first?.contains("350") == true)
  }

  @Test("Whoever changes the file for long keeps the night waiting, and then it says so")
  func slowWriter() throws {
    try write(try PublishedNight.night(converted: 300))
    let other = try DatabaseQueue(path: path)
    try other.inTransaction(.immediate) { _ in
      var hasRun = false
      let error = try #require(throws: OfferliftError.self) {
        try ResultsDatabase(path: path, patienceSeconds: 0).holdingOffWriters { hasRun = true }
      }
      #expect(error.exit == .tryAgainLater && error.message.contains("being changed by another program"))
      #expect(!hasRun)
      return .rollback
    }
  }

  @Test("A copy of the one file, made at any instant, is a whole database")
  func copied() throws {
    try write(try PublishedNight.night(converted: 300))
    let copy = folder.path("copy.sqlite")
    try database.holdingOffWriters {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    }
    let found = try ResultsDatabase(path: copy).read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
    #expect(found == "ok")
  }

  @Test("A file that somebody set to a write-ahead log comes back to being one file")
  func writeAheadLog() throws {
    try write(try PublishedNight.night(converted: 300))
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE mine (x)") }
    try other.close()
    try database.holdingOffWriters { try write(try PublishedNight.night(converted: 350)) }
    #expect(folder.names() == ["results.sqlite"])
    #expect(try column("PRAGMA journal_mode") == ["delete"])
    #expect(try column("SELECT name FROM sqlite_master WHERE name = 'mine'") == ["mine"])
  }

  @Test("Names are data: quotes and SQL in an id are stored as they stand")
  func hostileNames() throws {
    var night = try PublishedNight.night()
    night.comparisons[0].key.group = "x'); DROP TABLE nights; --\""
    try write(night)
    #expect(try column("SELECT test_group_id FROM comparisons").contains("x'); DROP TABLE nights; --\""))
  }

  @Test("Nothing lies beside the file when the run has ended")
  func nothingBeside() throws {
    try write(try PublishedNight.night())
    #expect(folder.names() == ["results.sqlite"])
    #expect(try column("PRAGMA journal_mode") == ["delete"])
  }

  @Test("Foreign keys hold every row to its night")
  func foreignKeys() throws {
    try write(try PublishedNight.night())
    try PublishedNight.change(database: path) { try $0.execute(sql: "DELETE FROM nights") }
    #expect(try column("SELECT COUNT(*) FROM comparisons") == ["0"])
  }

  @Test("An older database gets the new tables and keeps its nights")
  func olderDatabase() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    let tables = ResultTables.tables(of: try PublishedNight.night())
    let added = ["products", "funnels", "states", "retention", "failures"]
    #expect(Set(tables.map(\.name)).isSuperset(of: added))
    let older = tables.filter { !added.contains($0.name) }
    try PublishedNight.write(try PublishedNight.night(), tables: older, toDatabase: path)
    let next = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1))
    try PublishedNight.write(next, tables: ResultTables.tables(of: next), toDatabase: path)
    let database = ResultsDatabase(path: path)
    func count(_ sql: String) throws -> Int? { try database.read { try Int.fetchOne($0, sql: sql) } }
    #expect(try count("SELECT COUNT(*) FROM nights") == 2)
    #expect(try count("SELECT COUNT(*) FROM states") == 20)
    #expect(try count("SELECT COUNT(DISTINCT as_of) FROM comparisons") == 2)
  }

  @Test("A file whose columns had names of SQL's own gets others, with its rows, and its checksums hold")
  func keywords() throws {
    try write(try PublishedNight.night(converted: 300))
    let retained = try column("SELECT metric || is_primary FROM comparisons ORDER BY 1")
    try PublishedNight.change(database: path) { database in
      // As version 4 left it.
      for view in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'view'") {
        try database.execute(sql: "DROP VIEW \(view)")
      }
      for (table, name, old) in [
        ("comparisons", "is_primary", "primary"), ("checks", "check_name", "check"), ("plans", "test_plan", "plan"),
        ("inputs_history", "rows_read", "rows"),
      ] {
        try database.execute(sql: "ALTER TABLE \(table) RENAME COLUMN \(name) TO \"\(old)\"")
      }
      try database.execute(
        sql: """
          DROP TABLE columns;
          CREATE TABLE plain AS SELECT * FROM comparisons;
          DROP TABLE comparisons;
          ALTER TABLE plain RENAME TO comparisons;
          PRAGMA user_version = 4;
          """)
      for view in SQLiteView.all(of: ResultTables.all.map { Table(name: $0.name, columns: $0.columns, rows: []) })
      where ["daily", "arrivals"].contains(view.name) {
        try database.execute(sql: "CREATE VIEW \(view.name) AS \(view.query)")
      }
      try database.execute(
        sql: """
          CREATE VIEW inputs AS SELECT n.job, n.as_of, n.night, h.input, h.file, h.bytes, h.crc32, h."rows", h.used, h.reason,
            h.rows_set_aside FROM nights AS n JOIN inputs_history AS h ON h.job = n.job AND h.night <= n.night
            AND (h.until IS NULL OR h.until > n.night);
          DROP TABLE night_checksums
          """)
      try NightChecksums.record(
        "2026-03-31", of: ResultTables.all.map(\.name), in: database)
    }
    try write(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1)))
    #expect(try column("PRAGMA user_version") == ["\(ResultsDatabase.version)"])
    #expect(
      try column("SELECT metric || is_primary FROM comparisons WHERE night = '2026-03-31' ORDER BY 1") == retained)
    #expect(try column("SELECT COUNT(*) FROM checks WHERE night = '2026-03-31' AND check_name = 'accounting'") == ["1"])
    #expect(try column("SELECT SUM(rows_read) > 0 FROM inputs WHERE night = '2026-03-31'") == ["1"])
    #expect(try column("SELECT COUNT(*) FROM pragma_table_info('comparisons') WHERE pk > 0").first != "0")
    #expect(try column("PRAGMA foreign_key_check") == [])
    #expect(try ResultsDatabase(path: path).read { try NightChecksums.mismatch(in: $0) } == nil)
  }

  @Test("Every column of every table stands in the table columns, with a meaning and a unit where it is a number")
  func columnList() throws {
    try write(try PublishedNight.night())
    let listed = try column("SELECT table_name || '.' || column_name FROM columns ORDER BY 1")
    let there = try column(
      """
      SELECT m.name || '.' || c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.name IN (SELECT table_name FROM columns) ORDER BY 1
      """)
    #expect(listed == there)
    #expect(try column("SELECT COUNT(*) FROM columns WHERE meaning = ''") == ["0"])
    #expect(
      try column(
        "SELECT column_name FROM columns WHERE holds = 'number' AND unit = '' AND column_name <> 'cuped_theta'") == [])
    #expect(
      try column(
        "SELECT unit FROM columns WHERE table_name = 'comparisons' AND column_name IN ('rel_lift', 'p_value') ORDER BY 1"
      )
        == ["probability, 0 to 1", "share of the baseline's value"])
  }

  @Test("metrics says what each metric is counted in, and which way is better")
  func metrics() throws {
    try write(try PublishedNight.night())
    #expect(
      try column("SELECT id || ' ' || unit || ' ' || window_days || ' ' || goal FROM metrics ORDER BY 1")
        == ["paying_conversion_7d share 7.0 increase", "revenue_net_30d USD 7.0 increase"])
  }

  @Test("Keys tell rows apart")
  func keys() throws {
    try write(try PublishedNight.night())
    for table in ["comparisons", "group_metrics", "metrics", "plans", "states", "sufficient_statistics", "verdicts"] {
      let key = try column("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
      #expect(key.prefix(2) == ["job", "as_of"], "\(table): \(key)")
    }
    // A file that a job names twice has its rows twice.
    #expect(try column("SELECT name FROM pragma_table_info('inputs_history') WHERE pk > 0") == [])
    let row = "SELECT * FROM states LIMIT 1"
    let error = try #require(throws: OfferliftError.self) {
      try PublishedNight.change(database: path) { try $0.execute(sql: "INSERT INTO states \(row)") }
    }
    #expect(error.message.contains("UNIQUE constraint failed: states.job, states.as_of"), "\(error)")
  }
}
