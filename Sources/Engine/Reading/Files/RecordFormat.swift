/// Cuts bytes into rows and rows into fields; one conformance a file format.
package protocol RecordFormat {
  /// Puts as many whole rows as there are, and as the batch takes, into `batch`, which has begun with `text`.
  ///
  /// The text begins at the start of a row. Returns how many bytes and lines the rows and the blank lines around them
  /// took; zero bytes asks for more.
  ///
  /// - Parameter isLast: the file ends with the text, or the text is known to end with a row.
  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int)

  /// The byte that ends a row: reading goes on behind the next one after a row too long to be held.
  var rowEnd: UInt8 { get }

  /// Looks at the beginning of a row too long to be held, before it is dropped.
  ///
  /// - Throws: `OfferliftError`, exit 65, where it is many rows, whose ends are others than those of the rows before.
  mutating func look(atLongRow text: Text, line: Int) throws

  // MARK: - Files read by several tasks

  /// Whether another reader may go on behind the rows that have been read.
  var isShareable: Bool { get }

  /// Where the last whole row ends of a text that begins with a row and is not the file's last; 0 where none does.
  func endOfRows(in text: Text) -> Int

  /// Takes over what another reader of the file has learned from its beginning.
  mutating func goOn(from other: Self)
}

extension RecordFormat {
  package var rowEnd: UInt8 { 0x0a }
  package func look(atLongRow text: Text, line: Int) {}

  /// One reader reads all: only who has read the rows before it knows where a row ends.
  package var isShareable: Bool { false }
  package func endOfRows(in text: Text) -> Int { 0 }
  package mutating func goOn(from other: Self) {}
}

/// JSON Lines: picks named members.
///
/// A line may hold several objects, and be longer than what is held of the file at once: then its objects are read as far
/// as they are in sight.
struct JSONLines: RecordFormat {
  private let reader: JSONReader

  /// Reads members called `names`, in that order.
  init(names: [String]) {
    reader = JSONReader(names: names)
  }

  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) -> (bytes: Int, lines: Int) {
    let end = isLast ? text.endIndex : endOfRows(in: text)
    return reader.readLines(text.slice(0..<end), into: batch)
  }

  /// An object may stand behind any line feed: within objects they are escaped.
  var isShareable: Bool { true }

  func endOfRows(in text: Text) -> Int {
    text.lastIndex(of: 0x0a).map { $0 + 1 } ?? JSONReader.lengthOfObjects(text)
  }
}
