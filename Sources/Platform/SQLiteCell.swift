import Foundation
import GRDBSQLite

/// A cell of the row that an SQLite statement stands on.
///
/// A database library makes a value of every cell, and asks for its column's name; of a hundred thousand rows that takes
/// three times as long as reading what SQLite holds.
package struct SQLiteCell {
  private let statement: OpaquePointer
  private let column: Int32

  /// - Parameters:
  ///   - statement: one that stands on a row, as SQLite knows it.
  ///   - column: from 0.
  package init(_ statement: OpaquePointer, column: Int) {
    (self.statement, self.column) = (statement, Int32(column))
  }

  /// Adds the cell to bytes: `head`, a letter for the kind of value (`i` whole number, `d` number by its bits, `s` text,
  /// `b` blob in base64), and the value; nothing where the cell is empty.
  ///
  /// - Returns: whether it is not empty.
  package func append(to bytes: inout [UInt8], behind head: [UInt8]) -> Bool {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return false
    case SQLITE_INTEGER: append("i", sqlite3_column_int64(statement, column), behind: head, to: &bytes)
    case SQLITE_FLOAT: append("d", sqlite3_column_double(statement, column).bitPattern, behind: head, to: &bytes)
    case SQLITE_TEXT:
      bytes += head
      bytes.append(UInt8(ascii: "s"))
      bytes += UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: size)
    default:
      bytes += head
      bytes.append(UInt8(ascii: "b"))
      let content = sqlite3_column_blob(statement, column).map { Data(bytes: $0, count: size) } ?? Data()
      bytes += content.base64EncodedData()
    }
    return true
  }

  /// How many bytes a text or a blob has that has been asked for.
  private var size: Int { Int(sqlite3_column_bytes(statement, column)) }

  private func append(
    _ kind: Unicode.Scalar, _ number: some FixedWidthInteger, behind head: [UInt8], to bytes: inout [UInt8]
  ) {
    bytes += head
    bytes.append(UInt8(ascii: kind))
    bytes += number.description.utf8
  }
}
