import CSimdjson

/// Cuts bytes into rows and rows into fields; one conformance a file format.
package protocol RecordFormat {
  /// Puts as many whole rows as there are, and as the batch takes, into `batch`.
  ///
  /// The bytes begin at the start of a row. `isLast` says that the file ends with them. Sets the batch's
  /// `count`, `rows` and `fields`, and returns how many bytes and lines those rows and the blank lines
  /// around them took; zero bytes asks for more.
  mutating func read(
    _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, into batch: RecordBatch
  ) throws -> (bytes: Int, lines: Int)

  /// The byte that ends a row: reading goes on behind the next one after a row too long to be held.
  var rowEnd: UInt8 { get }
}

extension RecordFormat {
  package var rowEnd: UInt8 { 0x0a }
}

/// JSON Lines through simdjson: picks named members.
struct JSONLines: RecordFormat {
  private let reader: JSONReader

  /// Reads members called `names`, in that order.
  init(names: [String]) {
    reader = JSONReader(names: names)
  }

  mutating func read(
    _ bytes: UnsafePointer<UInt8>, count: Int, isLast: Bool, into batch: RecordBatch
  ) throws -> (bytes: Int, lines: Int) {
    let whole = isLast ? count : lengthOfWholeLines(bytes, count)
    var consumed = 0
    var lines = 0
    batch.count = ol_json_reader_read(
      reader.handle, bytes, whole, batch.rows, batch.fields, batch.capacity, &consumed, &lines)
    return (consumed, lines)
  }
}

/// Length up to and with the last line feed; 0 where there is none.
func lengthOfWholeLines(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
  var length = count
  while length > 0, bytes[length - 1] != 0x0a { length -= 1 }
  return length
}
