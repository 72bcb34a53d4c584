import Domain
import Measurement

/// Writes tables as JSON: an array of objects, keys in the columns' order, null = not computable.
enum JSONExporter {
  /// `{"comparisons": […], "checks": […]}`, one row a line.
  static func text(of tables: [Table]) -> String {
    let members = tables.map { table in
      "\(JSONText.quoted(table.name)): [\n"
        + table.rows.map { "  " + object(table.columns, $0) }.joined(separator: ",\n")
        + (table.rows.isEmpty ? "]" : "\n]")
    }
    return PrintableText.escaped(json: "{\n" + members.joined(separator: ",\n") + "\n}\n")
  }

  private static func object(_ columns: [Table.Column], _ row: [Table.Cell]) -> String {
    let members = zip(columns, row).map { "\(JSONText.quoted($0.name)): \(value($1))" }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func value(_ cell: Table.Cell) -> String {
    switch cell {
    case .text(let text): JSONText.quoted(text)
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): number.description
    case .real(let number): NumberText.real(number)
    case .micros(let micros): NumberText.micros(micros)
    case .empty: "null"
    }
  }
}
