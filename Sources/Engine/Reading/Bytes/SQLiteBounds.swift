import GRDB
import GRDBSQLite

/// How much a query may take before it counts as one without end, or one that wants what this machine has not got: a view
/// may go round for ever, or make a gigabyte of one row.
struct SQLiteBounds: Sendable {
  /// How much memory SQLite may have, in bytes.
  var memory: Int64 = 512 << 20
  /// Steps of its virtual machine from one row to the next: some ten seconds of them, and as many more as going through a
  /// file several times takes.
  var steps: Int64 = 1_000_000_000
  static let stepsOfByte: Int64 = 100
  /// Bytes of all rows together, and as many more as a file may tell by joins.
  var bytes: Int64 = 256 << 20
  static let bytesOfByte: Int64 = 100
  /// What a row counts for beside its texts.
  static let bytesOfRow: Int64 = 64

  /// Sets the limit of memory, which is one for the whole process.
  func limitMemory() { sqlite3_hard_heap_limit64(memory) }
}

/// Looks on while a query gives its rows, and ends it where it goes beyond its bounds. For one thread at a time.
final class SQLiteWatch {
  private let mostCalls: Int64
  private var calls: Int64 = 0
  private var room: Int64

  private static let stepsOfCall: Int32 = 100_000

  /// - Parameter fileBytes: the size of the database.
  init(_ bounds: SQLiteBounds, fileBytes: Int64) {
    mostCalls = (bounds.steps + fileBytes * SQLiteBounds.stepsOfByte) / Int64(Self.stepsOfCall)
    room = bounds.bytes + fileBytes * SQLiteBounds.bytesOfByte
  }

  /// Whether there is room for one row more, whose texts have so many bytes.
  func hasRoom(forRowOf bytes: Int) -> Bool {
    calls = 0
    room -= Int64(bytes) + SQLiteBounds.bytesOfRow
    return room >= 0
  }

  /// Does the work; SQLite ends it as interrupted where no row comes in time.
  func during(_ database: Database, _ work: () throws -> Void) rethrows {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      database.sqliteConnection, Self.stepsOfCall,
      { context in context.map { Unmanaged<SQLiteWatch>.fromOpaque($0).takeUnretainedValue().isBeyond } ?? 0 }, context)
    defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
    try work()
  }

  /// 1 where the query is to end, as SQLite asks for it.
  private var isBeyond: CInt {
    calls += 1
    return calls > mostCalls ? 1 : 0
  }
}
