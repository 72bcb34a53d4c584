import Domain
import Foundation
import GRDBSQLite

/// An SQLite file that is asked questions and never written to, not even a log or a lock beside it.
///
/// Statements may be a stranger's: one that does anything but read is refused before it runs, and one that does not end in
/// time, or wants more than its bounds, is ended. The file has to be one that is replaced whole and never changed in
/// place, as `results.sqlite` is: it is opened as immutable. Source: SQLite, "Uniform Resource Identifiers", section 3.3.
package final class ReadOnlyDatabase {
  /// What a statement may take.
  package struct Bounds: Sendable {
    package var rows = 2000
    /// Bytes of all cells together.
    package var bytes = 1 << 20
    /// Seconds of the clock.
    package var seconds = 10.0
    /// Steps of SQLite's virtual machine.
    package var steps: Int64 = 500_000_000
    /// Bytes that SQLite may have, of the whole process.
    package var memory: Int64 = 128 << 20
    /// Bytes of a statement.
    package var statement: Int32 = 100_000

    package init() {}
  }

  package enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
  }

  /// What a statement came to.
  package struct Answer: Sendable, Equatable {
    package let columns: [String]
    package fileprivate(set) var rows: [[Value]] = []
    /// There are more rows than the bounds let through.
    package fileprivate(set) var isCut = false
  }

  /// `PRAGMA user_version`.
  package private(set) var userVersion = 0
  private let path: String
  private let bounds: Bounds
  private var connection: OpaquePointer?

  /// - Throws: `OfferliftError` 66 where there is no file, 65 where it is no database, 75 where another program is
  ///   changing it in place.
  package init(path: String, bounds: Bounds = Bounds()) throws {
    (self.path, self.bounds) = (path, bounds)
    guard try Folder.exists(path) else {
      throw OfferliftError(.inputMissing, "\(path) is not there; publish a night first.")
    }
    guard try Folder.isFile(path) else {
      throw OfferliftError(.inputMissing, "\(path) is no file, or a link to one; only a file in its place is read.")
    }
    try refuseChanging()
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_NOFOLLOW
    let code = sqlite3_open_v2(Self.address(of: path), &connection, flags, nil)
    guard code == SQLITE_OK else { throw failure(code) }
    try setBounds()
    userVersion = try integer("PRAGMA user_version")
    sqlite3_set_authorizer(
      connection, { _, action, _, function, _, _ in ReadOnlyDatabase.permission(action, function) }, nil)
  }

  deinit { sqlite3_close_v2(connection) }

  /// The answer of one `SELECT` or `WITH … SELECT`.
  ///
  /// - Parameter arguments: texts in the place of the statement's `?`.
  /// - Throws: `OfferliftError` 64 where it is no such statement or SQLite does not understand it, 65 where the file is
  ///   damaged or the statement goes beyond its bounds.
  package func answer(_ sql: String, _ arguments: [String] = [], rows: Int? = nil) throws -> Answer {
    let statement = try statement(sql)
    defer { sqlite3_finalize(statement) }
    for (place, text) in zip(Int32(1)..., arguments) {
      sqlite3_bind_text(statement, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
    let clock = StatementClock(bounds)
    return try clock.during(connection) { try read(statement, most: min(rows ?? bounds.rows, bounds.rows), clock) }
  }

  // MARK: - Opening

  /// Reads past a log that another program keeps would show what was once, and not what is.
  private func refuseChanging() throws {
    for suffix in ["-wal", "-journal"] {
      guard let found = try? FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int, found > 0
      else { continue }
      throw OfferliftError(
        .tryAgainLater,
        "\(path) is being changed by another program, whose log \(suffix) lies beside it. Close that program and ask again."
      )
    }
  }

  /// The file as SQLite's URIs name it: whatever may mean something there is written by its code.
  private static func address(of path: String) -> String {
    let absolute = URL(fileURLWithPath: path).path
    let letters = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~")
    return "file:\(absolute.addingPercentEncoding(withAllowedCharacters: letters) ?? absolute)?immutable=1"
  }

  private func setBounds() throws {
    sqlite3_hard_heap_limit64(bounds.memory)
    let limits = [
      // A function works on until it is done, whatever the clock says: instr of two texts takes their lengths' product.
      (SQLITE_LIMIT_LENGTH, 256 << 10), (SQLITE_LIMIT_SQL_LENGTH, bounds.statement), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 100), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(connection, limit, value) }
    // What is sorted stays in memory: nothing is written anywhere.
    for setting in ["temp_store = MEMORY", "trusted_schema = OFF", "query_only = ON"] {
      let code = sqlite3_exec(connection, "PRAGMA \(setting)", nil, nil, nil)
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  private func integer(_ sql: String) throws -> Int {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard code == SQLITE_OK else { throw failure(code) }
    let step = sqlite3_step(statement)
    guard step == SQLITE_ROW else { throw failure(step) }
    return Int(sqlite3_column_int64(statement, 0))
  }

  // MARK: - What a statement may do

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

  private static let oneStatement =
    "Only one SELECT, or WITH … SELECT, is answered: nothing that writes, no PRAGMA, no ATTACH, no EXPLAIN, and no second "
    + "statement behind it"

  private func statement(_ sql: String) throws -> OpaquePointer? {
    guard !sql.utf8.contains(0) else {
      throw OfferliftError(.usage, "The statement holds a NUL character; leave it out.")
    }
    guard sql.utf8.count < Int(bounds.statement) else {
      throw OfferliftError(.usage, "The statement is longer than \(bounds.statement) bytes; ask in smaller parts.")
    }
    let statements = try prepared(sql)
    guard statements.count == 1, sqlite3_stmt_readonly(statements[0]) != 0, sqlite3_stmt_isexplain(statements[0]) == 0,
      sqlite3_column_count(statements[0]) > 0
    else {
      statements.forEach { sqlite3_finalize($0) }
      throw OfferliftError(.usage, "\(Self.oneStatement).")
    }
    return statements[0]
  }

  /// The text's statements; at most two, as one more than one is too many.
  private func prepared(_ sql: String) throws -> [OpaquePointer] {
    try sql.withCString { text in
      var found: [OpaquePointer] = []
      var next: UnsafePointer<CChar>? = text
      while let here = next, here.pointee != 0, found.count < 2 {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, here, -1, &statement, &next)
        guard code == SQLITE_OK else {
          found.forEach { sqlite3_finalize($0) }
          throw found.isEmpty ? failure(code) : OfferliftError(.usage, "\(Self.oneStatement).")
        }
        if let statement { found.append(statement) }
      }
      return found
    }
  }

  // MARK: - Reading rows

  private func read(_ statement: OpaquePointer?, most: Int, _ clock: StatementClock) throws -> Answer {
    let width = sqlite3_column_count(statement)
    var answer = Answer(
      columns: (0..<width).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" })
    var bytes = 0
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return answer }
      guard code == SQLITE_ROW else { throw clock.isOver ? clock.refusal : failure(code) }
      bytes += (0..<width).reduce(0) { $0 + Int(sqlite3_column_bytes(statement, $1)) + 4 }
      answer.isCut = answer.rows.count >= most || bytes > bounds.bytes
      guard !answer.isCut else { return answer }
      answer.rows.append((0..<width).map { Self.value(statement, $0) })
    }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_NULL: return .null
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    default:
      let start = sqlite3_column_blob(statement, column)
      return .bytes(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    }
  }

  // MARK: - What failed

  private func failure(_ code: Int32) -> OfferliftError {
    let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    switch code & 0xff {
    // What is refused within a statement may come with another code than its own.
    case _ where code & 0xff == SQLITE_AUTH || said.hasPrefix("not authorized"):
      return OfferliftError(.usage, "\(Self.oneStatement) (SQLite says \"\(said)\").")
    case SQLITE_NOMEM:
      return OfferliftError(
        .badData, "The statement wants more than \(bounds.memory >> 20) MiB of memory; ask for fewer rows or columns.")
    case SQLITE_TOOBIG: return OfferliftError(.usage, "The statement makes a text that is too long; ask for less.")
    case SQLITE_ERROR, SQLITE_RANGE, SQLITE_MISMATCH, SQLITE_INTERRUPT:
      return OfferliftError(.usage, "SQLite says \"\(said)\".")
    default: return OfferliftError(.badData, "\(path) cannot be read: SQLite says \"\(said)\".")
    }
  }
}

