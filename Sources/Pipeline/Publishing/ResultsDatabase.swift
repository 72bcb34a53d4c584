import Foundation
import GRDB

/// `results.sqlite`: the tables of every night a job has published, beside the nights' folders.
///
/// It is kept with a rollback journal, not a write-ahead log: between runs there is this one file and nothing
/// beside it, and after a crash SQLite puts the old content back when anybody opens it next.
struct ResultsDatabase {
  let path: String

  /// The schema this program writes, in `PRAGMA user_version`; it grows when a column changes its meaning.
  ///
  /// Tables and columns that are merely added need no new version: `SQLiteSchema` adds them where missing.
  static let version = 1

  private static let busySeconds = 30.0

  /// Changes the database in one transaction, on the disk when it returns.
  func write(_ change: (Database) throws -> Void) throws {
    try translatingErrors {
      let queue = try DatabaseQueue(path: path, configuration: configuration())
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try database.execute(sql: "PRAGMA synchronous = EXTRA")
        try database.inTransaction(.immediate) {
          try refuseNewer(database)
          try change(database)
          return .commit
        }
      }
      try queue.close()
    }
  }

  /// Reads from the database; nil where there is none yet.
  func read<Value>(_ query: (Database) throws -> Value?) throws -> Value? {
    guard Folder.exists(path) else { return nil }
    return try translatingErrors {
      let queue = try DatabaseQueue(path: path, configuration: configuration())
      let value = try queue.read { database in
        try refuseNewer(database)
        return try query(database)
      }
      try queue.close()
      return value
    }
  }

  /// - Throws: `OfferliftError` 73 if the file is newer than this program, or no database.
  func refuseUnusable() throws {
    _ = try read { _ in nil as Int? }
  }

  private func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.busySeconds)
    configuration.foreignKeysEnabled = true
    configuration.label = "results"
    return configuration
  }

  private func refuseNewer(_ database: Database) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found > Self.version else { return }
    throw OfferliftError(
      .cannotCreateOutput,
      "\(path) was written by a newer offerlift (schema \(found); this one knows \(Self.version)). "
        + "Use that offerlift, or move the file away to begin a new one.")
  }

  private func translatingErrors<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError {
      throw translation(of: error)
    }
  }

  /// SQLite's error in the words and exit codes of this program.
  private func translation(of error: DatabaseError) -> OfferliftError {
    let reason = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return OfferliftError(
        .tryAgainLater, "\(path) is locked by another program (\(reason)). Close it and run again.")
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM:
      return OfferliftError(.inputOutput, "cannot write \(path): \(reason). Free space there and run again.")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return OfferliftError(
        .cannotCreateOutput,
        "\(path) is damaged or no SQLite database (\(reason)). Move it away to begin a new one.")
    default:
      return OfferliftError(
        .cannotCreateOutput,
        "cannot write \(path): \(reason). Make the file and its folder writable, or give another --output.")
    }
  }
}
