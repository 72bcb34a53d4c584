import Domain
import Measurement

/// Writes tables as JSON: an array of objects, keys in the columns' order, null = not computable.
enum JSONExporter {
  /// `{"comparisons": […], "checks": […]}`, one row a line.
  static func text(of tables: [Table]) -> String {
    let members = tables.map { table in
      "\(JSON.quoted(table.name)): [\n"
        + table.rows.map { "  " + object(table.columns, $0) }.joined(separator: ",\n")
        + (table.rows.isEmpty ? "]" : "\n]")
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }

  private static func object(_ columns: [Table.Column], _ row: [Table.Cell]) -> String {
    JSON.object(zip(columns, row).map { JSON.Member($0.name, JSON($1)) }).line
  }
}
