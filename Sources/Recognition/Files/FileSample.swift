import Domain
import Engine
import Foundation
import Jobs
import Platform

/// Rows from all over a file that nobody has described yet: how it is written, and what stands in it.
package struct FileSample: Sendable {
  /// The path as messages have it.
  package let file: String
  /// Where the file lies.
  package let path: String
  /// How the file is packed; nil where it is not.
  let packing: Packing?
  /// It is a Parquet file: the rest says how its rows are read.
  package let isParquet: Bool
  /// It is text in UTF-16.
  let isUTF16: Bool
  /// How the table lies in the file.
  package let table: TableFormat
  /// Of a CSV, what stands between cells.
  package let delimiter: UInt8?
  /// The format of purchase logs that the names show; nil where they show none.
  package let purchases: PurchaseFormat?
  /// The columns, or the members of the objects, those of objects inside by dotted names; `column_1` and on in a table
  /// without a header.
  package private(set) var names: [String]
  /// Of each row the values by name; nil where there is none.
  package private(set) var rows: [[String?]] = []
  /// Line of each row's first byte, from 1.
  package private(set) var lines: [Int] = []
  /// The file is in another encoding than UTF-8, by its beginning; nil where it is not.
  package let legacy: LegacyText?

  /// How many rows there are, those that are not among `rows` as well.
  package private(set) var rowCount = 0
  /// The file goes on behind the rows that were counted.
  package private(set) var isCut = false
  /// Of members of objects the names on the way to each, by their dotted names.
  private var paths: [String: [String]] = [:]
  /// Of each column how many rows have a value there, and which.
  private var columns: [RowSample.Column] = []

  /// In bytes.
  private static let objectSampleSize = 2 << 20

  /// Where a file lies, the same whichever way its path leads there: a job names it by the way from its own folder.
  package static func position(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Goes through a file.
  ///
  /// - Parameter rows: how many of its first rows are enough; nil goes through all of them.
  /// - Throws: `OfferliftError`, exit 65 where the file is of no kind that is read, with what to do about it; 66 where
  ///   it cannot be opened.
  package init(_ file: InputFile, rows limit: Int? = nil) throws {
    self.file = file.displayName
    path = file.path
    let path = try InputFile.pathOfFile(at: file.path, displayName: file.displayName)
    isParquet = ParquetTable.isParquet(file)
    if isParquet {
      let columns = try ParquetTable.columns(of: file)
      names = columns.map { $0.joined(separator: ".") }
      let objects = PurchaseCatalog.format(of: Set(names), in: .jsonl)
      purchases = objects ?? PurchaseCatalog.format(of: Set(names), in: .csv)
      (table, delimiter, legacy, packing, isUTF16) = (objects == nil ? .csv : .jsonl, nil, nil, nil, false)
      paths = Dictionary(zip(names, columns)) { first, _ in first }
      try openTexts(file)
      try readRows(file, limit: limit)
      return
    }
    let source = try ByteSource(path: path, displayName: file.displayName)
    let head = try Self.head(of: source)
    (packing, isUTF16) = (source.packing, try source.isUTF16)
    let isWhole = head.count < inspectedBytes
    let look = FileLook(head, isWhole: isWhole)
    legacy = LegacyText(head, isWhole: isWhole)
    let input = ShellInput(file: file.displayName, at: path, packing: packing, isUTF16: isUTF16)
    try Self.refuseForeign(head, look, input)
    if let legacy, look.header.contains(where: { $0.contains("\u{fffd}") }) {
      throw OfferliftError(.badData, legacy.remedy(input))
    }
    if look.holdsObjects {
      (table, delimiter, purchases) = (.jsonl, nil, look.purchaseFormat)
      paths = try FileLook.memberPaths(of: head + Self.more(of: source, behind: head))
      names = paths.keys.sorted()
    } else if look.beginsWithData, look.delimiter == UInt8(ascii: "\t") {
      (table, delimiter, purchases) = (.mysql, nil, nil)
      names = look.header.indices.map { "column_\($0 + 1)" }
    } else {
      guard look.delimiter != nil, !look.beginsWithData else { throw Self.unknown(file.displayName, look) }
      (table, delimiter, purchases) = (.csv, look.delimiter, look.tableFormat)
      names = look.columns
    }
    if table != .mysql { try openTexts(file) }
    try readRows(file, limit: limit)
  }

  /// How many rows show which columns hold JSON as text.
  private static let textRows = 100

  /// Adds the members of objects that stand as texts in a column, by dotted names.
  private mutating func openTexts(_ file: InputFile) throws {
    var head = self
    try head.readRows(file, limit: Self.textRows)
    for name in names {
      let texts = head.values(of: name).filter { !$0.isEmpty }
      guard let first = texts.first, first.first == "{", texts.allSatisfy({ $0.first == "{" && $0.last == "}" }) else {
        continue
      }
      let members = FileLook.memberPaths(of: Array(texts.joined(separator: "\n").utf8))
      for member in members.keys.sorted() where !names.contains("\(name).\(member)") {
        names.append("\(name).\(member)")
      }
    }
  }

  /// Whether nothing stands in a file, or blank lines alone, so that there is no sample of it.
  ///
  /// - Throws: `OfferliftError`, exit 66 where it cannot be opened, 65 where it cannot be unpacked.
  package static func isEmpty(_ file: InputFile) throws -> Bool {
    let path = try InputFile.pathOfFile(at: file.path, displayName: file.displayName)
    return FileLook(try head(of: ByteSource(path: path, displayName: file.displayName)), isWhole: true).isEmpty
  }

  /// Whether a file begins as a JSON array does.
  ///
  /// - Throws: as `isEmpty`.
  static func isList(_ file: InputFile) throws -> Bool {
    let path = try InputFile.pathOfFile(at: file.path, displayName: file.displayName)
    return try head(of: ByteSource(path: path, displayName: file.displayName)).first { $0 > 0x20 } == UInt8(ascii: "[")
  }

  /// The file as a line to type has it.
  package var shellInput: ShellInput { ShellInput(file: file, at: path, packing: packing, isUTF16: isUTF16) }

  /// The same by its path, in quotes only where the shell would take that apart.
  var positionedInput: ShellInput {
    ShellInput(file: ShellText.path(path), at: path, packing: packing, isUTF16: isUTF16, isQuoted: false)
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
    let all = "\(isCut ? "the first " : "")\(Phrase.count(rowCount, "row"))"
    let looked = rows.count == rowCount ? all : "\(Phrase.count(rows.count)) of \(all), from all over the file"
    let packed = "\(packing.map { "\($0.word), " } ?? "")\(isUTF16 ? "in UTF-16, " : "")"
    return "\(packed)\(isParquet ? "Parquet" : kind); looked at \(looked)"
  }

  /// Which values a column has, from all of the file's rows.
  package func sketch(of name: String) -> ValueSketch {
    names.firstIndex(of: name).map { columns[$0].sketch } ?? ValueSketch()
  }

  /// How many of the file's rows have a value in a column.
  package func filled(_ name: String) -> Int { names.firstIndex(of: name).map { columns[$0].filled } ?? 0 }

  /// The values of one column, without those that are missing.
  package func values(of name: String) -> [String] {
    guard let position = names.firstIndex(of: name) else { return [] }
    return rows.compactMap { $0[position] }
  }

  /// What stands in one column of each row; nil where nothing does.
  package func column(_ name: String) -> [String?] {
    guard let position = names.firstIndex(of: name) else { return rows.map { _ in nil } }
    return rows.map { $0[position] }
  }

  /// The same file without the rows whose value in a column is not to be kept; one that is missing is empty.
  package func retainingRows(where name: String, _ isRetained: (String) -> Bool) -> FileSample {
    guard let position = names.firstIndex(of: name) else { return self }
    let retained = rows.indices.filter { isRetained(rows[$0][position] ?? "") }
    var sample = self
    sample.rows = retained.map { rows[$0] }
    sample.lines = retained.map { lines[$0] }
    return sample
  }

  /// The same with the number of each value's line.
  package func numberedValues(of name: String) -> [(line: Int, value: String)] {
    guard let position = names.firstIndex(of: name) else { return [] }
    return zip(lines, rows).compactMap { line, row in row[position].map { (line, $0) } }
  }

  private mutating func readRows(_ file: InputFile, limit: Int?) throws {
    var input = TableInput("file", path: file.path, format: table)
    input.delimiter = delimiter
    if table == .mysql { input.columnOrder = names }
    if table == .jsonl { input.columns = paths.mapValues(SourceField.pathName) }
    let sample = try RowSample(
      of: file, as: input, names: names, limit: limit, expecting: limit == nil ? expectedRows(file) : 0)
    (rows, lines, rowCount, isCut, columns) = (sample.rows, sample.lines, sample.count, sample.isCut, sample.columns)
  }

  /// About how many rows a file has, by its size: a row takes some thirty bytes of it at least.
  private func expectedRows(_ file: InputFile) -> Int { Int(file.size) / (packing != nil ? 20 : 60 + 8 * names.count) }

  private static func head(of source: ByteSource) throws -> [UInt8] {
    try read(source, upTo: inspectedBytes)
  }

  private static func read(_ source: ByteSource, upTo size: Int) throws -> [UInt8] {
    do {
      return try source.read(upTo: size)
    } catch let corrupt as CorruptFile {
      throw OfferliftError(.badData, "\(corrupt.fault). \(corrupt.remedy).")
    }
  }

  /// Of objects some rows may lack what others have, so that more of them are looked at.
  private static func more(of source: ByteSource, behind head: [UInt8]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while head.count >= inspectedBytes, bytes.count < objectSampleSize {
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
    if let ends = ForeignLineEnds(firstOf: head, outside: quote) { throw ends.error(input) }
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
