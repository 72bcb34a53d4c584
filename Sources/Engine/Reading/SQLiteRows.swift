import CSimdjson
import Domain
import Foundation
import GRDB
import GRDBSQLite
import Jobs
import Platform

/// The rows of a table or query of an SQLite file, opened read-only.
///
/// Texts are taken byte by byte, as they are stored: SQLite checks neither that they are UTF-8 nor that they hold no
/// NUL, and a text that was read up to its first NUL would be another id.
package struct SQLiteRows {
  let file: InputFile
  package let input: TableInput
  let binding: ColumnBinding
  let declared: DeclaredFormat
  /// How many rows are enough, for those who only want to look; nil reads all.
  var limit: Int?

  /// Hands the rows to `body` and counts them.
  ///
  /// - Throws: `OfferliftError`, exit 65 where the file is not SQLite or the query fails, 78 where a column is
  ///   missing.
  func read(_ reading: inout FileReading, _ body: (RecordBatch, inout FileReading) throws -> Void) throws {
    guard try isDatabase(&reading) else { return }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let database = try DatabaseQueue(path: file.path, configuration: configuration)
      try database.read { try readRows($0, &reading, body) }
    } catch let error as DatabaseError {
      throw OfferliftError(
        .badData,
        "\(file.displayName): SQLite says \"\(error.message ?? "unknown error")\". "
          + "Check table: or query: (\(binding.jobPlace)).")
    }
  }

  /// Looks at the file as it lies on disk; false where it is empty.
  private func isDatabase(_ reading: inout FileReading) throws -> Bool {
    let source = try ByteSource(path: file.path, displayName: file.displayName)
    let beginning = UnsafeMutableRawBufferPointer.allocate(byteCount: FileLook.sampleSize, alignment: 16)
    defer { beginning.deallocate() }
    let count = try source.read(into: beginning)
    if count > 0 {
      let bytes = UnsafeBufferPointer(start: beginning.assumingMemoryBound(to: UInt8.self).baseAddress, count: count)
      guard ForeignFile(bytes) == .sqlite else {
        try declared.check(bytes, isWhole: false)
        return false
      }
      if source.isPacked {
        throw OfferliftError(
          .badData, "\(file.displayName) is an SQLite file packed with gzip; SQLite reads it in place, so unpack it.")
      }
    }
    try source.drain()
    reading.account.bytes = source.bytesRead
    reading.account.crc32 = source.crc32
    return source.bytesRead > 0
  }

  private func readRows(
    _ database: Database, _ reading: inout FileReading,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    let query = input.query ?? "SELECT * FROM \((input.table ?? "").quotedDatabaseIdentifier)"
    let statement = try database.makeStatement(sql: query)
    let names = statement.columnNames
    let fieldOfColumn = try binding.fields(forHeader: names)
    let rows = try Row.fetchCursor(statement)
    let batch = RecordBatch(width: binding.columns.count)
    let arena = TextArena()
    while true {
      batch.count = 0
      batch.details.removeAll()
      batch.firstLine = reading.account.rows + 1
      arena.clear()
      while batch.count < batch.capacity, try rows.next() != nil {
        add(statement.sqliteStatement, fieldOfColumn, names, arena, to: batch)
      }
      guard batch.count > 0 else { return }
      reading.account.rows += batch.count
      try body(batch, &reading)
      if let limit, reading.account.rows >= limit { return }
    }
  }

  /// Adds the row that the statement stands on.
  private func add(
    _ statement: SQLiteStatement, _ fieldOfColumn: [Int], _ names: [String], _ arena: TextArena, to batch: RecordBatch
  ) {
    let fields = batch.fields(of: batch.count)
    fields.update(repeating: ol_field(), count: batch.width)
    var fault: String?
    for (column, field) in fieldOfColumn.enumerated() where field >= 0 {
      fields[field] = Self.field(statement, CInt(column), arena)
      if ol_is_utf8(fields[field].bytes, Int(fields[field].length)) == 0 {
        fault = "the column \(names[column]) holds a text that is not UTF-8; mend it in the database"
      }
    }
    batch.rows[batch.count] = ol_row(
      offset: 0, length: 0, line: UInt32(batch.count),
      status: UInt32(fault == nil ? ol_row_ok : ol_row_invalid_utf8))
    batch.details[batch.count] = fault
    batch.count += 1
  }

  private static func field(_ statement: SQLiteStatement, _ column: CInt, _ arena: TextArena) -> ol_field {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return ol_field(bytes: nil, length: 0, kind: UInt32(ol_null))
    case SQLITE_INTEGER: return number("\(sqlite3_column_int64(statement, column))", arena)
    case SQLITE_FLOAT: return number(plainDecimal(sqlite3_column_double(statement, column)), arena)
    case SQLITE_TEXT: return text(sqlite3_column_text(statement, column), of: statement, column, arena)
    default:
      let bytes = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
      return text(bytes, of: statement, column, arena)
    }
  }

  private static func number(_ digits: String, _ arena: TextArena) -> ol_field {
    let bytes = Array(digits.utf8)
    return ol_field(bytes: UnsafePointer(arena.copy(bytes)), length: UInt32(bytes.count), kind: UInt32(ol_number))
  }

  /// What lies at `bytes`, all of it: a text may hold NULs, and what is in a blob is taken for a text.
  private static func text(
    _ bytes: UnsafePointer<UInt8>?, of statement: SQLiteStatement, _ column: CInt, _ arena: TextArena
  ) -> ol_field {
    let text = UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    return ol_field(bytes: UnsafePointer(arena.copy(text)), length: UInt32(text.count), kind: UInt32(ol_string))
  }

  /// SQLite keeps `7.99` as a double; its shortest decimal form is the number that was typed. Rates can be so
  /// small that this form has an exponent: `3.9e-05` is written out.
  private static func plainDecimal(_ number: Double) -> String {
    guard number.isFinite else { return "\(number)" }
    let parts = "\(number.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa[0] + (mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : "")
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    digits += String(repeating: "0", count: max(0, point - digits.count))
    let fraction = digits.dropFirst(point)
    return (number < 0 ? "-" : "") + digits.prefix(point) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
