import Domain
import Foundation
import Yams

/// Files that hold tables, and how they are written.
extension JobReader {
  /// A table given as a path alone, or as a mapping.
  ///
  /// - Parameters:
  ///   - fields: names `columns:` may map; nil where any may be.
  ///   - format: of a table whose job says none.
  package static func table(
    _ section: YAMLSection, _ key: String, of parent: String = "", fields: [String]? = nil,
    format: TableFormat = .csv
  ) -> TableInput? {
    guard let node = section.node(key) else { return nil }
    var table = TableInput(name: parent + key, path: "", line: section.line(of: key), format: format)
    if let path = node.scalar?.string {
      table.path = checked(path, section, key)
      return table
    }
    let own = YAMLSection(node, name: parent + key, problems: section.problems)
    readTable(own, &table, fields: fields)
    own.finish()
    return table
  }

  /// - Parameter fields: names `columns:` may map; nil where any may be.
  static func readTable(
    _ section: YAMLSection, _ table: inout TableInput, fields: [String]?, isTable: Bool = true
  ) {
    table.command = command(section)
    table.path = table.command.map(Self.shown) ?? path(section)
    if isTable { table.format = section.choice("format", of: TableFormat.self) ?? table.format }
    if let zone = timezone(section) { (table.timezone, table.reportsTimezone) = (zone, true) }
    if let unit = section.text("time_unit") { readUnit(unit, section, &table) }
    readTimeFormat(section, &table)
    readDecimalSign(section, &table)
    table.isOptional = section.flag("optional") ?? false
    table.delimiter = byte(section, "delimiter")
    table.table = section.text("table")
    table.query = section.text("query")
    readDialect(section, &table)
    readColumns(section, &table, fields)
    if table.format == .sqlite, (table.table == nil) == (table.query == nil) {
      section.problems.add(section.line, "format: sqlite needs table: or query:, one of the two.")
    }
    checkKeys(section, table)
  }

  /// Keys that only files of one format have.
  private static func checkKeys(_ section: YAMLSection, _ table: TableInput) {
    for (key, format) in TableFormat.ownKeys where format != table.format && section.node(key) != nil {
      section.problem(key, "only format: \(format.rawValue) has it; this is format: \(table.format.rawValue).")
    }
    if table.format != .mysql, table.columnOrder != nil {
      section.problem("columns", "a list is for format: mysql; write which column is which, {field: column}.")
    }
  }

  /// The program whose output is the file, and its arguments.
  private static func command(_ section: YAMLSection) -> [String]? {
    guard section.node("command") != nil else { return nil }
    if section.node("path") != nil {
      section.problem("command", "it stands in the place of path:; keep one of the two.")
    }
    guard let words = section.texts("command"), let program = words.first, !program.isEmpty else {
      section.problem("command", "write a program and its arguments: [duckdb, -csv, -c, \"SELECT …\"].")
      return nil
    }
    return words
  }

  /// What messages and `inputs.csv` call the output of a program.
  private static func shown(_ command: [String]) -> String {
    "command: \(command.map(ShellText.word).joined(separator: " "))"
  }

  /// The path of an input that is a mapping.
  package static func path(_ section: YAMLSection) -> String {
    section.required("path").map { checked($0, section, "path") } ?? ""
  }

  /// A path as the job has it; one without a name in it is a problem.
  package static func checked(_ path: String, _ section: YAMLSection, _ key: String) -> String {
    if path.allSatisfy(\.isWhitespace) {
      section.problem(key, "it is empty; write the path of a file, relative to the job file.")
    }
    return path
  }

  private static func readUnit(_ unit: String, _ section: YAMLSection, _ table: inout TableInput) {
    guard let known = TimeUnit.allCases.first(where: { $0.names.contains(unit.lowercased()) }) else {
      return section.problem(
        "time_unit", "\"\(unit)\" is none of seconds, milliseconds, microseconds and nanoseconds.")
    }
    table.timeUnit = known
  }

  private static func readTimeFormat(_ section: YAMLSection, _ table: inout TableInput) {
    guard let text = section.text("time_format") else { return }
    if section.node("time_unit") != nil {
      section.problem("time_unit", "it is of bare numbers, and time_format: says that there are none; keep one.")
    }
    do throws(TimeFormat.Problem) {
      table.timeFormat = try TimeFormat(text)
    } catch {
      section.problem("time_format", "\"\(text)\" \(error.words); write \"\(error.letters)\".")
    }
  }

  private static func readDecimalSign(_ section: YAMLSection, _ table: inout TableInput) {
    guard let text = section.text("decimal") else { return }
    guard text == "." || text == ",", let sign = text.utf8.first else {
      return section.problem("decimal", "\"\(text)\" is neither \".\" nor \",\".")
    }
    table.decimalSign = sign
  }

