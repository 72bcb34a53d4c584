import CSimdjson
import Domain

/// A run of rows, each the same few fields, pointing into the bytes they were read from.
///
/// Rows and fields lie in two flat buffers that are used again for every batch: reading allocates nothing a
/// row. What a field points at lives until the next batch.
package final class RecordBatch {
  /// Fields a row.
  package let width: Int
  let capacity: Int
  package let rows: UnsafeMutablePointer<ol_row>
  package let fields: UnsafeMutablePointer<ol_field>
  package var count = 0
  /// Where the batch begins: its first byte, that byte's offset in the unpacked file, its line from 1.
  package var bytes: UnsafePointer<UInt8>
  package var byteOffset: Int64 = 0
  var firstLine = 1
  /// Why a row that is not OK is not, where the format can say.
  package var details: [Int: String] = [:]

  init(width: Int, capacity: Int = 2048) {
    self.width = width
    self.capacity = capacity
    rows = .allocate(capacity: capacity)
    fields = .allocate(capacity: capacity * max(width, 1))
    bytes = UnsafePointer(rows).withMemoryRebound(to: UInt8.self, capacity: 1) { $0 }
  }

  deinit {
    rows.deallocate()
    fields.deallocate()
  }

  /// The fields of one row.
  package func fields(of row: Int) -> UnsafeMutablePointer<ol_field> {
    fields + row * width
  }

  /// Line of a row's first byte, from 1.
  package func line(of row: Int) -> Int { firstLine + Int(rows[row].line) }

  /// Offset of a row's first byte in the unpacked file.
  package func byteOffset(of row: Int) -> Int64 { byteOffset + Int64(rows[row].offset) }

  /// A row's first bytes, for `rejects`.
  package func excerpt(of row: Int) -> [UInt8] {
    let length = min(Int(rows[row].length), Reject.excerptLength)
    return Array(UnsafeBufferPointer(start: bytes + Int(rows[row].offset), count: length))
  }

  /// The reject a row becomes.
  package func reject(_ row: Int, _ reason: SetAsideReason, _ detail: String) -> Reject {
    Reject(
      account: 0, line: line(of: row), byteOffset: byteOffset(of: row), reason: reason, detail: detail,
      excerpt: excerpt(of: row))
  }

  /// Why the format could not read a row; nil where it could.
  func fault(of row: Int) -> Reject? {
    switch rows[row].status {
    case UInt32(ol_row_ok): nil
    case UInt32(ol_row_invalid_utf8):
      reject(
        row, .invalidUTF8,
        details[row]
          ?? "the line is not UTF-8; if all of the file is in another encoding write it anew, iconv -f CP1252 -t UTF-8")
    case UInt32(ol_row_too_long): reject(row, .lineTooLong, "the line is longer than \(longestLine) bytes")
    default: reject(row, .malformed, details[row] ?? "the line is not exactly one valid JSON object")
    }
  }
}

/// The longest row that is read, in bytes.
let longestLine = 1 << 20

extension Reject {
  /// How much of a rejected row is kept.
  static let excerptLength = 200
}

extension ol_field {
  /// The field is not there, or there and NULL.
  var isMissing: Bool { kind <= UInt32(ol_null) }

  var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: Int(length)) }

  /// The field's bytes as text, for messages and small tables.
  package var text: String { String(decoding: buffer, as: UTF8.self) }
}
