import Domain

/// CSV tables (RFC 4180) whose columns are bound by the names in the header.
///
/// An empty field, quoted or not, counts as missing, and so does `\N` where it is not quoted: what databases write for
/// NULL.
struct CSVFormat: RecordFormat {
  private let binding: ColumnBinding
  /// As the job says, or by the header; nil until one of them does.
  private var delimiter: UInt8?
  /// For each of the file's columns the field it feeds; nil until the header is read.
  private var fieldOfColumn: [Int]?
  /// The header as it stands in the file, without its line end: a line like it is another shard's header, and no row.
  private var header: [UInt8] = []
  /// The header's columns that feed no field.
  private(set) var unusedColumns: [String] = []
  private let arena = TextArena()

  /// - Parameter delimiter: between fields; nil is `,` `;` or tab, whichever the header has most of.
  init(binding: ColumnBinding, delimiter: UInt8?) {
    self.binding = binding
    self.delimiter = delimiter
  }

  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int) {
    var tokens = CSVTokenizer(text, isLast: isLast)
    arena.clear()
    if fieldOfColumn == nil { try readHeader(&tokens, isLast) }
    if let fieldOfColumn, let delimiter {
      while batch.count < batch.capacity, tokens.skipBlankLines() {
        guard try readRow(&tokens, fieldOfColumn, delimiter, into: batch) else { break }
        tokens.finishRow()
      }
      batch.refuseRowsOtherThanUTF8(upTo: tokens.rowStart)
    }
    return (tokens.rowStart, tokens.linesBeforeRow)
  }

  // MARK: - Files read by several tasks

  var isShareable: Bool { fieldOfColumn != nil }

  mutating func goOn(from other: CSVFormat) {
    (delimiter, fieldOfColumn, unusedColumns) = (other.delimiter, other.fieldOfColumn, other.unusedColumns)
    header = other.header
  }

  /// Without a quote every line end ends a row. With one, only who has walked the fields before it knows.
  func endOfRows(in text: Text) -> Int {
    guard let delimiter, text.holds(UInt8(ascii: "\"")) else { return text.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0 }
    var tokens = CSVTokenizer(text, isLast: false)
    arena.clear()
    while tokens.skipBlankLines(), tokens.skipRow(by: delimiter, arena) { tokens.finishRow() }
    return tokens.rowStart
  }

  func look(atLongRow text: Text, line: Int) throws {
    guard let fieldOfColumn, let delimiter else { return }
    try CSVRowFault(
      row: text, delimiter: delimiter, columns: fieldOfColumn.count, file: binding.file, line: line
    ).refuseReturns()
  }

  // MARK: - Rows

  /// Reads the header, as far as all of it is in sight.
  ///
  /// - Throws: `OfferliftError`, exit 65 where it is not CSV, 78 where a required column is missing.
  private mutating func readHeader(_ tokens: inout CSVTokenizer, _ isLast: Bool) throws {
    guard tokens.skipBlankLines() else { return }
    let delimiter = self.delimiter ?? tokens.likeliestDelimiter
    var names: [String] = []
    while true {
      let (field, end) = tokens.readField(by: delimiter, arena)
      switch end {
      case .delimiter: names.append(String(decoding: field, as: UTF8.self))
      case .row:
        names.append(String(decoding: field, as: UTF8.self))
        // Only a whole header tells the delimiter.
        self.delimiter = delimiter
        let fields = try binding.fields(forHeader: names)
        fieldOfColumn = fields
        unusedColumns = zip(names, fields).filter { $0.1 < 0 }.map(\.0)
        header = Array(tokens.text.slice(tokens.row))
        return tokens.finishRow()
      case .cut where !isLast: return tokens.abandonRow()
      case .cut, .damaged:
        throw OfferliftError(.badData, "\(binding.file), line 1: the header is not CSV; check its quotes.")
      }
    }
  }

  /// Reads one row; false, with the tokenizer back at its start, where its end is not in sight.
  ///
  /// - Throws: `OfferliftError`, exit 65, where it is many rows that carriage returns part.
  private func readRow(
    _ tokens: inout CSVTokenizer, _ columns: [Int], _ delimiter: UInt8, into batch: RecordBatch
  ) throws -> Bool {
    let fields = batch.nextFields()
    var column = 0
    while true {
      let start = tokens.position
      let (field, end) = tokens.readField(by: delimiter, arena)
      switch end {
      case .delimiter, .row:
        if column < columns.count, columns[column] >= 0 {
          let isNull = field.isEmpty || field.count == 2 && field.isEqual("\\N") && !tokens.isQuote(at: start)
          fields[columns[column]] = Field(field, isNull ? .null : .string)
        }
        column += 1
        guard end == .row else { continue }
        if column != columns.count {
          try add(tokens, columns.count, delimiter, to: batch) { $0.otherFields(column) }
        } else {
          let row = tokens.row
          if !isHeader(row, of: tokens) { add(row, of: tokens, nil, to: batch) }
        }
        return true
      case .damaged, .cut:
        guard tokens.abandonToLineEnd(afterCut: end == .cut) else { return false }
        try add(tokens, columns.count, delimiter, to: batch, \.oddQuotes)
        return true
      }
    }
  }

  /// The row just read is the file's header once more.
  @inline(__always)
  private func isHeader(_ row: Range<Int>, of tokens: CSVTokenizer) -> Bool {
    row.count == header.count && tokens.text.slice(row).elementsEqual(header)
  }

  private func add(
    _ tokens: CSVTokenizer, _ columns: Int, _ delimiter: UInt8, to batch: RecordBatch,
    _ detail: (CSVRowFault) -> String
  ) throws {
    let fault = CSVRowFault(
      row: tokens.text.slice(tokens.row), delimiter: delimiter, columns: columns, file: binding.file,
      line: batch.firstLine + tokens.linesBeforeRow)
    try fault.refuseReturns()
    add(tokens.row, of: tokens, detail(fault), to: batch)
  }

  private func add(_ row: Range<Int>, of tokens: CSVTokenizer, _ fault: String?, to batch: RecordBatch) {
    let status: RecordBatch.Status = row.count > longestLine ? .tooLong : fault == nil ? .sound : .malformed
    batch.add(row, line: tokens.linesBeforeRow, status, detail: fault)
  }
}
