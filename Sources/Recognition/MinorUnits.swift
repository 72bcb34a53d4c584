import Domain
import Engine

/// Whether a column of money counts cents, or other small parts of a currency's unit.
///
/// Prices are read in units: taken for them, cents would show a hundred times the money, and nothing else would tell.
struct MinorUnits {
  /// What to do about a column of money.
  enum Finding {
    /// It counts units.
    case units
    /// It counts the currency's smallest unit, and why that is sure.
    case minor(String)
    /// Nobody but whoever asked knows; what makes it doubtful.
    case unknown(String)
  }

  let finding: Finding

  /// The parts that names of columns hold in small letters.
  private static let parts: Set<String> = ["cents", "cent", "pence", "minor", "centavos", "kopeks", "paise"]

  /// - Parameters:
  ///   - price: the column of prices.
  ///   - code: the currency of all of them, where one column's name or whoever asked says it; nil where a column does.
  init(_ price: String, currency: String?, code: String?, _ columns: ColumnGuess) {
    finding = Self.finding(price, currency, code, columns)
  }

  private static func finding(
    _ price: String, _ currency: String?, _ code: String?, _ columns: ColumnGuess
  ) -> Finding {
    let values = columns.values(price)
    guard values.areWhole else { return .units }
    if ColumnName(price).holds(parts) || ColumnName(price).words.contains(where: { parts.contains($0) }) {
      return .minor("by its name")
    }
    let codes = Set(currency.map { columns.values($0).told.values } ?? [code].compactMap(\.self))
    guard codes.isEmpty || codes.contains(where: { !wholeCurrencies.contains($0.uppercased()) }) else { return .units }
    let amounts = values.told.values.compactMap { Int64($0) }.map(\.magnitude).filter { $0 > 0 }
    guard let least = amounts.min(), least >= smallestCharge else { return .units }
    if let id = stripeID(columns) { return .minor("amounts of Stripe's API, as ids like \(id) are, are in cents") }
    let areSmall = !codes.isEmpty && codes.allSatisfy { $0 == $0.lowercased() }
    let pointed = amounts.count { endings.contains($0 % 100) && $0 >= 50 }
    if areSmall { return .unknown("codes of currencies are in small letters, as payment providers write them") }
    if 2 * pointed >= amounts.count { return .unknown("most end as prices do behind the point (…\(amounts[0] % 100))") }
    return least >= 100 ? .unknown("none is below 100") : .units
  }

  /// Nobody charges less than this many of a currency's smallest unit: Stripe's minimum is 50 cents.
  private static let smallestCharge: UInt64 = 50
  private static let endings: Set<UInt64> = [99, 95, 90, 98, 97, 49, 79, 89, 69, 59, 39, 29, 19]

  /// Currencies without a smaller unit (ISO 4217).
  static let wholeCurrencies: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]

  /// Ids of charges, payments and invoices as Stripe's API gives them; its spreadsheets write amounts with two decimals.
  private static func stripeID(_ columns: ColumnGuess) -> String? {
    let marks = ["ch_", "py_", "pi_", "in_", "txn_"]
    for name in columns.sample.names {
      let values = columns.values(name).values
      guard let first = values.first, marks.contains(where: first.hasPrefix) else { continue }
      if values.allSatisfy({ value in value.isEmpty || marks.contains(where: value.hasPrefix) }) { return first }
    }
    return nil
  }

  // MARK: - What whoever asked is told

  /// How to ask which of the two it is.
  static func question(_ price: String, _ why: String, in sample: FileSample) -> String {
    let example = sample.numberedValues(of: price).first { !$0.value.isEmpty }
    let shown = example.map { " (line \($0.line): \($0.value))" } ?? ""
    return
      "\(sample.file): all of \"\(price)\" are whole numbers\(shown), and \(why). If they count cents, the currency's "
      + "smallest unit, type init again with --say price_unit=minor; if they count whole units, with --say price_unit=major."
  }

  /// How many parts of a millionth a column counts by its name; nil where it does not.
  static func perUnit(_ column: String, _ values: [String]) -> Int? {
    guard values.allSatisfy({ $0.isEmpty || Int64($0) != nil }) else { return nil }
    let name = ColumnName(column)
    if name.plain.contains("micros") { return 1_000_000 }
    return name.holds(parts) || name.words.contains(where: parts.contains) ? 100 : nil
  }

  /// A column's parts as units, in SQL.
  static func units(_ column: String, _ parts: Int) -> String {
    "printf('%.\(parts == 100 ? 2 : 6)f', \(column) / \(parts).0)"
  }

  /// What to do about a column of millionths, which no job reads.
  static func refusal(ofMillionths column: String, in sample: FileSample) -> String {
    let parts = 1_000_000
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
