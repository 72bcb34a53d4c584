import Domain
import Engine
import Foundation
import Jobs

/// A line for the shell that writes a file anew.
package struct RowCommand: Sendable {
  package let text: String
  /// The file that it writes.
  package let result: String
}

/// What is to be done to every row, for a table in SQL and for JSON in the words of jq.
struct RowChange {
  /// Statements on the table `t`; the last one selects what is written.
  let sql: [String]
  let jq: String
}

/// A stranger's file as a shell's command takes it in.
struct RowSource {
  private let input: ShellInput
  private let isJSON: Bool
  private let delimiter: UInt8

  /// Nil for tables that no such command reads.
  init?(_ sample: FileSample) {
    guard sample.table == .csv || sample.table == .jsonl else { return nil }
    input = sample.positionedInput
    isJSON = sample.table == .jsonl
    delimiter = sample.delimiter ?? UInt8(ascii: ",")
  }

  private init(_ path: String, like source: RowSource) {
    input = ShellInput(plain: path)
    (isJSON, delimiter) = (source.isJSON, source.delimiter)
  }

  /// The file that a command writes, to be gone on from.
  func written(by command: RowCommand) -> RowSource { RowSource(command.result, like: self) }

  /// - Parameters:
  ///   - suffix: is put behind the file's name: `charges` makes `orders-charges.csv` of `orders.csv`.
  ///   - readsAll: of JSON, all objects are taken in as `inputs`, and not one after the other.
  func command(_ change: RowChange, _ suffix: String, readsAll: Bool = false) -> RowCommand {
    let result = "\(stem)-\(suffix).\(isJSON ? "jsonl" : delimiter == UInt8(ascii: "\t") ? "tsv" : "csv")"
    let program = isJSON ? "jq -\(readsAll ? "n" : "")c \(ShellText.quoted(change.jq))" : sqlite(change.sql)
    return RowCommand(text: "\(input.fed(into: program)) > \(ShellText.word(result))", result: result)
  }

  private func sqlite(_ statements: [String]) -> String {
    let separator =
      switch delimiter {
      case UInt8(ascii: ","): ""
      case UInt8(ascii: "\t"): " -separator \"$(printf '\\t')\""
      default: " -separator '\(String(UnicodeScalar(delimiter)))'"
      }
    return "sqlite3 -csv -header\(separator) :memory: '.import /dev/stdin t' "
      + statements.map(ShellText.doubleQuoted).joined(separator: " ")
  }

  /// The path without its endings; of a member of an archive beside that.
  private var stem: String {
    let endings = [".gz", ".zst", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".log"]
    return endings.reduce(input.position) { $0.lowercased().hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
  }
}

extension RowChange {
  /// The name of a column as SQL has it.
  static func column(_ name: String) -> String {
    name.contains("]") ? "\"\(name.replacing("\"", with: "\"\""))\"" : "[\(name)]"
  }

  /// The way to a member as jq has it, through objects where the name has dots.
  static func member(_ name: String) -> String {
    let parts = ColumnName.parts(of: name)
    return parts.map { part in
      let member = ownMember(part)
      return parts.count > 1 && member.hasPrefix(".[") && part != parts[0] ? String(member.dropFirst()) : member
    }.joined()
  }

  private static func ownMember(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (97...122).contains(byte | 0x20) || (48...57).contains(byte)
    }
    let isWord = isPlain && !(name.utf8.first.map { (48...57).contains($0) } ?? true)
    return isWord ? ".\(name)" : ".[\(text(name))]"
  }

  /// A text as jq has it.
  static func text(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// A text as SQL has it.
  static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
