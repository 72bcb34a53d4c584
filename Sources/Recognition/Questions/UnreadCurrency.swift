import Domain
import Engine

/// A column that tells currencies in words or signs that are not read: `$` may be several, `Euro` is no code.
struct UnreadCurrency {
  /// What to do about it.
  let problem: String

  private static let mostKinds = 20

  /// Nil where there is no such column.
  ///
  /// - Parameter reported: the currency of all amounts, where whoever asked says it.
  init?(_ columns: ColumnGuess, reported: String?) {
    let found = columns.free.first { name in
      let values = columns.values(name)
      return ColumnName(name).holds(MoneyWords.currencies) && !values.reported.values.isEmpty && !values.areCurrencies
        && Set(values.reported.values).count <= Self.mostKinds && !values.areAmounts
    }
    guard let column = found else { return nil }
    let kinds = Set(columns.values(column).reported.values).sorted()
    guard kinds.count > 1 || reported == nil else { return nil }
    let sample = columns.sample
    let name = RowChange.column(column)
    let codes = kinds.map { ($0, Self.code($0)) }
    let cases = codes.map { "WHEN \(RowChange.literal($0.0)) THEN \(RowChange.literal($0.1))" }.joined(separator: " ")
    let pairs = codes.map { "\(RowChange.text($0.0)): \(RowChange.text($0.1))" }.joined(separator: ", ")
    let (member, map) = (RowChange.member(column), "{\(pairs)}")
    let change = RowChange(
      sql: ["UPDATE t SET \(name) = CASE \(name) \(cases) ELSE \(name) END", "SELECT * FROM t"],
      jq: "\(member) |= (\(map)[.] // .)")
    let command = RowSource(sample).map { $0.command(change, "codes") }
    let only = kinds.count == 1 ? " If all amounts are in one currency, type init again with --currency CODE." : ""
    problem =
      "\(sample.file): \"\(column)\" says \(Phrase.list(kinds, most: 6)), and currencies are read by their three letters, their "
      + "ISO number or a sign that no other has: amounts in several would be added up as if they were in one.\(only) Write the "
      + "codes there, the right one for each:\n    \(command?.text ?? "")\nThen type init with "
      + "\(command?.result ?? "the new file")."
  }

  private static func code(_ word: String) -> String {
    if let known = Currency(reported: Array(word.utf8)) { return known.text }
    return CurrencySign.all.first { $0.text == word }?.codes[0] ?? "CODE"
  }
}
