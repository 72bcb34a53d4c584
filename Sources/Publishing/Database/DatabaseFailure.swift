import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// SQLite's errors in the words and exit codes of this program.
enum DatabaseFailure {
  /// Does the work on the database at `path`; its errors come out as `OfferliftError`.
  static func translating<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError {
      throw translation(of: error, path)
    }
  }

  private static func translation(of error: DatabaseError, _ path: String) -> OfferliftError {
    let reason = words(of: error)
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return OfferliftError(
        .tryAgainLater,
        "\(path) is being changed by another program, and did not come free (\(reason)). Close it and run again.")
    case .SQLITE_FULL:
      return OfferliftError(.inputOutput, "cannot write \(path): \(reason). Free space there and run again.")
    case .SQLITE_IOERR, .SQLITE_NOMEM:
      return unreadable(path)
        ?? OfferliftError(
          .inputOutput, "cannot read or write \(path): \(reason). Run again when the disk is well.")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return unreadable(path) ?? damaged(path, reason)
    case .SQLITE_CANTOPEN:
      return unreadable(path) ?? notWritable(path, reason)
    default:
      return notWritable(path, reason)
    }
  }

  /// SQLite's own words, or those of the error's kind: of a copy that failed SQLite says "not an error".
  private static func words(of error: DatabaseError) -> String {
    let kind = DatabaseError(resultCode: error.resultCode).message ?? "SQLite error \(error.resultCode.rawValue)"
    guard let message = error.message, message != "not an error" else { return kind }
    return message
  }

  private static func notWritable(_ path: String, _ reason: String) -> OfferliftError {
    OfferliftError(
      .cannotCreateOutput,
      "cannot write \(path): \(reason). Make the file and its folder writable, or give another --output.")
  }

  /// The error with which reading the whole file fails; nil if it can be read.
  private static func unreadable(_ path: String) -> OfferliftError? {
    do {
      guard try Folder.exists(path) else { return nil }
      try StoredFile.read(path) { _ in }
      return nil
    } catch {
      return error as? OfferliftError
    }
  }

  /// SQLite reports a read that failed as damage, so the file is looked at once more.
  private static func damaged(_ path: String, _ reason: String) -> OfferliftError {
    // Of a first night nothing stands there: what failed is the reading of its copy.
    guard (try? Folder.exists(path)) != false else {
      return OfferliftError(
        .inputOutput,
        "cannot read back what was written for \(path): SQLite says \(reason), so a read failed. Run again.")
    }
    guard !isSound(path) else {
      return OfferliftError(
        .inputOutput,
        "cannot read \(path): SQLite says \(reason), yet the file is sound, so a read failed. Run again.")
    }
    let folder = Folder.parent(of: path)
    return OfferliftError(
      (try? NightFolders(folder).published.isEmpty) == false ? .inputOutput : .cannotCreateOutput,
      "\(path) is damaged or no SQLite database (\(reason)). It is all there is of the nights' history: keep it. "
        + "Put a backup in its place, or what `sqlite3 \(path) .recover` can save"
        + HistoryCheck.rebuilding(folder, or: "; to publish meanwhile, give another --output."))
  }

  private static func isSound(_ path: String) -> Bool {
    var configuration = Configuration()
    configuration.readonly = true
    let found = try? DatabaseQueue(path: path, configuration: configuration).read { database in
      try String.fetchOne(database, sql: "PRAGMA quick_check")
    }
    return found == "ok"
  }
}
