import Domain
import Jobs
import Measurement
import Parquet
import Platform

/// The rows of a Parquet file, whatever format the job says that they are of: what the same rows would be as JSON objects,
/// or in a table, only the columns that are asked for being read.
package struct ParquetTable {
  let file: InputFile
  let input: TableInput
  let plan: ColumnPlan
  let binding: ColumnBinding
  let onCorrupt: Job.OnCorrupt
  /// How many rows are enough, for those who only want to look; nil reads all.
  var limit: Int?
  /// Refuses names that are those of another format.
  let checking: ([String]) throws -> Void

  /// Whether a file begins as Parquet does, encrypted or not.
  package static func isParquet(_ file: InputFile) -> Bool {
    guard !file.path.isEmpty else { return false }
    let beginning = try? RandomAccessFile(file.path, displayName: file.displayName).read(from: 0, count: 4)
    return beginning.map { $0.starts(with: "PAR1".utf8) || $0.starts(with: "PARE".utf8) } ?? false
  }

  /// The names on the way to each column whose values are read, and to each group's members.
  ///
  /// - Throws: `OfferliftError`, exit 65 where the file is damaged or of a kind that is not read.
  package static func columns(of file: InputFile) throws -> [[String]] {
    do {
      return try ParquetFile(file.path, displayName: file.displayName).readableColumns().map(\.path)
    } catch let fault as ParquetFault {
      throw OfferliftError(.badData, "\(position(of: fault, in: file)).")
    }
  }

  /// How many rows a file has, by its end; nil where it is no Parquet file that can be read.
  package static func rowCount(of file: InputFile) -> Int64? {
    guard isParquet(file) else { return nil }
    return try? ParquetFile(file.path, displayName: file.displayName).rowCount
  }

  /// Where in which file, and what.
  private static func position(of fault: ParquetFault, in file: InputFile) -> String {
    "\(file.displayName) is a Parquet file that cannot be read: \(fault.words)"
  }

  /// Hands the rows to `body` and counts them: all, or those of the row groups that no other task reads.
  ///
  /// - Returns: also the columns that feed no field.
  /// - Throws: `OfferliftError`, exit 65 where the file is damaged or of a kind that is not read, 78 where a column is
  ///   missing.
  func read(
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws -> (result: TableFile.Result, unusedColumns: [String]) {
    var reading = FileReading(input: input.name, file: file)
    let source = joins ? nil : try file.open()
    do {
      let found = try ParquetFile(file.path, displayName: file.displayName, limit: file.limit)
      let columns = try chosen(of: found)
      reading.names = found.names
      let parts = parts(of: found)
      if let source {
        try source.drain()
        (reading.account.bytes, reading.account.crc32) = (source.bytesRead, source.crc32)
      }
      if let parts {
        try parts.forEach { try readGroup($0, found, columns, &reading, body) }
      } else {
        try readRows(found, columns, &reading, body)
      }
      reading.finish()
      return ((reading, true), found.unused(columns.map(\.node)))
    } catch let fault as ParquetFault {
      let words = Self.position(of: fault, in: file)
      guard fault.isDamage else { throw OfferliftError(.badData, "\(words).") }
      // The task that began the file books it.
      if joins, onCorrupt == .skip { return ((FileReading(input: input.name, file: file), false), []) }
      try reading.leaveOut(damage: words, of: source, file, onCorrupt)
      return ((reading, false), [])
    }
  }

  /// Others have begun the file.
  private var joins: Bool { file.slot?.joins == true }

  /// The row groups, where several tasks may read them; nil where one reads all rows.
  private func parts(of found: ParquetFile) -> FileParts? {
    guard limit == nil, let share = file.slot?.share else { return nil }
    if !joins { share.open(FileParts(count: found.rowGroupCount), count: found.rowGroupCount) }
    return share.parts
  }

  /// A column that is read, and the field that it feeds.
  private typealias Chosen = (node: SchemaNode, field: Int)

  private func chosen(of found: ParquetFile) throws -> [Chosen] {
    let columns = found.columns
    if input.format == .jsonl {
      try checking(found.names)
      let numbers = Dictionary(
        columns.enumerated().map { (SourceField.pathName($1.path), $0) }, uniquingKeysWith: { first, _ in first })
      return binding.columns.enumerated().compactMap { field, name in
        guard let number = numbers[name], mayFeed(field, columns[number].node) else { return nil }
        return (columns[number].node, field)
      }
    }
    let fields = try binding.fields(forHeader: found.names)
    return zip(columns, fields).compactMap { column, field in
      field >= 0 && mayFeed(field, column.node) ? (column.node, field) : nil
    }
  }

  /// A column that is asked for because JSON may stand in it as a text must be one: what lies in a group goes by its own
  /// name.
  private func mayFeed(_ field: Int, _ node: SchemaNode) -> Bool {
    !plan.isOpenedOnly(field) || node.content == .text
  }

  private func readRows(
    _ found: ParquetFile, _ columns: [Chosen], _ reading: inout FileReading,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    var rows = ParquetRows(found, columns.map(\.node))
    try read(&rows, numberedFrom: 1, atMost: limit ?? .max, columns, &reading, body)
  }

  /// Reads one row group, whose rows have the numbers that they have in the file.
  private func readGroup(
    _ group: Int, _ found: ParquetFile, _ columns: [Chosen], _ reading: inout FileReading,
    _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    var rows = ParquetRows(found, columns.map(\.node), rowGroup: group)
    try read(&rows, numberedFrom: Int(found.rows(before: group)) + 1, atMost: .max, columns, &reading, body)
  }

  private func read(
    _ rows: inout ParquetRows, numberedFrom first: Int, atMost wanted: Int, _ columns: [Chosen],
    _ reading: inout FileReading, _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws {
    let batch = RecordBatch(width: binding.columns.count)
    let arena = TextArena()
    var done = 0
    while done < wanted {
      let count = try rows.next(atMost: min(batch.capacity, wanted - done))
      guard count > 0 else { break }
      arena.clear()
      batch.begin(numberedFrom: first + done)
      let texts = rows.cells.map { arena.copy($0.bytes) }
      add(count, columns, rows.cells, texts, to: batch)
      done += count
      reading.account.rows += count
      try body(batch, &reading)
    }
  }

  private func add(_ count: Int, _ columns: [Chosen], _ cells: [Cells], _ texts: [Text], to batch: RecordBatch) {
    let faults = faults(columns, cells, texts)
    for row in 0..<count {
      _ = batch.nextFields()
      batch.add(number: row, faults[row]?.status ?? .sound, detail: faults[row]?.detail)
    }
    for (column, chosen) in columns.enumerated() {
      let (cells, text, kind) = (cells[column], texts[column], kind(of: chosen.node))
      // In a table an empty cell is a missing one.
      let emptyIsNull = input.format != .jsonl
      for row in 0..<count {
        let range = cells.range(row)
        batch.fields(of: row)[chosen.field] =
          cells.isNull[row] || emptyIsNull && range.isEmpty ? .null : Field(text.slice(range), kind)
      }
    }
  }

  /// What stands in a column's fields: in a table, everything but a number is a text.
  private func kind(of node: SchemaNode) -> Field.Kind {
    switch node.content {
    case .text: .string
    case .number: .number
    case .boolean, .json: input.format == .jsonl ? .other : .string
    }
  }

  private typealias Fault = (status: RecordBatch.Status, detail: String?)

  /// Rows that cannot be read, and why.
  private func faults(_ columns: [Chosen], _ cells: [Cells], _ texts: [Text]) -> [Int: Fault] {
    var faults: [Int: Fault] = [:]
    for (column, chosen) in columns.enumerated() {
      let (cells, text, node) = (cells[column], texts[column], chosen.node)
      if text.count > longestLine {
        for row in 0..<cells.count where cells.range(row).count > longestLine { faults[row] = (.tooLong, nil) }
      }
      guard node.isUnchecked, !text.isUTF8 || node.isBinary || cells.startsWithinLetter else { continue }
      for row in 0..<cells.count where faults[row] == nil {
        let value = text.slice(cells.range(row))
        let isText = value.isUTF8 && !(node.isBinary && value.contains { $0 < 0x20 || $0 == 0x7f })
        if !isText { faults[row] = (.invalidUTF8, "the column \(node.path) holds bytes that are no text in UTF-8") }
      }
    }
    return faults
  }
}

extension ParquetFile {
  /// What its columns are called, members of groups by dotted names.
  var names: [String] { columns.map { $0.path.joined(separator: ".") } }

  /// The columns of which nothing is read.
  fileprivate func unused(_ read: [SchemaNode]) -> [String] {
    let read = Set(read.map { $0.path })
    return columns.filter { column in
      column.path.count == 1 && !read.contains { $0 == column.node.path || $0.hasPrefix(column.node.path + ".") }
    }
    .map(\.node.path)
  }
}

extension Cells {
  /// A text begins with what cannot begin one: bytes that belong to a letter before them.
  fileprivate var startsWithinLetter: Bool {
    (0..<count).contains { row in
      let range = range(row)
      return !range.isEmpty && bytes[range.lowerBound] & 0xc0 == 0x80
    }
  }
}
