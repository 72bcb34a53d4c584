import CSQLite
import Foundation
import GRDBSQLite

/// An SQLite file of a stranger's and the statement that is asked of it, in the process that is there for nothing else.
///
/// Statement and schema are hostile: a statement that does anything but read is refused before it runs, and what a schema
/// holds (views, generated columns) reaches nothing beyond the file. Source: SQLite, "Defense Against The Dark Arts".
final class QueriedDatabase {
  /// What the statement's columns are called.
  private(set) var columns: [String] = []
  private let query: Query
  private let watch: StatementWatch
  private var connection: OpaquePointer?
  private var statement: OpaquePointer?

  /// - Throws: `QueryFault`.
  init(_ query: Query) throws {
    self.query = query
    watch = StatementWatch(query.limits)
    try open()
    try harden()
    watch.begin(on: connection)
    statement = try prepared()
    for (position, text) in zip(Int32(1)..., query.arguments) {
      sqlite3_bind_text(statement, position, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
    columns = (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(connection)
  }

  // MARK: - Opening

  private func open() throws {
    sqlite3_hard_heap_limit64(query.limits.memory)
    let plain = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let code =
      query.isImmutable
      ? sqlite3_open_v2(address, &connection, plain | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW, nil)
      : sqlite3_open_v2(query.path, &connection, plain, nil)
    guard code == SQLITE_OK else { throw fault(code) }
    sqlite3_busy_timeout(connection, Int32(clamping: Int(query.patience * 1000)))
  }

  /// The file as SQLite's URIs name it: whatever may mean something there is written by its code. Source: SQLite, "Uniform
  /// Resource Identifiers", section 3.3.
  private var address: String {
    let absolute = URL(fileURLWithPath: query.path).path
    let letters = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~")
    return "file:\(absolute.addingPercentEncoding(withAllowedCharacters: letters) ?? absolute)?immutable=1"
  }

  private func harden() throws {
    for (option, isOn) in Self.switches { offerlift_configure(connection, option, isOn) }
    // In a file of ours a quoted name is a column's: one that is no longer there would be taken for a text.
    if query.isImmutable { offerlift_configure(connection, SQLITE_DBCONFIG_DQS_DML, 0) }
    let limits = [
      (SQLITE_LIMIT_LENGTH, query.limits.longestText), (SQLITE_LIMIT_SQL_LENGTH, query.limits.longestStatement),
      (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 100),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { if let value { sqlite3_limit(connection, limit, value) } }
    // Where nothing may be written, what is sorted stays in memory.
    let sorting = query.limits.temporaryFile == 0 ? ["temp_store = MEMORY"] : []
    for setting in sorting + ["query_only = ON", "cell_size_check = ON", "mmap_size = 0"] {
      let code = sqlite3_exec(connection, "PRAGMA \(setting)", nil, nil, nil)
      guard code == SQLITE_OK else { throw fault(code) }
    }
    sqlite3_set_authorizer(connection, { _, action, _, name, _, _ in QueriedDatabase.permission(action, name) }, nil)
  }

  private static let switches: [(Int32, Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
  ]

  /// Functions that reach beyond the database.
  private static let refusedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit",
  ]

  /// Reading, and nothing else. Source: SQLite, "Authorizer Action Codes".
  private static func permission(_ action: Int32, _ function: UnsafePointer<CChar>?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: SQLITE_OK
    case SQLITE_FUNCTION:
      function.map { refusedFunctions.contains(String(cString: $0).lowercased()) } ?? true ? SQLITE_DENY : SQLITE_OK
    default: SQLITE_DENY
    }
  }

  // MARK: - The statement

  private func prepared() throws -> OpaquePointer {
    let statements = try allPrepared()
    guard statements.count == 1, sqlite3_stmt_readonly(statements[0]) != 0, sqlite3_stmt_isexplain(statements[0]) == 0,
      sqlite3_column_count(statements[0]) > 0
    else {
      statements.forEach { sqlite3_finalize($0) }
      throw QueryFault(kind: .notReading)
    }
    return statements[0]
  }

  /// The text's statements; at most two, as one more than one is too many.
  private func allPrepared() throws -> [OpaquePointer] {
    try query.sql.withCString { text in
      var found: [OpaquePointer] = []
      var next: UnsafePointer<CChar>? = text
      while let here = next, here.pointee != 0, found.count < 2 {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, here, -1, &statement, &next)
        guard code == SQLITE_OK else {
          found.forEach { sqlite3_finalize($0) }
          throw found.isEmpty ? fault(code) : QueryFault(kind: .notReading)
        }
        if let statement { found.append(statement) }
      }
      return found
    }
  }

  // MARK: - Rows

  /// Steps to the next row; false where there is none any more.
  ///
  /// - Throws: `QueryFault`.
  func next() throws -> Bool {
    watch.beginRow()
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw fault(code) }
    return code == SQLITE_ROW
  }

  /// Adds a cell of the row that the statement stands on to bytes, as `QueryRows` has it.
  func append(_ column: Int, to bytes: inout [UInt8]) {
    QueryRows.append(cell(Int32(column)), to: &bytes)
  }

  private func cell(_ column: Int32) -> QueryCell {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_NULL: return .null
    case SQLITE_TEXT:
      // Made a text in UTF-8 first, and then measured.
      let start = UnsafeRawPointer(sqlite3_column_text(statement, column))
      return bytes(start, column).map { .text($0) } ?? .tooLong
    default:
      let start = sqlite3_column_blob(statement, column)
      return bytes(start, column).map { .blob($0) } ?? .tooLong
    }
  }

  private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> ArraySlice<UInt8>? {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard Int64(count) <= query.limits.longestCell else { return nil }
    return ArraySlice(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  // MARK: - What failed

  private func fault(_ code: Int32) -> QueryFault {
    let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    return QueryFault(kind: watch.isOver ? .over : Self.kind(of: code & 0xff, said), message: said)
  }

  private static func kind(of code: Int32, _ said: String) -> QueryFault.Kind {
    switch code {
    // What is refused within a statement may come with another code than its own.
    case _ where code == SQLITE_AUTH || said.hasPrefix("not authorized"): .notReading
    case SQLITE_BUSY, SQLITE_LOCKED: .locked
    case SQLITE_CANTOPEN, SQLITE_READONLY: .notOpened
    case SQLITE_NOMEM: .memory
    case SQLITE_TOOBIG: .tooLong
    case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISMATCH, SQLITE_INTERRUPT: .misunderstood
    default: .unreadable
    }
  }
}

/// Looks on while a statement works, and ends it where it goes beyond its time or its steps. For one thread.
private final class StatementWatch {
  private let limits: Query.Limits
  private let end: ContinuousClock.Instant?
  private var steps: Int64 = 0
  private(set) var isOver = false

  private static let stepsOfCall: Int32 = 10_000

  init(_ limits: Query.Limits) {
    self.limits = limits
    end = limits.seconds.map { .now + .seconds($0) }
  }

  /// SQLite ends what goes beyond its bounds as interrupted.
  func begin(on connection: OpaquePointer?) {
    sqlite3_progress_handler(
      connection, Self.stepsOfCall,
      { context in context.map { Unmanaged<StatementWatch>.fromOpaque($0).takeUnretainedValue().tick() } ?? 0 },
      Unmanaged.passUnretained(self).toOpaque())
  }

  func beginRow() { steps = 0 }

  /// 1 where the statement is to end.
  private func tick() -> Int32 {
    steps += Int64(Self.stepsOfCall)
    isOver = isOver || steps > limits.steps || end.map { ContinuousClock.now > $0 } ?? false
    return isOver ? 1 : 0
  }
}
