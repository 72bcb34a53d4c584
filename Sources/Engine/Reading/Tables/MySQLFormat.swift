import Domain
import Jobs

/// What `SELECT … INTO OUTFILE` and `mysqldump --tab` write: a field between separators, special bytes behind an
/// escape, NULL as the escape and `N`.
struct MySQLFormat: RecordFormat {
  private let dialect: MySQLDialect
  private let binding: ColumnBinding
  /// The file's columns as the job lists them; nil where it does not.
  private let columnOrder: [String]?
  /// For each of the file's columns the field it feeds; nil until a header is read.
  private var fieldOfColumn: [Int]?
  /// The header as it stands in the file, without its line end: a line like it is another shard's header, and no row.
  private var header: [UInt8] = []
  /// Nil until the file has shown how its lines end.
  private var reader: MySQLRowReader?
  private let arena = TextArena()
  /// Lines that were dropped because their rows have no end in sight, though the lines have.
  private var rowsWithoutEnd = 0

  /// Looking for the end of each takes all that is held of the file: of more of them there would be no end.
  private static let mostRowsWithoutEnd = 50

  private static let lineFeed: [UInt8] = [0x0a]
  /// The first byte of a byte order mark.
  private static let markStart: UInt8 = 0xef
  private static let returnAndFeed: [UInt8] = [0x0d, 0x0a]

  /// - Parameter columnOrder: the file's columns. Where its first row names them, those that it must name; nil for
  ///   whatever it names.
  /// - Throws: `OfferliftError`, exit 78, where a column that is needed is not among them.
  init(dialect: MySQLDialect, binding: ColumnBinding, columnOrder: [String]?) throws {
    self.dialect = dialect
    self.binding = binding
    self.columnOrder = columnOrder
    if !dialect.hasHeader { fieldOfColumn = try columnOrder.map { try binding.fields(forHeader: $0) } }
    reader = dialect.linesTerminatedBy.map { MySQLRowReader(dialect: dialect, lineEnd: $0, arena: arena) }
  }

  var rowEnd: UInt8 { dialect.linesTerminatedBy?.last ?? 0x0a }

  mutating func read(_ bytes: Text, isLast: Bool, into batch: RecordBatch) throws -> (bytes: Int, lines: Int) {
    arena.clear()
    let text = MySQLText(bytes: bytes, isLast: isLast)
    guard let reader = reader ?? self.reader(byTheEndsIn: text) else { return (0, 0) }
    self.reader = reader
    var at = 0
    var lines = 0
    while at < text.count, batch.count < batch.capacity {
      guard let blank = blankLine(text, at, reader) else { break }
      if blank > 0 {
        at += blank
        lines += 1
        continue
      }
      // Shards that were joined bring their byte order marks with them.
      if text[at] == Self.markStart {
        guard let isMark = text.has(Text.byteOrderMark, at: at) else { break }
        if isMark {
          at += Text.byteOrderMark.count
          continue
        }
      }
      guard let row = reader.row(text, from: at, columns: fieldOfColumn?.count) else { break }
      if fieldOfColumn == nil {
        fieldOfColumn = try fields(byHeader: row, line: batch.firstLine + lines)
        header = Array(bytes.slice(at..<at + length(from: at, to: row.end, lineEnd: reader.lineEnd, text)))
      } else if !isHeader(text, at, row.end, reader) {
        try add(row, at: at, line: lines, text, to: batch)
      }
      lines += Self.lines(in: text, at..<row.end, endingWith: reader.lineEnd)
      at = row.end
    }
    return (at, lines)
  }

