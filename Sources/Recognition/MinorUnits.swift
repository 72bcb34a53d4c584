import Domain
import Engine

/// Whether a column of money counts cents, or other small parts of a currency's unit, by its name.
///
/// Prices are read in units: taken for them, cents would show a hundred times the money, and nothing else would tell.
enum MinorUnits {
  /// What such names hold in small letters, and how many of the parts make a unit.
  private static let parts = [("micros", 1_000_000), ("cents", 100), ("pence", 100), ("minor", 100)]

  /// How many of the column's parts make one unit; nil where its name says nothing of parts, or its values have
  /// fractions, as units have.
  static func perUnit(_ column: String, _ values: [String]) -> Int? {
    guard values.allSatisfy({ $0.isEmpty || Int64($0) != nil }) else { return nil }
    let name = ColumnRole.plain(column)
    return parts.first { name.contains($0.0) }?.1
  }

  /// A column's parts as units, in SQL.
  static func units(_ column: String, _ parts: Int) -> String {
    "printf('%.\(parts == 100 ? 2 : 6)f', \(column) / \(parts).0)"
  }

  /// What to do about such a column.
  static func refusal(_ column: String, perUnit parts: Int, in sample: FileSample) -> String {
    let change = RowChange(
      sql: ["SELECT *, \(units(RowChange.column(column), parts)) AS price FROM t"],
      jq: ".price = \(RowChange.member(column)) / \(parts)")
    let command = RowSource(sample).map { $0.command(change, "units") }
    let how = command.map { "Divide it:\n    \($0.text)\nThen type init with \($0.result);" }
    return
      "\(sample.file): by its name column \"\(column)\" counts parts of which \(Phrase.count(parts)) make one unit of "
      + "the currency, and prices are read in units: the report would show \(Phrase.count(parts)) times the money. "
      + "\(how ?? "Divide it where the file is made;") if its numbers are units after all, say --column price=\(column)."
  }
}
