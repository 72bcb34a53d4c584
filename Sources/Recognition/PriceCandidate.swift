import Domain
import Engine

/// A column that may be the price, and the currency that it is in.
struct PriceCandidate {
  let column: String
  let name: ColumnName
  /// The lower, the likelier by its name.
  let rank: Int
  let currency: Currency

  /// How a column's amounts tell their currency.
  enum Currency: Equatable {
    /// All are in it: the column's name holds the code, or amounts hold a sign.
    case code(String)
    /// A column beside it names it, row by row.
    case column(String)
    case unknown
  }

  /// That the amounts are in the currency paid in, and not converted.
  var isLocal: Bool { name.holds(MoneyWords.local) && name.words != ["original", "price"] }

  /// The words of its name that tell it from other amounts: `customer` of `Customer Price`.
  var qualifiers: Set<String> { Self.qualifiers(name) }

  static func qualifiers(_ name: ColumnName) -> Set<String> {
    Set(name.words).subtracting(MoneyWords.amounts).subtracting(MoneyWords.fillers)
      .subtracting(MoneyWords.currencies)
  }

  /// Every column of a table that may be the price, the likeliest by name first.
  static func all(_ columns: ColumnGuess) -> [PriceCandidate] {
    let names = columns.free.map { ($0, ColumnName($0)) }
    let currencies = names.filter { isCurrency($0.0, $0.1, columns) }
    return names.compactMap { column, name -> PriceCandidate? in
      guard let rank = rank(name), columns.values(column).areAmounts else { return nil }
      return PriceCandidate(
        column: column, name: name, rank: rank, currency: currency(of: column, name, currencies, columns))
    }.sorted { ($0.rank, $0.name.parents.count) < ($1.rank, $1.name.parents.count) }
  }

  /// The one of a column that whoever asked named.
  init(_ column: String, _ columns: ColumnGuess) {
    let names = columns.free.map { ($0, ColumnName($0)) }
    self.column = column
    name = ColumnName(column)
    rank = 0
    currency = Self.currency(
      of: column, name, names.filter { Self.isCurrency($0.0, $0.1, columns) }, columns)
  }

  private init(column: String, name: ColumnName, rank: Int, currency: Currency) {
    (self.column, self.name, self.rank, self.currency) = (column, name, rank, currency)
  }

  /// Nil for what is called otherwise than prices are.
  private static func rank(_ name: ColumnName) -> Int? {
    let names = ColumnRole.price.names
    if let position = names.firstIndex(of: name.plain) { return position }
    let words = Set(name.words)
    guard name.holds(MoneyWords.amounts), words.isDisjoint(with: MoneyWords.others),
      !MoneyWords.others.contains(name.plain)
    else { return nil }
    // Without the words that say which of several amounts it is, it is called as prices are.
    let plain = name.words.filter { MoneyWords.amounts.contains($0) }
    return names.firstIndex(of: plain.joined()).map { names.count + $0 }
      ?? plain.compactMap(names.firstIndex).min().map { 2 * names.count + $0 } ?? 3 * names.count
  }

  private static func isCurrency(_ column: String, _ name: ColumnName, _ columns: ColumnGuess) -> Bool {
    let values = columns.values(column)
    return values.areCurrencies && (name.holds(MoneyWords.currencies) || values.areCurrencyCodes)
  }

  private static func currency(
    of column: String, _ name: ColumnName, _ currencies: [(String, ColumnName)], _ columns: ColumnGuess
  ) -> Currency {
    if let reported = columns.reported["currency"], columns.sample.names.contains(reported) { return .column(reported) }
    let codes = Set(columns.values(column).reported.values.isEmpty ? [] : name.words).intersection(
      CurrencySign.nameableWords)
    if codes.count == 1, let code = codes.first { return .code(code.uppercased()) }
    let own = qualifiers(name)
    let scored = currencies.map { other, otherName -> (column: String, score: Int) in
      let others = qualifiers(otherName)
      let shared = own.intersection(others).count
      let near = otherName.isBeside(name) ? 4 : 0
      return (other, near + (own == others ? 3 : 0) + 2 * shared + (others.isEmpty ? 1 : 0))
    }
    guard let best = scored.max(by: { $0.score < $1.score }), best.score > 0 || currencies.count == 1 else {
      return .unknown
    }
    return .column(best.column)
  }
}

extension CurrencySign {
  /// Codes in small letters that are no words of some language.
  static let nameableWords = Set(nameable.map { $0.lowercased() })
}