  /// The field that each column feeds, by the names in the file's first row.
  private func fields(byHeader row: MySQLRowReader.Row, line: Int) throws -> [Int] {
    if let fault = row.fault ?? row.doubt {
      throw OfferliftError(
        .badData,
        "\(binding.file), line \(line): the header cannot be read: \(fault). Check dialect: (\(binding.jobLocation)).")
    }
    let names = row.fields.map(\.string)
    for name in columnOrder ?? [] where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw binding.missing(name, in: names)
    }
    return try binding.fields(forHeader: names)
  }

  /// The row is the file's header once more.
  private func isHeader(_ text: MySQLText, _ start: Int, _ end: Int, _ reader: MySQLRowReader) -> Bool {
    guard !header.isEmpty, length(from: start, to: end, lineEnd: reader.lineEnd, text) == header.count else {
      return false
    }
    return text.bytes.has(header, at: start)
  }

  /// How long the blank line at `at` is, 0 where there is none; nil where the bytes end before that shows.
  private func blankLine(_ text: MySQLText, _ at: Int, _ reader: MySQLRowReader) -> Int? {
    guard let isBlank = text.has(reader.lineEnd, at: at) else { return nil }
    if isBlank { return reader.lineEnd.count }
    guard dialect.linesTerminatedBy == nil, reader.lineEnd == Self.lineFeed else { return 0 }
    return text.has(Self.returnAndFeed, at: at).map { $0 ? 2 : 0 }
  }

  private static func lines(in text: MySQLText, _ range: Range<Int>, endingWith lineEnd: [UInt8]) -> Int {
    let feeds = range.reduce(0) { text[$1] == 0x0a ? $0 + 1 : $0 }
    return lineEnd.contains(0x0a) ? max(feeds, 1) : feeds + 1
  }

  private func add(
    _ row: MySQLRowReader.Row, at start: Int, line: Int, _ text: MySQLText, to batch: RecordBatch
  ) throws {
    let columns = fieldOfColumn ?? []
    if let doubt = doubt(in: row, columns) {
      throw OfferliftError(
        .badData,
        "\(binding.file), line \(batch.firstLine + line): \(doubt), so the row can be read in two ways; "
          + "export it with ESCAPED BY '\\\\', and say escaped_by: '\\' (\(binding.jobLocation)).")
    }
    var fault = row.fault
    if fault == nil, row.fields.count != columns.count {
      try refuseReturns(in: text.bytes.slice(start..<row.end), line: batch.firstLine + line)
      fault = "the row has \(row.fields.count) fields, the job names \(columns.count) columns"
    }
    let fields = batch.nextFields()
    for (column, field) in zip(columns, row.fields) where column >= 0 { fields[column] = field }
    let length = length(from: start, to: row.end, lineEnd: reader?.lineEnd ?? Self.lineFeed, text)
    let position = start..<start + length
    batch.add(position, line: line, status(of: text.bytes.slice(position), fault), detail: fault)
  }

  mutating func look(atLongRow text: Text, line: Int) throws {
    try refuseReturns(in: text, line: line)
    guard text.position(of: rowEnd, or: rowEnd, from: 0) < longestLine else { return }
    rowsWithoutEnd += 1
    guard rowsWithoutEnd > Self.mostRowsWithoutEnd else { return }
    throw OfferliftError(
      .badData,
      "\(binding.file), line \(line): \(rowsWithoutEnd) rows up to this one have no end where one is looked for, in two "
        + "million bytes: a quote stands open, an escape before the line end, or fields end otherwise than the job says. "
        + "Check dialect: (\(binding.jobLocation)).")
  }

  /// Refuses a row that is many rows, parted by carriage returns.
  private func refuseReturns(in row: Text, line: Int) throws {
    guard dialect.linesTerminatedBy == nil, let columns = fieldOfColumn?.count else { return }
    if ForeignLineEnds.areReturns(in: row, dialect, columns: columns) {
      throw ForeignLineEnds.returns.error(ShellInput(file: binding.file), from: line)
    }
  }

  private func status(of row: Text, _ fault: String?) -> RecordBatch.Status {
    if row.count > longestLine { return .tooLong }
    return row.isUTF8 ? fault == nil ? .sound : .malformed : .invalidUTF8
  }

  /// What keeps the row from being read one way only, where it matters for a column that is used.
  private func doubt(in row: MySQLRowReader.Row, _ columns: [Int]) -> String? {
    if let doubt = row.doubt { return doubt }
    if dialect.escapedBy == nil, row.fields.count != columns.count {
      return
        "it has \(Phrase.count(row.fields.count, "field")) of \(columns.count), and without an escape a text may hold "
        + "separators and line breaks"
    }
    let isUsed = row.bareNulls.contains { $0 < columns.count && columns[$0] >= 0 }
    return isUsed ? "a field is the word NULL, and the dialect neither escapes nor encloses" : nil
  }

  /// A row's length without its line end.
  private func length(from start: Int, to end: Int, lineEnd: [UInt8], _ text: MySQLText) -> Int {
    let length = end - start
    let hasEnd = length >= lineEnd.count && text.has(lineEnd, at: end - lineEnd.count) == true
    return hasEnd ? length - lineEnd.count : length
  }
}

extension MySQLFormat {
  /// How much of a file is looked at for its line ends.
  private static let sampleSize = 1 << 16

  /// A reader for the line ends the file has; nil where more of it must be seen.
  ///
  /// With `LINES TERMINATED BY '\n'` a carriage return stands in the file as it is, with `'\r\n'` a line feed
  /// does; so one that ends a line, or lies within a field, must not be taken for the other. The right line end
  /// is the one by which more rows have their columns, or else by which fewer have not; where both fit, a row
  /// without a carriage return shows that line feeds alone end lines.
  private func reader(byTheEndsIn text: MySQLText) -> MySQLRowReader? {
    guard text.isLast || text.count >= Self.sampleSize else { return nil }
    let sample = MySQLText(
      bytes: text.bytes.slice(0..<min(text.count, Self.sampleSize)),
      isLast: text.isLast && text.count <= Self.sampleSize)
    let feed = MySQLRowReader(dialect: dialect, lineEnd: Self.lineFeed, arena: arena)
    let both = MySQLRowReader(dialect: dialect, lineEnd: Self.returnAndFeed, arena: arena)
    let (byFeed, byBoth) = (fit(feed, sample), fit(both, sample))
    guard byBoth.endsInFeed else { return feed }
    if byFeed.sound != byBoth.sound { return byFeed.sound > byBoth.sound ? feed : both }
    if byFeed.unsound != byBoth.unsound { return byFeed.unsound < byBoth.unsound ? feed : both }
    return byFeed.allEndInReturn ? both : feed
  }

  /// How well a reader's line end fits a sample.
  private struct Fit {
    /// Rows that have their columns, and rows that have not.
    var sound = 0
    var unsound = 0
    var allEndInReturn = true
    /// A row ends with a line end, not with the file.
    var endsInFeed = false
  }

  private func fit(_ reader: MySQLRowReader, _ sample: MySQLText) -> Fit {
    var fit = Fit()
    var columns = fieldOfColumn?.count
    var at = 0
    while at < sample.count {
      if let blank = blankLine(sample, at, reader), blank > 0 {
        at += blank
        continue
      }
      guard let row = reader.row(sample, from: at, columns: columns) else { break }
      columns = columns ?? row.fields.count
      let isSound = row.fields.count == columns && row.fault == nil && row.doubt == nil
      if isSound { fit.sound += 1 } else { fit.unsound += 1 }
      if !row.endsInReturn { fit.allEndInReturn = false }
      if length(from: at, to: row.end, lineEnd: reader.lineEnd, sample) < row.end - at { fit.endsInFeed = true }
      at = row.end
    }
    return fit
  }
}
