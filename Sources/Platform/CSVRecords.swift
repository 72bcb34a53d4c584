/// Takes a whole small CSV text apart: a table typed in by hand or saved by a spreadsheet.
///
/// It is lenient: rows may have any number of fields, and text behind a closing quote belongs to the field.
package struct CSVRecords {
  /// One line of the table, which may span several lines of the file.
  package struct Record: Equatable {
    /// Line of its first character, from 1.
    package var line: Int
    package var fields: [String]
  }

  /// A quote that never ends.
  package struct UnfinishedQuote: Error, Equatable {
    /// Line of the quote, from 1.
    package var line: Int
  }

  private let text: ArraySlice<UInt8>
  private let delimiter: UInt8
  private var at: Int
  private var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private init(_ text: ArraySlice<UInt8>, delimiter: UInt8) {
    (self.text, self.delimiter, at) = (text, delimiter, text.startIndex)
  }

  /// All lines that are not blank.
  ///
  /// - Parameter delimiter: nil is comma, semicolon or tab, whichever the first line has most of.
  /// - Throws: `UnfinishedQuote`.
  package static func parse(_ bytes: [UInt8], delimiter: UInt8? = nil) throws(UnfinishedQuote) -> [Record] {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    var rest = CSVRecords(text, delimiter: delimiter ?? likeliestDelimiter(text))
    var records: [Record] = []
    while rest.at < text.endIndex {
      let record = try rest.scanRecord()
      if record.fields != [""] { records.append(record) }
    }
    return records
  }

  /// Among `,` `;` and tab the one that stands most often outside quotes in the first line; `,` where none does.
  private static func likeliestDelimiter(_ text: ArraySlice<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in text {
      if byte == lineFeed && !isQuoted { break }
      if byte == quote { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
  }

  private mutating func scanRecord() throws(UnfinishedQuote) -> Record {
    var record = Record(line: line, fields: [])
    while true {
      let field = try scanField()
      record.fields.append(String(decoding: field, as: UTF8.self))
      guard at < text.endIndex else { return record }
      let end = text[at]
      at += 1
      guard end == Self.lineFeed else { continue }
      line += 1
      return record
    }
  }

  /// Moves to the end of the field at hand: its delimiter, its row's line end, or the end of the text.
  private mutating func scanField() throws(UnfinishedQuote) -> [UInt8] {
    var field: [UInt8] = []
    if at < text.endIndex, text[at] == Self.quote { field = try scanQuoted() }
    let bare = text[at...].prefix { $0 != delimiter && $0 != Self.lineFeed }
    at = bare.endIndex
    let isLast = at == text.endIndex || text[at] == Self.lineFeed
    field += isLast && bare.last == Self.carriageReturn ? bare.dropLast() : bare
    return field
  }

  /// The text between the quotes, doubled ones in it taken as one.
  private mutating func scanQuoted() throws(UnfinishedQuote) -> [UInt8] {
    let begun = line
    var field: [UInt8] = []
    at += 1
    while at < text.endIndex {
      let byte = text[at]
      at += 1
      if byte == Self.quote {
        guard at < text.endIndex, text[at] == Self.quote else { return field }
        at += 1
      } else if byte == Self.lineFeed {
        line += 1
      }
      field.append(byte)
    }
    throw UnfinishedQuote(line: begun)
  }
}
