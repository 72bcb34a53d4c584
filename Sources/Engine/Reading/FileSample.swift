import Domain
import Jobs
import Platform

/// The first rows of a file that nobody has described yet: how it is written, and what stands in it.
package struct FileSample: Sendable {
  /// The path as messages have it.
  package let file: String
  /// Where the file lies.
  package let path: String
  package let isPacked: Bool
  /// How the table lies in the file.
  package let table: TableFormat
  /// Of a CSV, what stands between cells.
  package let delimiter: UInt8?
  /// The format of purchase logs that the names show; nil where they show none.
  package let purchases: PurchaseFormat?
  /// The columns, or the members of the objects; `column_1` and on in a table without a header.
  package let names: [String]
  /// Of each row the values by name; nil where there is none.
  package private(set) var rows: [[String?]] = []
  /// Line of each row's first byte, from 1.
  package private(set) var lines: [Int] = []
  /// The file is in another encoding than UTF-8, by its beginning; nil where it is not.
  package let legacy: LegacyText?

  /// How many rows are read.
  package static let rowLimit = 20_000
  /// In bytes.
  private static let objectSampleSize = 4 << 20

  /// Reads the beginning of a file.
  ///
  /// - Parameter rows: how many of its rows.
  /// - Throws: `OfferliftError`, exit 65 where the file is of no kind that is read, with what to do about it; 66 where
  ///   it cannot be opened.
  package init(_ file: InputFile, rows: Int = rowLimit) throws {
    self.file = file.displayName
    path = file.path
    let path = try InputFile.pathOfFile(at: file.path, displayName: file.displayName)
    let source = try ByteSource(path: path, displayName: file.displayName)
    let head = try Self.head(of: source)
    isPacked = source.isPacked
    let isWhole = head.count < FileLook.sampleSize
    let look = FileLook(head, isWhole: isWhole)
    legacy = LegacyText(head, isWhole: isWhole)
    try Self.refuseForeign(head, look, ShellInput(file: file.displayName, isPacked: isPacked))
    if look.holdsObjects {
      (table, delimiter, purchases) = (.jsonl, nil, look.purchaseFormat)
      names = try FileLook.allMembers(of: head + Self.more(of: source, behind: head)).sorted()
    } else if look.beginsWithData, look.delimiter == UInt8(ascii: "\t") {
      (table, delimiter, purchases) = (.mysql, nil, nil)
      names = look.header.indices.map { "column_\($0 + 1)" }
    } else {
      guard look.delimiter != nil, !look.beginsWithData else { throw Self.unknown(file.displayName, look) }
      (table, delimiter, purchases) = (.csv, look.delimiter, look.tableFormat)
      names = look.header
    }
    try readRows(file, limit: rows)
  }

  /// Whether nothing stands in a file, or blank lines alone, so that there is no sample of it.
  ///
  /// - Throws: `OfferliftError`, exit 66 where it cannot be opened, 65 where it cannot be unpacked.
  package static func isEmpty(_ file: InputFile) throws -> Bool {
    let path = try InputFile.pathOfFile(at: file.path, displayName: file.displayName)
    return FileLook(try head(of: ByteSource(path: path, displayName: file.displayName)), isWhole: true).isEmpty
  }

  /// How the file is written: `gzipped CSV with ";" between cells`.
  package var words: String {
    let mark = delimiter == UInt8(ascii: "\t") ? "tabs" : "\"\(delimiter.map { String(UnicodeScalar($0)) } ?? ",")\""
    let kind =
      switch table {
      case .csv: "CSV with \(mark) between cells"
      case .jsonl: "one JSON object a line"
      case .mysql: "a dump of MySQL, without a header"
      case .sqlite: "an SQLite file"
      }
    let rows =
      rows.count < Self.rowLimit ? Phrase.count(rows.count, "row") : "the first \(Phrase.count(rows.count)) rows"
    return "\(isPacked ? "gzipped, " : "")\(kind); looked at \(rows)"
  }

  /// The values of one column, without those that are missing.
  package func values(of name: String) -> [String] {
    guard let place = names.firstIndex(of: name) else { return [] }
    return rows.compactMap { $0[place] }
  }

  /// The same file without the rows whose value in a column is not to be kept; one that is missing is empty.
  package func keepingRows(where name: String, _ isKept: (String) -> Bool) -> FileSample {
    guard let place = names.firstIndex(of: name) else { return self }
    let kept = rows.indices.filter { isKept(rows[$0][place] ?? "") }
    var sample = self
    sample.rows = kept.map { rows[$0] }
    sample.lines = kept.map { lines[$0] }
    return sample
  }

  /// The same with the number of each value's line.
  package func numberedValues(of name: String) -> [(line: Int, value: String)] {
    guard let place = names.firstIndex(of: name) else { return [] }
    return zip(lines, rows).compactMap { line, row in row[place].map { (line, $0) } }
  }

  private mutating func readRows(_ file: InputFile, limit: Int) throws {
    var input = TableInput("file", path: file.path, format: table)
    input.delimiter = delimiter
    if table == .mysql { input.columnOrder = names }
    let reader = TableFile(
      input: input, file: file, fields: names, isRequired: names.map { _ in false }, jobFile: file.displayName,
      onCorrupt: .fail, limit: limit)
    var (rows, lines): ([[String?]], [Int]) = ([], [])
    _ = try reader.read { batch, _ in
      for row in 0..<batch.count where batch.isSound(row) {
        let fields = batch.fields(of: row)
        rows.append(names.indices.map { fields[$0].isMissing ? nil : fields[$0].string })
        lines.append(batch.line(of: row))
      }
    }
    self.rows = Array(rows.prefix(limit))
    self.lines = Array(lines.prefix(limit))
  }

  private static func head(of source: ByteSource) throws -> [UInt8] {
    try read(source, upTo: FileLook.sampleSize)
  }

  private static func read(_ source: ByteSource, upTo size: Int) throws -> [UInt8] {
    do {
      return try source.read(upTo: size)
    } catch let corrupt as CorruptFile {
      throw OfferliftError(.badData, "\(corrupt.fault). Fetch it again.")
    }
  }

  /// Of objects some rows may lack what others have, so that more of them are looked at.
  private static func more(of source: ByteSource, behind head: [UInt8]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while head.count >= FileLook.sampleSize, bytes.count < objectSampleSize {
      let next = try read(source, upTo: objectSampleSize - bytes.count)
      guard !next.isEmpty else { break }
      bytes += next
    }
    return bytes
  }

  // MARK: - What is not read

  private static func refuseForeign(_ head: [UInt8], _ look: FileLook, _ input: ShellInput) throws {
    let file = input.file
    if let kind = ForeignFile(head) {
      throw OfferliftError(.badData, "\(file) is \(kind.name), which cannot be read. \(kind.remedy(input))")
    }
    let quote = look.holdsObjects ? nil : UInt8(ascii: "\"")
    if let ends = OddLineEnds(firstOf: head, outside: quote) { throw ends.error(input) }
    if let layout = look.mislaid(input) { throw OfferliftError(.badData, "\(file) \(layout)") }
  }

  private static func unknown(_ file: String, _ look: FileLook) -> OfferliftError {
    let what =
      look.isEmpty
      ? "is empty, so there is nothing to go by"
      : look.beginsWithData
        ? "has data in its first row and names no columns; write a line above it that names them"
        : "is neither a table with a header nor one JSON object a line"
    return OfferliftError(.badData, "\(file) \(what).")
  }
}