  private static func readColumns(_ section: YAMLSection, _ table: inout TableInput, _ fields: [String]?) {
    guard let node = section.node("columns") else {
      if table.format == .mysql, !table.dialect.hasHeader {
        section.problems.add(section.line, "format: mysql needs columns:, the file's columns in order, [id, user, …].")
      }
      return
    }
    if node.sequence != nil {
      table.columnOrder = section.texts("columns")
      return
    }
    let mapping = YAMLSection(node, name: "columns", problems: section.problems)
    if let fields, fields.isEmpty {
      section.problem(
        "columns",
        "the format has names of its own, which nobody may change; leave columns: out. Where the file has "
          + "other names say format: events-csv, or events for JSON.")
    } else if let fields {
      for field in fields { table.columns[field] = mapping.text(field) }
      for field in fields where mapping.names(field) && !mapping.has(field) {
        table.columns[field] = TableInput.noColumn
      }
      mapping.finish()
    } else {
      for entry in mapping.entries { table.columns[entry.key] = entry.node.scalar?.string }
    }
    if table.format == .mysql, !table.dialect.hasHeader {
      section.problem("columns", "for format: mysql a list is expected, the file's columns in order, [id, user, …].")
    }
  }

  private static func readDialect(_ section: YAMLSection, _ table: inout TableInput) {
    guard let dialect = section.section("dialect") else { return }
    table.dialect.terminatedBy = bytes(dialect, "terminated_by") ?? table.dialect.terminatedBy
    table.dialect.linesTerminatedBy = bytes(dialect, "lines_terminated_by")
    table.dialect.linesStartingBy = bytes(dialect, "lines_starting_by", mayBeEmpty: true) ?? []
    if dialect.node("enclosed_by") != nil { table.dialect.enclosedBy = byte(dialect, "enclosed_by") }
    if dialect.node("escaped_by") != nil { table.dialect.escapedBy = byte(dialect, "escaped_by") }
    table.dialect.isOptional = dialect.flag("optionally") ?? false
    table.dialect.hasHeader = dialect.flag("header") ?? false
    checkDialect(dialect, table.dialect)
    dialect.finish()
  }

  /// What nobody could read, whatever the file holds.
  private static func checkDialect(_ section: YAMLSection, _ dialect: MySQLDialect) {
    let special = [dialect.enclosedBy, dialect.escapedBy].compactMap(\.self)
    if let first = dialect.terminatedBy.first, special.contains(first) {
      section.problem("terminated_by", "it begins with the byte that encloses or escapes; name another one.")
    }
    if let first = dialect.linesTerminatedBy?.first, special.contains(first) {
      section.problem("lines_terminated_by", "it begins with the byte that encloses or escapes; name another one.")
    }
    if dialect.enclosedBy != nil, dialect.escapedBy == nil {
      section.problem(
        "escaped_by",
        "fields that are enclosed but not escaped can be read in two ways, because a text may hold the quote; export "
          + "with ESCAPED BY '\\\\', and say escaped_by: '\\'.")
    }
    if dialect.linesTerminatedBy == dialect.terminatedBy {
      section.problem("lines_terminated_by", "lines and fields cannot end alike.")
    }
  }

  /// The bytes of a text that may hold escapes, as the SQL statement has them.
  private static func bytes(_ section: YAMLSection, _ key: String, mayBeEmpty: Bool = false) -> [UInt8]? {
    guard let text = section.text(key) else { return nil }
    if text.isEmpty, !mayBeEmpty {
      section.problem(key, "it needs at least one byte, or nothing parts one from the next.")
    }
    return text.isEmpty ? nil : unescaped(text)
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    if text == "tab" { return [UInt8(ascii: "\t")] }
    let escapes: [Character: String] = ["t": "\t", "n": "\n", "r": "\r", "0": "\0", "\\": "\\"]
    var plain = ""
    var rest = text[...]
    while let first = rest.popFirst() {
      guard first == "\\", let next = rest.first, let byte = escapes[next] else {
        plain.append(first)
        continue
      }
      plain += byte
      rest.removeFirst()
    }
    return Array(plain.utf8)
  }

  /// One byte, or none for the empty text.
  private static func byte(_ section: YAMLSection, _ key: String) -> UInt8? {
    guard let text = section.text(key), !text.isEmpty else { return nil }
    let bytes = unescaped(text)
    guard bytes.count == 1 else {
      section.problem(key, "\"\(text)\" is not one byte.")
      return nil
    }
    return bytes.first
  }
}
