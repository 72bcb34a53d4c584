import Domain
import Measurement
import Platform
import Statistics

/// A CSV table of sufficient statistics: ours, another engine's, or typed in by hand.
///
/// Needed: `test_group_id`, `metric`, `kind`, `n`, `sum_y`, `sum_yy` (not for proportions), and for ratios
/// `sum_x`, `sum_xx`, `sum_xy`. Understood besides: `offering_id`, `segment`, `scale`, `primary`, `goal`, `margin`,
/// `guardrail` and the covariate's sums; every other column is passed over.
struct StatisticsFile {
  /// The table's lines, in the file's order.
  let lines: [StatisticsLine]

  private static let needed = ["test_group_id", "metric", "kind", "n", "sum_y"]

  /// Reads the table; `name` is what messages call it.
  ///
  /// - Throws: `OfferliftError` 65 naming the line and what would be right.
  init(_ bytes: [UInt8], name: String) throws {
    let records: [CSVRecords.Record]
    do {
      records = try CSVRecords.parse(bytes)
    } catch {
      throw OfferliftError(.badData, "\(name), line \(error.line): a quote is opened and never closed.")
    }
    guard let header = records.first else {
      throw OfferliftError(
        .badData,
        "\(name) is empty; its first line must name the columns \(Phrase.list(Self.needed)) and sum_yy.")
    }
    let columns = try Self.columns(header, name: name)
    lines = try records.dropFirst().map { record in
      guard record.fields.count == header.fields.count else {
        throw OfferliftError(
          .badData,
          "\(name), line \(record.line): \(record.fields.count) fields where the header has \(header.fields.count)."
        )
      }
      return try StatisticsLine(Row(file: name, line: record.line, columns: columns, fields: record.fields))
    }
    try Self.refuseContradictions(lines, name: name)
    try Self.refuseSecondThoughts(about: "goal", \.goal, lines, name: name)
    try Self.refuseSecondThoughts(about: "margin", \.margin, lines, name: name)
    try Self.refuseSecondThoughts(about: "guardrail", \.guardrail, lines, name: name)
  }

  private static func columns(_ header: CSVRecords.Record, name: String) throws -> [String: Int] {
    var columns: [String: Int] = [:]
    for (index, field) in header.fields.enumerated() {
      columns[field.lowercased().filter { !$0.isWhitespace }] = index
    }
    let missing = needed.filter { columns[$0] == nil }
    guard missing.isEmpty else {
      throw OfferliftError(
        .badData,
        "\(name), line \(header.line): no column \(Phrase.list(missing)); the header has "
          + "\(header.fields.joined(separator: ", ")).")
    }
    return columns
  }

  /// Two lines for one cell, or one metric of two kinds.
  private static func refuseContradictions(_ lines: [StatisticsLine], name: String) throws {
    var cells: [CellKey: Int] = [:]
    var kinds: [Identifier: StatisticsLine] = [:]
    for line in lines {
      let key = CellKey(
        offering: line.offering, group: line.group, segment: line.segment, metric: line.metric)
      if let first = cells.updateValue(line.line, forKey: key) {
        throw OfferliftError(
          .badData,
          "\(name), line \(line.line): group \(line.group), segment \(line.segment), metric \(line.metric) "
            + "stands on line \(first) already; keep one of them.")
      }
      let first = kinds[line.metric] ?? line
      kinds[line.metric] = first
      guard first.kind == line.kind, first.scale == line.scale else {
        throw OfferliftError(
          .badData,
          "\(name), line \(line.line): metric \(line.metric) has another kind or scale than on line \(first.line)."
        )
      }
    }
  }

  /// One metric that is asked for in two ways; an empty field asks nothing.
  private static func refuseSecondThoughts<Value: Equatable>(
    about column: String, _ value: KeyPath<StatisticsLine, Value?>, _ lines: [StatisticsLine], name: String
  ) throws {
    var firsts: [Identifier: StatisticsLine] = [:]
    for line in lines where line[keyPath: value] != nil {
      let first = firsts[line.metric] ?? line
      firsts[line.metric] = first
      guard first[keyPath: value] == line[keyPath: value] else {
        throw OfferliftError(
          .badData,
          "\(name), line \(line.line): metric \(line.metric) has another \(column) than on line \(first.line).")
      }
    }
  }

  /// A record with its fields by column name.
  struct Row {
    let file: String
    let line: Int
    let columns: [String: Int]
    let fields: [String]

    /// The field, without blanks around it and without the `'` that guards a formula; nil if empty or absent.
    func text(_ column: String) -> String? {
      guard let index = columns[column] else { return nil }
      var text = fields[index][...]
      while text.first == " " { text.removeFirst() }
      while text.last == " " { text.removeLast() }
      return text.isEmpty ? nil : FormulaGuard.unguarded(String(text))
    }

    func required(_ column: String) throws -> String {
      try text(column) ?? missing(column)
    }

    /// A word of a closed set, any case.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ column: String, of: Word.Type) throws -> Word? {
      guard let text = text(column) else { return nil }
      do throws(UnknownWord) {
        return try Word(word: text.lowercased())
      } catch {
        throw self.error("\(column) \(error.sentence)")
      }
    }

    func flag(_ column: String) throws -> Bool? {
      switch text(column)?.lowercased() {
      case nil: nil
      case "true", "1", "yes": true
      case "false", "0", "no": false
      case let other?: throw error("\(column) \"\(other)\" is neither true nor false.")
      }
    }

    func missing<Value>(_ column: String) throws -> Value {
      throw error("\(column) is empty; every line of its kind needs it.")
    }

    func error(_ problem: String) -> OfferliftError {
      OfferliftError(.badData, "\(file), line \(line): \(problem)")
    }
  }
}
