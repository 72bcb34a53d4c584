import Domain
import Foundation
import Jobs
import Measurement
import Platform

/// The rows of a table or query of an SQLite file, which a process of its own reads (`QueryChild`).
package struct SQLiteRows {
  let file: InputFile
  package let input: TableInput
  let binding: ColumnBinding
  /// How many rows are enough, for those who only want to look; nil reads all.
  var limit: Int?
  /// Refuses a file that is no database; given its beginning.
  let opening: (Text, Bool) throws -> [String]

  /// What a query may take before it counts as one without end.
  private var bounds: SQLiteBounds { file.context.sqlite }

  /// Hands the rows to `body` and counts them.
  ///
  /// - Throws: `OfferliftError`, exit 65 where the file is not SQLite, or the query fails or has no end, 75 where another
  ///   program has locked it, 78 where a column is missing.
  func read(_ reading: inout FileReading, _ body: (RecordBatch, inout FileReading) throws -> Void) throws {
    guard try isDatabase(&reading) else { return }
    let bounds = bounds
    do {
      try readRows(try QueryChild(query(bounds, reading.account.bytes)), &reading, bounds, body)
    } catch let fault as QueryFault {
      throw refusal(fault)
    }
  }

  private func query(_ bounds: SQLiteBounds, _ fileBytes: Int64) -> Query {
    var query = Query(path: file.path, sql: input.query ?? "SELECT * FROM \(Self.quoted(input.table ?? ""))")
    query.patience = bounds.patience
    query.limits = bounds.limits(fileBytes: fileBytes)
    query.limits.longestCell = Int64(longestLine)
    return query
  }

  /// A name as SQL has it.
  private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// What to tell of a failure of SQLite's.
  private func refusal(_ fault: QueryFault) -> OfferliftError {
    let (name, said) = (file.displayName, fault.message)
    let check = "Check table: or query: (\(binding.jobLocation))."
    switch fault.kind {
    case .over, .ended:
      return OfferliftError(
        .badData,
        "\(name): SQLite works on and on without coming to a row: does the query end? \(check)")
    case .notReading:
      return OfferliftError(
        .badData,
        "\(name): SQLite says \"\(said.isEmpty ? "not a query" : said)\". A query reads, and is one SELECT, or WITH … SELECT: "
          + "nothing that writes, no PRAGMA, no ATTACH. \(check)")
    case .locked:
      return OfferliftError(
        .tryAgainLater,
        "\(name): another program has locked it, for longer than \(Int(bounds.patience)) seconds. Run again once that has "
          + "ended.")
    case .notOpened where hasLog:
      return OfferliftError(
        .badData,
        "\(name): SQLite says \"\(said)\". The database keeps a log beside it (WAL), which SQLite reads only in a folder "
          + "that it may write to: copy it, cp \(ShellText.quoted(name))* FOLDER, and name the copy.")
    case .memory:
      return OfferliftError(
        .badData, "\(name): SQLite wants more than \(bounds.memory >> 20) MiB of memory for a row. \(check)")
    case .misunderstood, .tooLong, .notOpened, .unreadable:
      return OfferliftError(.badData, "\(name): SQLite says \"\(said)\". \(check)")
    }
  }

  /// The file's header says that changes go to a log beside it. Source: SQLite, "Database File Format", offset 19.
  private var hasLog: Bool {
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
      if let packing = source.packing?.rawValue ?? ZipArchive.Position(file.path).map({ _ in "zip" }) {
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
    _ child: QueryChild, _ reading: inout FileReading, _ bounds: SQLiteBounds,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    let fieldOfColumn = try binding.fields(forHeader: child.columns)
    var cells = SQLiteCells(names: child.columns, fieldOfColumn: fieldOfColumn)
    try child.want(cells.columns)
    let batch = RecordBatch(width: binding.columns.count)
    let arena = TextArena()
    var room = bounds.room(fileBytes: reading.account.bytes)
    while true {
      batch.begin(.empty, byteOffset: 0, firstLine: reading.account.rows + 1)
      arena.clear()
      var held = 0
      while batch.count < batch.capacity, held < Self.batchBytes, try child.next(into: &cells.row) {
        let bytes = add(cells, arena, to: batch)
        held += bytes
        room -= Int64(bytes) + SQLiteBounds.bytesOfRow
        guard room >= 0 else { throw tooMuch }
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
        + "(\(binding.jobLocation)).")
  }

  /// Adds a row, and returns how many bytes it holds.
  private func add(_ cells: SQLiteCells, _ arena: TextArena, to batch: RecordBatch) -> Int {
    let fields = batch.nextFields()
    var fault: String?
    var (bytes, isTooLong) = (0, false)
    for position in cells.row.indices {
      guard let field = cells.field(position, arena) else {
        isTooLong = true
        continue
      }
      fields[cells.fields[position]] = field
      bytes += field.bytes.count
      if cells.isBinary(position, field.bytes) {
        fault = fault ?? binaryFault(cells, position)
      } else if !field.bytes.isUTF8 {
        fault = "the column \(cells.names[position]) holds a text that is not UTF-8; mend it in the database"
      }
    }
    let status: RecordBatch.Status = isTooLong ? .tooLong : fault == nil ? .sound : .invalidUTF8
    batch.add(0..<0, line: batch.count, status, detail: fault)
    return bytes
  }

  /// What is wrong with a column of bytes, and the query that makes texts of them.
  private func binaryFault(_ cells: SQLiteCells, _ position: Int) -> String {
    let name = Self.quoted(cells.names[position])
    let what = "the column \(cells.names[position]) holds bytes (BLOB) that are no text"
    guard let table = input.table else { return "\(what); in query: select lower(hex(\(name))) AS \(name) for it" }
    let columns = cells.names.indices.map { position in
      let name = Self.quoted(cells.names[position])
      return cells.isBlob(position) ? "lower(hex(\(name))) AS \(name)" : name
    }
    return "\(what); in place of table: say query: SELECT \(columns.joined(separator: ", ")) FROM "
      + Self.quoted(table)
  }
}
