import Domain
import Foundation
import Jobs
import Measurement

/// A table that is held whole: catalog, products, exchange rates.
struct SmallTable {
  /// One row: a text for each field, nil where the file has none.
  package struct Row {
    package let values: [String?]
    /// Makes the reject the row becomes if it turns out to be wrong.
    package let position: Reject
    package let file: String
    /// What stands before the fraction of a number.
    let decimalSign: UInt8

    /// The field's number in units of `10^-decimals`; nil where it is none in plain decimal notation.
    package func decimal(_ field: Int, decimals: Int) -> Int64? {
      try? DecimalText.parse(values[field] ?? "", decimals: decimals, sign: decimalSign)
    }

    /// The field's number; nil where it is none.
    func double(_ field: Int) -> Double? {
      guard let text = values[field] else { return nil }
      if decimalSign == UInt8(ascii: ".") { return Double(text) }
      return text.contains(".") ? nil : Double(text.replacingOccurrences(of: ",", with: "."))
    }

    /// Whether a flag is set, as databases and programs write one; nil where the text is none.
    func flag(_ field: Int) -> Bool? {
      guard let text = values[field]?.lowercased() else { return nil }
      // MySQL writes a BIT(1) as the byte itself.
      if ["1", "true", "t", "yes", "y", "\u{1}"].contains(text) { return true }
      return ["0", "false", "f", "no", "n", "\0"].contains(text) ? false : nil
    }

    /// The error of a table that says two things about one.
    func contradiction(_ what: String) -> OfferliftError {
      OfferliftError(.badData, "\(file), line \(position.line): \(what), and an earlier row says otherwise; keep one.")
    }
  }

  /// How much of a file's texts is held, in bytes.
  private static let room = 256 << 20
  /// What a row takes beside its texts.
  private static let bytesOfRow = 200

  private static func tooLarge(_ file: InputFile, _ input: TableInput, _ job: Job, line: Int) -> OfferliftError {
    OfferliftError(
      .badData,
      "\(file.displayName) goes on behind line \(line), and \(input.name): is a table that is held whole: is this the file that "
        + "was meant (\(job.file.lastPathComponent), line \(input.line))?")
  }

  /// Reads every file of `input` and hands each row to `use`, which returns what is wrong with it, if anything.
  ///
  /// Two rows that contradict each other are the caller's to refuse: which of them is right is not for the
  /// order of lines to say.
  static func read(
    _ input: TableInput, fields: [(name: String, isRequired: Bool)], job: Job, in context: RunContext,
    use: (Row) throws -> (reason: SetAsideReason, detail: String)?
  ) throws -> [FileReading] {
    let lists = input.mayHoldLists ? ListedRows(columns: fields.map { input.columns[$0.name] ?? $0.name }) : nil
    let members = lists == nil ? [] : ListedRows.members
    return try input.countedFiles(relativeTo: job.file, in: context).map { file in
      let table = TableFile(
        input: input, file: file, fields: fields.map(\.name) + members,
        isRequired: fields.map(\.isRequired) + members.map { _ in false }, job: job)
      var rows: [Row] = []
      var room = Self.room
      func retain(_ cells: [Field], at position: Reject) throws {
        let values = cells.map { text($0, input.decimalSign) }
        room -= values.reduce(bytesOfRow) { $0 + ($1?.utf8.count ?? 0) }
        guard room >= 0 else { throw tooLarge(file, input, job, line: position.line) }
        rows.append(Row(values: values, position: position, file: file.displayName, decimalSign: input.decimalSign))
      }
      var (reading, isWhole) = try table.read { batch, reading in
        for row in 0..<batch.count {
          if let fault = batch.fault(of: row) {
            reading.reject(fault)
            continue
          }
          let (line, position) = (batch.fields(of: row), batch.reject(row, .malformed, ""))
          do {
            // What a list holds are rows, and the line itself is none.
            let listed = try lists?.forEach(in: line) { try retain($0, at: position) }
            if let listed {
              reading.account.rows += listed - 1
            } else {
              try retain(fields.indices.map { line[$0] }, at: position)
            }
          } catch let fault as EventDecoder.Fault {
            reading.reject(batch.reject(row, fault.reason, fault.detail))
          }
        }
      }
      // Of a damaged file that the job skips nothing may be used, and the damage shows at its end.
      if isWhole {
        for row in rows {
          var fault = try use(row)
          if fault?.reason == .missingField { fault?.detail += remedy(for: row, fields, input, reading.names) }
          settle(row, fault: fault, in: &reading)
        }
      }
      return reading
    }
  }

  /// What the job may say where a row lacks a field that it needs.
  private static func remedy(
    for row: Row, _ fields: [(name: String, isRequired: Bool)], _ input: TableInput, _ names: [String]
  ) -> String {
    guard let field = fields.indices.first(where: { fields[$0].isRequired && row.values[$0] == nil }) else { return "" }
    let name = fields[field].name
    return MissingColumn.remedy(name, column: input.columns[name] ?? name, names: names)
  }

  private static func settle(
    _ row: Row, fault: (reason: SetAsideReason, detail: String)?, in reading: inout FileReading
  ) {
    guard let fault else {
      reading.account.outcomes.use()
      return
    }
    var reject = row.position
    reject.reason = fault.reason
    reject.detail = fault.detail
    reading.reject(reject)
  }

  /// A number that was typed as one comes as the file would write it in a text.
  private static func text(_ field: Field, _ decimalSign: UInt8) -> String? {
    guard !field.isMissing, !field.isEmpty, !field.bytes.isNullWord else { return nil }
    guard field.kind == .number, decimalSign != UInt8(ascii: ".") else { return field.string }
    return String(decoding: field.bytes.map { $0 == UInt8(ascii: ".") ? decimalSign : $0 }, as: UTF8.self)
  }
}
