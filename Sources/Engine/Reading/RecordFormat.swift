/// Cuts bytes into rows and rows into fields; one conformance a file format.
package protocol RecordFormat {
  /// Puts as many whole rows as there are, and as the batch takes, into `batch`, which has begun with `text`.
  ///
  /// The text begins at the start of a row. Returns how many bytes and lines the rows and the blank lines around them
  /// took; zero bytes asks for more.
  ///
  /// - Parameter isLast: the file ends with the text.
  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int)

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

  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) -> (bytes: Int, lines: Int) {
    let end = isLast ? text.endIndex : text.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    return reader.readLines(text.slice(0..<end), into: batch)
  }
}
