import Engine
import Foundation
import Jobs

/// A dump of a database as statements in SQL, where the rows of a table are read.
struct SQLDump {
  private let kind: Kind
  /// The first table that it fills, as the dump names it.
  private let table: String?

  private enum Kind { case postgres, postgresArchive, mysql, sqlite, other }

  /// Looks at the beginning of a file; nil where it is no dump.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "PGDMP".utf8) {
      (kind, table) = (.postgresArchive, nil)
      return
    }
    guard Self.mayBe(bytes) else { return nil }
    let lines = String(decoding: bytes.prefix(inspectedBytes), as: UTF8.self).split(
      omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    guard let kind = Self.kind(lines) else { return nil }
    self.kind = kind
    table = ["COPY ", "INSERT INTO "].lazy.compactMap { Self.table(in: lines, behind: $0) }.first
  }

  /// The first word is one that a dump begins with: of all other files nothing more is looked at.
  private static func mayBe(_ bytes: [UInt8]) -> Bool {
    let text = bytes.prefix(256).drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    let start = String(decoding: text.prefix(24), as: UTF8.self).uppercased()
    return (["--", "/*", "PRAGMA FOREIGN_KEYS"] + beginnings).contains { start.hasPrefix($0) }
  }

  private static let beginnings = [
    "INSERT INTO ", "INSERT [", "CREATE TABLE ", "CREATE DATABASE ", "CREATE SCHEMA ", "DROP TABLE ", "DROP DATABASE ",
    "DROP SCHEMA ", "ALTER TABLE ", "ALTER DATABASE ", "USE ", "SET ", "BEGIN;", "BEGIN TRANSACTION",
    "START TRANSACTION",
    "IF EXISTS", "IF NOT EXISTS", "IF OBJECT_ID", "TRUNCATE ", "LOCK TABLES", "GO",
  ]

  /// The first line that is no part of a comment, in capital letters.
  private static func statement(_ lines: [Substring]) -> String? {
    var isComment = false
    for line in lines {
      var rest = line.drop { $0.isWhitespace || $0 == "\u{feff}" }
      while !rest.isEmpty {
        if isComment || rest.hasPrefix("/*") {
          let end = rest.range(of: "*/")
          isComment = end == nil
          rest = rest[(end?.upperBound ?? rest.endIndex)...].drop(while: \.isWhitespace)
        } else if rest.hasPrefix("--") {
          break
        } else {
          return rest.uppercased()
        }
      }
    }
    return nil
  }

  private static func kind(_ lines: [Substring]) -> Kind? {
    guard let first = lines.first(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    let head = lines.prefix(6)
    if first.hasPrefix("--") || first.hasPrefix("/*") {
      if head.contains(where: { $0.contains("PostgreSQL database") }) { return .postgres }
      if head.contains(where: { $0.contains("MySQL dump") || $0.contains("MariaDB dump") }) { return .mysql }
    }
    if first.hasPrefix("PRAGMA foreign_keys") { return .sqlite }
    guard let statement = statement(lines) else { return nil }
    // A column may be called so: SQL Server ends a batch with a line of its own in place of a semicolon.
    let words = ["SET ", "USE ", "IF ", "GO", "TRUNCATE "]
    let isBatch = lines.prefix(50).contains { $0.trimmingCharacters(in: .whitespaces).uppercased() == "GO" }
    if words.contains(where: statement.hasPrefix), !statement.hasSuffix(";"), !isBatch { return nil }
    return beginnings.contains { statement.hasPrefix($0) } ? .other : nil
  }

  /// The table of the first statement that begins so.
  private static func table(in lines: [Substring], behind start: String) -> String? {
    lines.first { $0.hasPrefix(start) }.map { line in
      String(line.dropFirst(start.count).prefix { !$0.isWhitespace && $0 != "(" })
    }
  }

  /// What it is called.
  var name: String {
    switch kind {
    case .postgres: "a dump of PostgreSQL in SQL (pg_dump)"
    case .postgresArchive: "an archive of PostgreSQL (pg_dump -Fc)"
    case .mysql: "a dump of MySQL in SQL (mysqldump)"
    case .sqlite: "a dump of SQLite in SQL"
    case .other: "a list of SQL statements"
    }
  }

  /// What to do about it.
  func remedy(_ input: ShellInput) -> String {
    switch kind {
    case .postgres: copied(input)
    case .postgresArchive:
      "Write one table of it: pg_restore -a -t TABLE -f - \(input.word) | \(Self.rows(behind: "COPY ")) > FILE.tsv, and "
        + "\(Self.formats)."
    case .mysql:
      "Have the rows themselves written: mysqldump --tab=FOLDER DATABASE \(plainTable ?? "TABLE"), and name FILE.txt with "
        + "format: mysql."
    case .sqlite:
      "Make a database of it: \(input.fed(into: "sqlite3 FILE.db")), and say format: sqlite and table: "
        + "\(plainTable ?? "NAME")."
    case .other: "Have the database write the rows themselves, as CSV with a header."
    }
  }

  private func copied(_ input: ShellInput) -> String {
    let pattern = (table ?? "TABLE").replacing(".", with: "\\.").replacing("/", with: "\\/")
    let command = input.piped(into: Self.rows(behind: "COPY \(pattern) "))
    return "Take out the rows of one table: \(command) > FILE.tsv, and \(Self.formats)."
  }

  /// The rows between a table's `COPY` and the `\.` behind them, below the names of its columns.
  private static func rows(behind start: String) -> String {
    "sed -nE '/^\(start)/,/^\\\\\\.$/{/^\\\\\\.$/d;/^COPY /{s/^[^(]*\\((.*)\\).*/\\1/;s/, /\\t/g;s/\"//g};p}'"
  }

  /// MySQL writes its rows as `COPY` does.
  private static let formats =
    "say format: mysql and dialect: {header: true}; of a purchase log say format: events-csv"

  private var plainTable: String? { table?.filter { $0 != "`" && $0 != "\"" && $0 != ";" } }
}
