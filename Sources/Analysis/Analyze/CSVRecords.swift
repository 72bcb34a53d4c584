import Engine

/// Takes a small CSV text apart (RFC 4180): a table typed in by hand or saved by a spreadsheet.
///
/// The logs of a run have their own, fast reader; this one is for a few hundred lines.
package struct CSVRecords {
  /// One line of the table, which may span several lines of the file.
  package struct Record: Equatable {
    /// Line of its first character, from 1.
    package var line: Int
    package var fields: [String]
  }

  /// A quote that never ends.
  package struct UnfinishedQuote: Error, Equatable {
    package var line: Int
  }

  private let bytes: [UInt8]
  private let delimiter: UInt8
  private var position = 0
  private var line = 1

  /// All records that are not blank.
  ///
  /// - Parameter delimiter: nil is comma, semicolon or tab, whichever the first line has most of.
  /// - Throws: `UnfinishedQuote`.
  package static func parse(_ bytes: [UInt8], delimiter: UInt8? = nil) throws(UnfinishedQuote) -> [Record] {
    var parser = CSVRecords(bytes, delimiter)
    var records: [Record] = []
    while let record = try parser.next() {
      if record.fields != [""] { records.append(record) }
    }
    return records
  }

  private init(_ bytes: [UInt8], _ delimiter: UInt8?) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    self.delimiter = delimiter ?? Self.likeliestDelimiter(self.bytes)
  }

  private static func likeliestDelimiter(_ bytes: [UInt8]) -> UInt8 {
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var (best, most) = (candidates[0], 0)
    for candidate in candidates {
      let count = header.count { $0 == candidate }
      if count > most { (best, most) = (candidate, count) }
    }
    return best
  }

  private mutating func next() throws(UnfinishedQuote) -> Record? {
    guard position < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try field())
      guard position < bytes.count, bytes[position] == delimiter else { break }
      position += 1
    }
    skipLineEnd()
    return record
  }

  private mutating func field() throws(UnfinishedQuote) -> String {
    var text: [UInt8] = []
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { text = try quoted() }
    while position < bytes.count, bytes[position] != delimiter, !isAtLineEnd {
      text.append(bytes[position])
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func quoted() throws(UnfinishedQuote) -> [UInt8] {
    let begun = line
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "\"") {
        guard position < bytes.count, bytes[position] == byte else { return text }
        position += 1
      }
      text.append(byte)
    }
    throw UnfinishedQuote(line: begun)
  }

  private var isAtLineEnd: Bool {
    let byte = bytes[position]
    if byte == UInt8(ascii: "\n") { return true }
    return byte == UInt8(ascii: "\r")
      && (position + 1 == bytes.count || bytes[position + 1] == UInt8(ascii: "\n"))
  }

  private mutating func skipLineEnd() {
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    line += 1
  }
}
