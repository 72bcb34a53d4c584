import CSimdjson
import Foundation
import GRDB

/// The rows of a table or query of an SQLite file, opened read-only.
struct SQLiteRows {
  let file: InputFile
  let input: TableInput
  let binding: ColumnBinding

  /// Hands the rows to `body` and counts them.
  ///
  /// - Throws: `OfferliftError`, exit 65 where the file is not SQLite or the query fails, 78 where a column is
  ///   missing.
  func read(_ reading: inout FileReading, _ body: (RecordBatch, inout FileReading) throws -> Void) throws {
    let source = try ByteSource(path: file.path, displayName: file.displayName)
    try source.drain()
    reading.account.bytes = source.bytesRead
    reading.account.crc32 = source.crc32
    guard source.bytesRead > 0 else { return }
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

  private func readRows(
    _ database: Database, _ reading: inout FileReading,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    let query = input.query ?? "SELECT * FROM \((input.table ?? "").quotedDatabaseIdentifier)"
    let statement = try database.makeStatement(sql: query)
    let fieldOfColumn = try binding.fields(forHeader: statement.columnNames)
    let rows = try Row.fetchCursor(statement)
    let batch = RecordBatch(width: binding.columns.count)
    let arena = TextArena()
    while true {
      batch.count = 0
      batch.firstLine = reading.account.rows + 1
      arena.clear()
      while batch.count < batch.capacity, let row = try rows.next() {
        add(row, fieldOfColumn, arena, to: batch)
      }
      guard batch.count > 0 else { return }
      reading.account.rows += batch.count
      try body(batch, &reading)
    }
  }

  private func add(_ row: Row, _ fieldOfColumn: [Int], _ arena: TextArena, to batch: RecordBatch) {
    let fields = batch.fields(of: batch.count)
    fields.update(repeating: ol_field(), count: batch.width)
    for (column, field) in fieldOfColumn.enumerated() where field >= 0 {
      fields[field] = Self.field(row[column] as DatabaseValue, arena)
    }
    batch.rows[batch.count] = ol_row(
      offset: 0, length: 0, line: UInt32(batch.count), status: UInt32(ol_row_ok))
    batch.count += 1
  }

  private static func field(_ value: DatabaseValue, _ arena: TextArena) -> ol_field {
    let text: [UInt8]
    switch value.storage {
    case .null: return ol_field(bytes: nil, length: 0, kind: UInt32(ol_null))
    case .int64(let number): text = Array(String(number).utf8)
    case .double(let number): text = Array(plainDecimal(number).utf8)
    case .string(let string): text = Array(string.utf8)
    case .blob(let data): text = Array(data)
    }
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
