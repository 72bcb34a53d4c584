/// Takes a whole small CSV text apart: a table typed in by hand or saved by a spreadsheet.
///
/// It is more lenient than `CSVFormat`: rows may have any number of fields, and text behind a closing quote belongs to
/// the field.
package enum CSVRecords {
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

  /// All lines that are not blank.
  ///
  /// - Parameter delimiter: nil is comma, semicolon or tab, whichever the first line has most of.
  /// - Throws: `UnfinishedQuote`.
  package static func parse(_ bytes: [UInt8], delimiter: UInt8? = nil) throws(UnfinishedQuote) -> [Record] {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    return try bytes.withText { text throws(UnfinishedQuote) in
      let arena = TextArena()
      var tokens = CSVTokenizer(text, isLast: true)
      let delimiter = delimiter ?? tokens.likeliestDelimiter
      var records: [Record] = []
      while !tokens.isAtEnd {
        let record = try record(&tokens, delimiter, arena)
        if record.fields != [""] { records.append(record) }
      }
      return records
    }
  }

  private static func record(
    _ tokens: inout CSVTokenizer, _ delimiter: UInt8, _ arena: TextArena
  ) throws(UnfinishedQuote) -> Record {
    var record = Record(line: tokens.line + 1, fields: [])
    while true {
      let begun = tokens.line + 1
      var (field, end) = tokens.readField(by: delimiter, arena)
      var text = String(decoding: field, as: UTF8.self)
      if end == .damaged {
        (field, end) = tokens.readBare(by: delimiter)
        text += String(decoding: field, as: UTF8.self)
      }
      // The text is whole, so that nothing else can end within it.
      if end == .cut { throw UnfinishedQuote(line: begun) }
      record.fields.append(text)
      if end == .row { return record }
    }
  }
}
