import Domain
import Foundation
import Jobs
import Measurement

/// One file of a table in any of the table formats, read as rows of the fields asked for.
package struct TableFile {
  package let input: TableInput
  package let file: InputFile
  /// The fields to read, by the product's names, in the order they come in a row.
  package let fields: [String]
  /// Whether the file must have a column for the field.
  let isRequired: [Bool]
  /// For a required field, the field whose column does in place of its own.
  var substitutes: [Int: String] = [:]
  /// By required field, what `defaults:` may say in its place, `currency: USD`.
  var fillings: [Int: String] = [:]
  /// By required field, when a file does without its column, and what a job says then.
  var absences: [Int: String] = [:]
  /// Columns to be read behind the fields, by the file's own names: those that a mapping asks for.
  var others: [String] = []
  /// CSV columns that need no remark though they feed no field; nil where none needs one.
  package var documentedColumns: Set<String>?
  /// Of a purchase log its format; nil for a table.
  package var purchases: PurchaseFormat?
  private let jobFile: String
  private let onCorrupt: Job.OnCorrupt
  private let maxRejectRatio: Double
  private let inspection: any FileInspection
  /// How many rows are enough, for those who only want to look; nil reads all.
  package var limit: Int?

  /// - Parameter job: whose input it is.
  package init(
    input: TableInput, file: InputFile, fields: [String], isRequired: [Bool], substitutes: [Int: String] = [:],
    fillings: [Int: String] = [:], absences: [Int: String] = [:], others: [String] = [],
    documentedColumns: Set<String>? = nil,
    purchases: PurchaseFormat? = nil, job: Job, limit: Int? = nil
  ) {
    self.input = input
    self.file = file
    self.fields = fields
    self.isRequired = isRequired
    self.substitutes = substitutes
    (self.fillings, self.absences) = (fillings, absences)
    self.others = others
    self.documentedColumns = documentedColumns
    self.purchases = purchases
    self.limit = limit
    jobFile = job.file.lastPathComponent
    (onCorrupt, inspection, maxRejectRatio) = (job.onCorrupt, job.inspection, job.maxRejectRatio)
  }

  /// What came of reading, and whether all of the file was read.
  package typealias Result = (reading: FileReading, isWhole: Bool)

  /// Hands the rows to `body`, batch by batch.
  ///
  /// - Throws: `OfferliftError` where the file cannot be opened or read (66, 74), is damaged (65), or lacks a
  ///   column (78); `InputWatch.Changed`; and what `body` throws.
  package func read(_ body: (RecordBatch, inout FileReading) throws -> Void) throws -> Result {
    if file.sameAs != nil { return (FileReading(input: input.name, file: file), true) }
    let plan = ColumnPlan(columns, isJSON: input.format == .jsonl)
    let skipped = SkippedRows(input.skipped, firstField: fields.count + others.count)
    let isPlain = plan.isPlain && skipped.isEmpty
    let result = try read(plan) { batch, reading in
      if !isPlain { batch.complete(by: plan, skipped) }
      try body(batch, &reading)
      try refuseTooManyRejects(reading)
    }
    try file.context.watch?.refuseChanged(file.path)
    return result
  }

  /// So many rejects beyond `max_reject_ratio` of what has been read end the reading: a few kilobytes, packed, may hold
  /// millions of rows that are none, and gigabytes of rejects would be written before the run says so.
  static let mostRejectsBeyond = 1_000_000.0

  private func refuseTooManyRejects(_ reading: FileReading) throws {
    let (rejects, rows) = (reading.account.rejected, reading.account.rows)
    guard Double(rejects) - maxRejectRatio * Double(rows) > Self.mostRejectsBeyond else { return }
    let example = reading.examples.first.map { "\(file.displayName), line \($0.line): \($0.detail). " } ?? ""
    throw OfferliftError(
      .badData,
      "\(example)Of the first \(rows) rows of \(file.displayName), \(rejects) were rejected, far more than max_reject_ratio "
        + "\(maxRejectRatio) allows, and reading ended there; mend the log, or raise max_reject_ratio to accept more.")
  }

  private func read(_ plan: ColumnPlan, _ body: (RecordBatch, inout FileReading) throws -> Void) throws -> Result {
    let binding = binding(plan)
    if input.format != .sqlite, ParquetTable.isParquet(file) { return try readParquet(plan, binding, body) }
    switch input.format {
    case .csv:
      var format = CSVFormat(binding: binding, delimiter: input.delimiter)
      var result = try read(as: &format, plan, body)
      if file.slot?.joins != true { noteUnused(format.unusedColumns, &result) }
      return result
    case .mysql:
      var format = try MySQLFormat(dialect: input.dialect, binding: binding, columnOrder: input.columnOrder)
      return try read(as: &format, plan, body)
    case .jsonl where input.mayHoldLists:
      var format = JSONLists(names: plan.names)
      return try read(as: &format, plan, body)
    case .jsonl:
      var format = JSONLines(names: plan.names)
      return try read(as: &format, plan, body)
    case .sqlite:
      var reading = FileReading(input: input.name, file: file)
      try SQLiteRows(file: file, input: input, binding: binding, limit: limit, opening: opening).read(&reading, body)
      return (reading, true)
    }
  }

  private func readParquet(
    _ plan: ColumnPlan, _ binding: ColumnBinding, _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws -> Result {
    let table = ParquetTable(
      file: file, input: input, plan: plan, binding: binding, onCorrupt: onCorrupt, limit: limit
    ) { try inspection.check(names: $0, of: declared) }
    var (result, unused) = try table.read(body)
    if input.format == .csv, file.slot?.joins != true { noteUnused(unused, &result) }
    return result
  }

  /// Names a table's columns that feed no field, and should.
  private func noteUnused(_ columns: [String], _ result: inout Result) {
    guard result.isWhole, let documentedColumns else { return }
    for name in columns where !documentedColumns.contains(name) { result.reading.notes.add(.unknownColumn, name) }
  }

  private func read(
    as format: inout some RecordFormat, _ plan: ColumnPlan, _ body: (RecordBatch, inout FileReading) throws -> Void
  ) throws -> Result {
    var reading = FileReading(input: input.name, file: file)
    let isWhole = try reading.read(
      file, as: &format, width: plan.names.count, onCorrupt: onCorrupt, limit: limit, opening: opening,
      batch: body)
    return (reading, isWhole)
  }

  /// What is read of a row, by the names in the file: the fields, what a mapping asks for, what rows are left out by.
  private var columns: [String] { fields.map { input.columns[$0] ?? $0 } + others + input.skipped.map(\.column) }

  /// Looks at the file's beginning, and is told whether that is all of it.
  private var opening: (Text, Bool) throws -> [String] {
    { [declared, inspection] text, isWhole in
      let beginning = Array(text.prefix(inspectedBytes))
      return try inspection.names(
        of: declared, beginning: beginning, isWhole: isWhole && beginning.count == text.count)
    }
  }

  private var declared: DeclaredFile {
    let columns = columns
    let needed = fields.indices.filter { isRequired[$0] && substitutes[$0] == nil }.map { (fields[$0], columns[$0]) }
    return DeclaredFile(
      input: input, purchases: purchases, needed: needed, path: file.path, name: file.displayName,
      jobLocation: "\(jobFile), line \(input.line)")
  }

  private func binding(_ plan: ColumnPlan) -> ColumnBinding {
    // A column that the job names beside the fields must be there, and what values may lie inside need not.
    let named = columns.count - fields.count
    let inside = plan.names.count - columns.count
    let isRequired = isRequired + Array(repeating: true, count: named) + Array(repeating: false, count: inside)
    return ColumnBinding(
      columns: plan.names, isRequired: plan.withoutCopies(isRequired), substitutes: substitutes, fillings: fillings,
      absences: absences, containers: plan.containers, file: file.displayName,
      jobLocation: "\(jobFile), line \(input.line)",
      remedy: documentedColumns == nil ? nil : "Have the export include it (\(jobFile), line \(input.line)).")
  }
}
