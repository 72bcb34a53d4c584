import Domain
import Foundation

/// An SQLite file that is asked questions and never written to, not even a log or a lock beside it.
///
/// Statements may be a stranger's: each is answered by a process of its own (`QueryChild`), so that one that does anything
/// but read is refused before it runs, and one that does not end in time, or wants more than its bounds, is ended. The file
/// has to be one that is replaced whole and never changed in place, as `results.sqlite` is.
package final class ReadOnlyDatabase {
  /// What a statement may take.
  package struct Bounds: Sendable {
    package var rows = 2000
    /// Bytes of all cells together.
    package var bytes = 1 << 20
    /// Seconds of the clock.
    package var seconds = 10.0
    /// Steps of SQLite's virtual machine from one row to the next.
    package var steps: Int64 = 500_000_000
    /// Bytes that SQLite may have.
    package var memory: Int64 = 128 << 20
    /// Bytes of a statement.
    package var statement: Int32 = 100_000

    package init() {}

    /// Functions work on until they are done, in time that grows with the product of their texts' lengths.
    private static let longestText: Int32 = 256 << 10

    fileprivate var limits: Query.Limits {
      var limits = Query.Limits()
      (limits.memory, limits.steps, limits.seconds) = (memory, steps, seconds)
      (limits.processorSeconds, limits.longestStatement) = (seconds, statement)
      limits.longestText = Self.longestText
      return limits
    }
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
  package let userVersion: Int
  private let path: String
  private let bounds: Bounds

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
    try Self.refuseChanging(path)
    userVersion = try Self.userVersion(of: path)
  }

  /// The answer of one `SELECT` or `WITH … SELECT`.
  ///
  /// - Parameter arguments: texts in the place of the statement's `?`.
  /// - Throws: `OfferliftError` 64 where it is no such statement or SQLite does not understand it, 65 where the file is
  ///   damaged or the statement goes beyond its bounds.
  package func answer(_ sql: String, _ arguments: [String] = [], rows: Int? = nil) throws -> Answer {
    guard !sql.utf8.contains(0) else {
      throw OfferliftError(.usage, "The statement holds a NUL character; leave it out.")
    }
    guard sql.utf8.count < Int(bounds.statement) else {
      throw OfferliftError(.usage, "The statement is longer than \(bounds.statement) bytes; ask in smaller parts.")
    }
    var query = Query(path: path, sql: sql)
    (query.arguments, query.isImmutable, query.limits) = (arguments, true, bounds.limits)
    do {
      let child = try QueryChild(query)
      try child.want(Array(child.columns.indices))
      return try read(child, most: min(rows ?? bounds.rows, bounds.rows))
    } catch let fault as QueryFault {
      throw failure(fault)
    }
  }

  private func read(_ child: QueryChild, most: Int) throws -> Answer {
    var answer = Answer(columns: child.columns)
    var (row, bytes): ([QueryCell], Int) = ([], 0)
    while try child.next(into: &row) {
      let values = row.map(Value.init)
      bytes += values.reduce(0) { $0 + $1.size + 4 }
      answer.isCut = answer.rows.count >= most || bytes > bounds.bytes
      guard !answer.isCut else { break }
      answer.rows.append(values)
    }
    return answer
  }

  // MARK: - The file

  /// Reads past a log that another program keeps would show what was once, and not what is.
  private static func refuseChanging(_ path: String) throws {
    for suffix in ["-wal", "-journal"] {
      guard let found = try? FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int, found > 0
      else { continue }
      throw OfferliftError(
        .tryAgainLater,
        "\(path) is being changed by another program, whose log \(suffix) lies beside it. Close that program and ask again."
      )
    }
  }

  /// Source: SQLite, "Database File Format", section 1.3, offsets 0 and 60.
  private static func userVersion(of path: String) throws -> Int {
    var header: [UInt8] = []
    _ = try FileReader(path, displayName: path).read(into: &header, upTo: 100)
    guard header.count >= 100, header.starts(with: Array("SQLite format 3".utf8) + [0]) else {
      throw OfferliftError(.badData, "\(path) cannot be read: it is no SQLite database.")
    }
    return header[60..<64].reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: - What failed

  private static let oneStatement =
    "Only one SELECT, or WITH … SELECT, is answered: nothing that writes, no PRAGMA, no ATTACH, no EXPLAIN, and no second "
    + "statement behind it"

  private func failure(_ fault: QueryFault) -> OfferliftError {
    let said = fault.message
    switch fault.kind {
    case .notReading:
      return OfferliftError(.usage, Self.oneStatement + (said.isEmpty ? "." : " (SQLite says \"\(said)\")."))
    case .over, .ended:
      return OfferliftError(
        .badData,
        "The statement was ended after \(Int(bounds.seconds)) seconds or \(bounds.steps) steps of SQLite's; does it end? Ask "
          + "for one night, or for fewer rows.")
    case .memory:
      return OfferliftError(
        .badData, "The statement wants more than \(bounds.memory >> 20) MiB of memory; ask for fewer rows or columns.")
    case .tooLong: return OfferliftError(.usage, "The statement makes a text that is too long; ask for less.")
    case .misunderstood: return OfferliftError(.usage, "SQLite says \"\(said)\".")
    case .locked, .notOpened, .unreadable:
      return OfferliftError(.badData, "\(path) cannot be read: SQLite says \"\(said)\".")
    }
  }
}

extension ReadOnlyDatabase.Value {
  fileprivate init(_ cell: QueryCell) {
    self =
      switch cell {
      case .null, .tooLong: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(String(decoding: text, as: UTF8.self))
      case .blob(let blob): .bytes(Array(blob))
      }
  }

  /// In bytes, as a text.
  fileprivate var size: Int {
    switch self {
    case .null: 0
    case .integer(let number): "\(number)".utf8.count
    case .real(let number): "\(number)".utf8.count
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}
