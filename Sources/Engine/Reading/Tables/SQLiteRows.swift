import Domain
import Foundation
import GRDB
import Jobs
import Measurement
import Platform

/// The rows of a table or query of an SQLite file, opened read-only.
package struct SQLiteRows {
  let file: InputFile
  package let input: TableInput
  let binding: ColumnBinding
  /// How many rows are enough, for those who only want to look; nil reads all.
  var limit: Int?
  /// Refuses a file that is no database; given its beginning.
  let opening: (Text, Bool) throws -> [String]

  /// For so many seconds a file that another program has locked is waited for. Tests make do with less.
  @TaskLocal static var patience: TimeInterval = 10
  /// What a query may take before it counts as one without end. Tests make do with less.
  @TaskLocal static var bounds = SQLiteBounds()

  /// Hands the rows to `body` and counts them.
  ///
  /// - Throws: `OfferliftError`, exit 65 where the file is not SQLite, or the query fails or has no end, 75 where another
  ///   program has locked it, 78 where a column is missing.
  func read(_ reading: inout FileReading, _ body: (RecordBatch, inout FileReading) throws -> Void) throws {
    guard try isDatabase(&reading) else { return }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(Self.patience)
      let database = try DatabaseQueue(path: file.path, configuration: configuration)
      let bounds = Self.bounds
      let watch = SQLiteWatch(bounds, fileBytes: reading.account.bytes)
      try database.read { database in
        bounds.limitMemory()
        try watch.during(database) { try readRows(database, &reading, watch, body) }
      }
    } catch let error as DatabaseError {
      throw refusal(error)
    }
  }

  /// What to tell of a failure of SQLite's.
  private func refusal(_ error: DatabaseError) -> OfferliftError {
    let (name, said) = (file.displayName, error.message ?? "unknown error")
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return OfferliftError(
        .tryAgainLater,
        "\(name): another program has locked it, for longer than \(Int(Self.patience)) seconds. Run again once that has "
          + "ended.")
    case .SQLITE_CANTOPEN where keepsLog, .SQLITE_READONLY where keepsLog:
      return OfferliftError(
        .badData,
        "\(name): SQLite says \"\(said)\". The database keeps a log beside it (WAL), which SQLite reads only in a folder "
          + "that it may write to: copy it, cp \(ShellText.quoted(name))* FOLDER, and name the copy.")
    case .SQLITE_INTERRUPT:
      return OfferliftError(
        .badData,
        "\(name): SQLite works on and on without coming to a row: does the query end? Check table: or query: "
          + "(\(binding.jobPlace)).")
    case .SQLITE_NOMEM:
      return OfferliftError(
        .badData,
        "\(name): SQLite wants more than \(Self.bounds.memory >> 20) MiB of memory for a row. Check table: or query: "
          + "(\(binding.jobPlace)).")
    default:
      return OfferliftError(
        .badData, "\(name): SQLite says \"\(said)\". Check table: or query: (\(binding.jobPlace)).")
    }
  }

  /// The file's header says that changes go to a log beside it. Source: SQLite, "Database File Format", offset 19.
  private var keepsLog: Bool {
    guard let source = try? ByteSource(path: file.path, displayName: file.displayName),
      let header = try? source.read(upTo: 20), header.count == 20
    else { return false }
    return header[19] == 2
  }

  /// What every database begins with. Source: SQLite, "Database File Format", offset 0.
  private static let mark = Array("SQLite format 3".utf8) + [0]

  /// Looks at the file as it lies on disk; false where it is empty.
  private func isDatabase(_ reading: inout FileReading) throws -> Bool {
    let source = try ByteSource(path: file.path, displayName: file.displayName)
    let beginning: [UInt8]
    do { beginning = try source.read(upTo: inspectedBytes) } catch let corrupt as CorruptFile {
      throw OfferliftError(.badData, "\(corrupt.fault). \(corrupt.remedy).")
    }
    if !beginning.isEmpty {
      guard beginning.starts(with: Self.mark) else {
        _ = try beginning.withText { try opening($0, false) }
        return false
      }
      if let packing = source.packing?.rawValue ?? ZipArchive.Place(file.path).map({ _ in "zip" }) {
        throw OfferliftError(
          .badData,
          "\(file.displayName) is an SQLite file packed with \(packing); SQLite reads it in place, so unpack it.")
      }
    }
    try source.drain()
    reading.account.bytes = source.bytesRead
    reading.account.crc32 = source.crc32
    return source.bytesRead > 0
  }

  private func readRows(
    _ database: Database, _ reading: inout FileReading, _ watch: SQLiteWatch,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    let query = input.query ?? "SELECT * FROM \((input.table ?? "").quotedDatabaseIdentifier)"
    let statement = try database.makeStatement(sql: query)
    let names = statement.columnNames
    let fieldOfColumn = try binding.fields(forHeader: names)
    let rows = try Row.fetchCursor(statement)
    if case .search(let search) = file.part { search.witness?.rowsAreNumbered = true }
    let batch = RecordBatch(width: binding.columns.count)
    let arena = TextArena()
    if case .numbered(let row) = file.part {
      for _ in 1..<row { _ = try rows.next() }
      batch.begin(.empty, byteOffset: 0, firstLine: row)
      guard try rows.next() != nil else { return }
      add(statement, fieldOfColumn, arena, to: batch)
      reading.account.rows = 1
      return try body(batch, &reading)
    }
    while true {
      batch.begin(.empty, byteOffset: 0, firstLine: reading.account.rows + 1)
      arena.clear()
      var held = 0
      while batch.count < batch.capacity, held < Self.batchBytes, try rows.next() != nil {
        let bytes = add(statement, fieldOfColumn, arena, to: batch)
        held += bytes
        guard watch.hasRoom(forRowOf: bytes) else { throw tooMuch }
      }
      guard batch.count > 0 else { return }
      reading.account.rows += batch.count
      try body(batch, &reading)
      if let limit, reading.account.rows >= limit { return }
    }
  }

  /// So many bytes of rows are held at once, and one row more.
  private static let batchBytes = 16 << 20

  private var tooMuch: OfferliftError {
    OfferliftError(
      .badData,
      "\(file.displayName): the rows are more than a file of its size can tell: does the query end? Check table: or query: "
        + "(\(binding.jobPlace)).")
  }

  /// Adds the row that the statement stands on, and returns how many bytes it holds.
  @discardableResult
  private func add(_ statement: Statement, _ fieldOfColumn: [Int], _ arena: TextArena, to batch: RecordBatch) -> Int {
    let fields = batch.nextFields()
    var fault: String?
    var (bytes, isTooLong) = (0, false)
    for (column, field) in fieldOfColumn.enumerated() where field >= 0 {
      let cell = SQLiteColumn(statement: statement, number: column)
      guard cell.textLength <= longestLine else {
        isTooLong = true
        continue
      }
      fields[field] = cell.field(arena)
      bytes += fields[field].bytes.count
      if cell.isBinary(fields[field].bytes) {
        fault = fault ?? binaryFault(statement, fieldOfColumn, column)
      } else if !fields[field].bytes.isUTF8 {
        fault = "the column \(statement.columnNames[column]) holds a text that is not UTF-8; mend it in the database"
      }
    }
    let status: RecordBatch.Status = isTooLong ? .tooLong : fault == nil ? .sound : .invalidUTF8
    batch.add(0..<0, line: batch.count, status, detail: fault)
    return bytes
  }

  /// What is wrong with a column of bytes, and the query that makes texts of them.
  private func binaryFault(_ statement: Statement, _ fieldOfColumn: [Int], _ column: Int) -> String {
    let name = statement.columnNames[column].quotedDatabaseIdentifier
    let what = "the column \(statement.columnNames[column]) holds bytes (BLOB) that are no text"
    guard let table = input.table else { return "\(what); in query: select lower(hex(\(name))) AS \(name) for it" }
    let columns = statement.columnNames.indices.filter { fieldOfColumn[$0] >= 0 }.map { place in
      let name = statement.columnNames[place].quotedDatabaseIdentifier
      return SQLiteColumn(statement: statement, number: place).isBlob ? "lower(hex(\(name))) AS \(name)" : name
    }
    return "\(what); in place of table: say query: SELECT \(columns.joined(separator: ", ")) FROM "
      + table.quotedDatabaseIdentifier
  }
}
