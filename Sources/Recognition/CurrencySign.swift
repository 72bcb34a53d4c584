import Foundation

/// What stands beside an amount for its currency: `£`, `zł`, `EUR`.
struct CurrencySign {
  let text: String
  /// The currencies it may mean, the likeliest first.
  let codes: [String]

  /// The codes of all currencies there are.
  static let codes = Set(Locale.commonISOCurrencyCodes)

  /// The longest first: `US$` before `$`.
  static let all: [CurrencySign] =
    ([
      "US$": ["USD"], "CA$": ["CAD"], "AU$": ["AUD"], "NZ$": ["NZD"], "R$": ["BRL"], "C$": ["CAD"], "A$": ["AUD"],
      "£": ["GBP"], "€": ["EUR"], "$": ["USD", "CAD", "AUD", "MXN"], "¥": ["JPY", "CNY"], "₹": ["INR"], "₩": ["KRW"],
      "₽": ["RUB"], "₺": ["TRY"], "₴": ["UAH"], "₪": ["ILS"], "₫": ["VND"], "฿": ["THB"], "₱": ["PHP"], "₦": ["NGN"],
      "zł": ["PLN"], "Kč": ["CZK"], "Ft": ["HUF"], "Fr.": ["CHF"], "kr.": ["DKK", "NOK", "SEK"],
      "kr": ["SEK", "NOK", "DKK"],
    ].map(CurrencySign.init) + codes.map { CurrencySign(text: $0, codes: [$0]) })
    .sorted { ($1.text.count, $0.text) < ($0.text.count, $1.text) }

  /// The letters and signs that some of them begin with.
  static let beginnings = Set(all.compactMap(\.text.first))

  /// Which currency prices are in, by the signs beside them, else by a word in their column's name; nil where neither
  /// says it.
  static func guess(_ column: String, _ amounts: Amounts) -> Guess<String>? {
    if let sign = amounts.currencySigns.first {
      guard amounts.currencySigns.count == 1, let meant = all.first(where: { $0.text == sign }) else { return nil }
      return Guess(meant.codes[0], meant.codes.count == 1 ? .certain : .guess, "prices hold \"\(sign)\"")
    }
    let words = column.split { !$0.isLetter && !"£€$¥".contains($0) }.map(String.init)
    let named = all.first { sign in
      sign.codes.count == 1
        && words.contains { $0 == sign.text || nameable.contains(sign.text) && $0.uppercased() == sign.text }
    }
    return named.map { Guess($0.codes[0], .likely, "the column's name holds \"\($0.text)\"") }
  }

  /// Codes that are no words of some language, so that small letters mean them too.
  static let nameable: Set<String> = [
    "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "INR", "BRL", "MXN", "SEK", "NOK", "DKK", "PLN",
  ]
}
