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
  private static let parts: Set<String> = [
    "cents", "cent", "pence", "minor", "centavos", "kopeks", "paise", "unitamount", "incents", "centimes", "öre",
    "fils",
  ]

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
    guard values.areMostlyWhole else { return .units }
    if ColumnName(price).holds(parts) || ColumnName(price).words.contains(where: { parts.contains($0) }) {
      return .minor("by its name")
    }
    let codes = Set(currency.map { columns.values($0).reported.values } ?? [code].compactMap(\.self))
    guard codes.isEmpty || codes.contains(where: { !wholeCurrencies.contains($0.uppercased()) }) else { return .units }
    let amounts = values.reported.values.compactMap(ColumnValues.whole).map(\.magnitude).filter { $0 > 0 }
    // A few may be smaller than any charge: a cent checks whether a card is sound.
    let sorted = amounts.sorted()
    guard let least = sorted.dropFirst(sorted.count / 20).first, least >= smallestCharge else { return .units }
    if let id = stripeID(columns) { return .minor("amounts of Stripe's API, as ids like \(id) are, are in cents") }
    let areSmall = !codes.isEmpty && codes.allSatisfy { $0 == $0.lowercased() }
    let pointed = amounts.count { endings.contains($0 % 100) && $0 >= 50 }
    if areSmall { return .unknown("codes of currencies are in small letters, as payment providers write them") }
    if 2 * pointed >= amounts.count, let first = amounts.first(where: { endings.contains($0 % 100) && $0 >= 50 }) {
      return .unknown("most end as prices do behind the point (…\(first % 100))")
    }
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
  static func question(_ price: String, _ why: String, decimals: Int, _ columns: ColumnGuess) -> MoneyQuestion {
    let sample = columns.sample
    let example = sample.numberedValues(of: price).first { !$0.value.isEmpty }
    let shown = example.map { " (line \($0.line): \($0.value))" } ?? ""
    let amounts = columns.numbers(price)
    let parts = (0..<decimals).reduce(1.0) { parts, _ in parts * 10 }
    let millionths = countMillionths(amounts) ? millionths(price, amounts, sample) : nil
    return MoneyQuestion(
      finding: "\(sample.file): \"\(price)\" holds whole numbers\(shown), and \(why)",
      readings: [
        .init(
          condition: "they count cents, the currency's smallest unit", typed: "--say price_unit=minor",
          job: "price_unit: minor", amounts: amounts.map { $0.map { $0 / parts } }),
        .init(condition: "they count whole units", typed: "--say price_unit=major", job: nil, amounts: amounts),
      ] + [millionths?.reading].compactMap(\.self), command: millionths?.command)
  }

  /// All are so large and round that they may be.
  private static func countMillionths(_ amounts: [Double?]) -> Bool {
    let reported = amounts.compactMap { $0?.magnitude }.filter { $0 > 0 }.sorted()
    return !reported.isEmpty && reported[reported.count / 2] >= 500_000
      && reported.allSatisfy { $0.truncatingRemainder(dividingBy: 1000) == 0 }
  }

  private static func millionths(
    _ price: String, _ amounts: [Double?], _ sample: FileSample
  ) -> (reading: MoneyQuestion.Reading, command: RowCommand?) {
    let command = RowSource(sample).map { $0.command(change(ofMillionths: price), "units") }
    let result = command?.result ?? "a file that has them divided"
    return (
      .init(
        condition: "they count millionths", typed: "\(result) --column price=units",
        job: "columns: {price: units} with \(result)", amounts: amounts.map { $0.map { $0 / 1_000_000 } }), command
    )
  }

  private static func change(ofMillionths column: String) -> RowChange {
    RowChange(
      sql: ["SELECT *, \(units(RowChange.column(column), 1_000_000)) AS units FROM t"],
      jq: ".units = \(RowChange.member(column)) / 1000000")
  }

  /// How many parts of a millionth a column counts by its name; nil where it does not.
  static func perUnit(_ column: String, _ values: [String]) -> Int? {
    guard values.allSatisfy({ $0.isEmpty || ColumnValues.whole($0) != nil }) else { return nil }
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
