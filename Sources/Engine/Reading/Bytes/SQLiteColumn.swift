import GRDB
import GRDBSQLite

/// One column of the row that an SQLite statement stands on.
///
/// Texts are taken byte by byte, as they are stored: SQLite checks neither that they are UTF-8 nor that they hold no
/// NUL, and a text that was read up to its first NUL would be another id.
struct SQLiteColumn {
  let statement: Statement
  /// From 0.
  let number: Int

  /// What stands in the column, copied to `arena`; numbers in plain decimal notation.
  func field(_ arena: TextArena) -> Field {
    let (row, column) = (statement.sqliteStatement, CInt(number))
    switch sqlite3_column_type(row, column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return Field(arena.copy("\(sqlite3_column_int64(row, column))".utf8), .number)
    case SQLITE_FLOAT: return Field(arena.copy(Self.plainDecimal(sqlite3_column_double(row, column)).utf8), .number)
    case SQLITE_TEXT: return text(sqlite3_column_text(row, column), arena)
    // What is in a blob is taken for a text.
    default: return text(sqlite3_column_blob(row, column)?.assumingMemoryBound(to: UInt8.self), arena)
    }
  }

  /// In bytes, of a text or a blob; 0 of anything else.
  var textLength: Int {
    let (row, column) = (statement.sqliteStatement, CInt(number))
    let isText = [SQLITE_TEXT, SQLITE_BLOB].contains(sqlite3_column_type(row, column))
    return isText ? Int(sqlite3_column_bytes(row, column)) : 0
  }

  /// The column holds a blob.
  var isBlob: Bool { sqlite3_column_type(statement.sqliteStatement, CInt(number)) == SQLITE_BLOB }

  /// The column holds a blob that is no text, an id of sixteen bytes say.
  func isBinary(_ bytes: Text) -> Bool {
    isBlob && (!bytes.isUTF8 || bytes.contains { $0 < 0x20 || $0 == 0x7f })
  }

  private func text(_ bytes: UnsafePointer<UInt8>?, _ arena: TextArena) -> Field {
    let count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement.sqliteStatement, CInt(number)))
    return Field(arena.copy(UnsafeBufferPointer(start: bytes, count: count)), .string)
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