/// Looks on while a statement works, and ends it where it goes beyond its time or its steps. For one thread.
private final class StatementClock {
  private let bounds: ReadOnlyDatabase.Bounds
  private let end: UInt64
  private var steps: Int64 = 0
  private(set) var isOver = false

  private static let stepsOfCall: Int32 = 10_000

  init(_ bounds: ReadOnlyDatabase.Bounds) {
    self.bounds = bounds
    end = DispatchTime.now().uptimeNanoseconds + UInt64(bounds.seconds * 1e9)
  }

  var refusal: OfferliftError {
    OfferliftError(
      .badData,
      "The statement was ended after \(Int(bounds.seconds)) seconds or \(bounds.steps) steps of SQLite's; does it end? Ask "
        + "for one night, or for fewer rows.")
  }

  func during<Value>(_ connection: OpaquePointer?, _ work: () throws -> Value) rethrows -> Value {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      connection, Self.stepsOfCall,
      { context in context.map { Unmanaged<StatementClock>.fromOpaque($0).takeUnretainedValue().tick() } ?? 0 }, context
    )
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    return try work()
  }

  /// 1 where the statement is to end.
  private func tick() -> Int32 {
    steps += Int64(Self.stepsOfCall)
    isOver = isOver || steps > bounds.steps || DispatchTime.now().uptimeNanoseconds > end
    return isOver ? 1 : 0
  }
}
