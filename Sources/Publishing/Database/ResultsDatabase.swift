import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// `results.sqlite`: the tables of every night a job has published, beside the nights' folders.
///
/// A night never changes the file: it changes a copy, which takes the file's place in one step. So readers and writers
/// never wait for one another, the file can be copied at any instant, and reading needs neither a place to write nor
/// locks, as a write-ahead log would: it works on a medium for reading only and over a network's file system. A program
/// that keeps the file open sees the new night when it opens it again.
struct ResultsDatabase {
  let path: String
  /// How long another program may take to end its own change of the file.
  var patienceSeconds = 30.0

  /// The schema this program writes, in `PRAGMA user_version`; it grows when a column changes its meaning.
  ///
  /// Tables, columns and views that are merely added need no new version: `SQLiteSchema` adds them where missing.
  /// From 2 on every column has a type and every table the night; from 3 on `daily` is a view (`SQLiteHistory`),
  /// from 4 on `arrivals` and `inputs` are; from 5 on no column has a name of SQL's own (`SQLiteName`), and tables have keys.
  static let version = 5

  /// Makes a copy of the database at `copy`, or an empty one where there is none yet, and changes that in one
  /// transaction.
  func copy(to copy: String, changing change: (Database) throws -> Void) throws {
    try FileWriter.write([], to: copy)
    try DatabaseFailure.translating(path) {
      let target = try queue(copy: copy)
      if try Folder.exists(path) {
        let source = try DatabaseQueue(path: path, configuration: configuration { $0.readonly = true })
        try source.backup(to: target)
        try source.close()
      }
      try target.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          try refuseNewer(database)
          try change(database)
          return .commit
        }
        try closeGaps(database)
      }
      try target.close()
    }
  }

  /// Changes a copy once more, as the last thing that happens to it. It is on the disk when this returns.
  func change(copy: String, _ change: (Database) throws -> Void) throws {
    try DatabaseFailure.translating(path) {
      let target = try queue(copy: copy)
      try target.write(change)
      try target.close()
    }
    try StoredFile.sync(copy)
  }

  /// No other program knows the copy, and one half made is thrown away: it needs no journal on the disk.
  private func queue(copy: String) throws -> DatabaseQueue {
    try DatabaseQueue(
      path: copy,
      configuration: configuration {
        $0.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY") }
      })
  }

  /// Makes the file smaller where most of it is empty, as after a change of layout.
  private func closeGaps(_ database: Database) throws {
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    if empty > pages / 2 { try database.execute(sql: "VACUUM") }
  }

  /// Does the work while no other program can change the database; readers go on reading.
  ///
  /// - Throws: `OfferliftError` 75 if another program is changing it and does not end.
  func holdingOffWriters<Value>(_ work: () throws -> Value) throws -> Value {
    guard try Folder.exists(path) else { return try work() }
    return try DatabaseFailure.translating(path) {
      let queue = try DatabaseQueue(path: path, configuration: configuration())
      return try queue.writeWithoutTransaction { database in
        try leaveWriteAheadLog(database)
        // Nothing is changed: the transaction is there for its lock, which lets readers in.
        try database.beginTransaction(.immediate)
        defer { try? database.rollback() }
        return try work()
      }
    }
  }

  /// Reads from the database; nil where there is none yet.
  func read<Value>(_ query: (Database) throws -> Value?) throws -> Value? {
    guard try Folder.exists(path) else { return nil }
    try StoredFile.refuseOther(path)
    return try DatabaseFailure.translating(path) {
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

  private func configuration(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patienceSeconds)
    configuration.foreignKeysEnabled = true
    configuration.label = "results"
    change(&configuration)
    return configuration
  }

  /// Takes back a `PRAGMA journal_mode = WAL` of somebody else's, whose log beside the file would outlive it.
  private func leaveWriteAheadLog(_ database: Database) throws {
    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
    guard mode != "delete" else { return }
    throw DatabaseError(resultCode: .SQLITE_BUSY, message: "it is open in journal mode \(mode ?? "?")")
  }

  private func refuseNewer(_ database: Database) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found > Self.version else { return }
    throw OfferliftError(
      .cannotCreateOutput,
      "\(path) was written by a newer offerlift (schema \(found); this one knows \(Self.version)). "
        + "Use that offerlift, or give another --output to begin a new history.")
  }
}
