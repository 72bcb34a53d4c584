import Domain

extension DisplayPrice {
  /// The price as the text shows it; nil where it shows no number, or no currency that can be told.
  ///
  /// `$` alone is the reporting currency where that is a dollar, else the US dollar; `¥` is the yuan for who reports in
  /// it, else the yen.
  static func amount(_ text: String, reporting: Currency) -> CurrencyAmount? {
    guard let micros = micros(text), let code = code(text, reporting: reporting.text) else { return nil }
    return Currency(Array(code.utf8)).map { CurrencyAmount(micros: micros, currency: $0) }
  }

  /// `USD`; nil where nothing, or nothing known, stands around the number.
  private static func code(_ text: String, reporting: String) -> String? {
    let around = String(text.unicodeScalars.filter { !ignored.contains($0) }.map(Character.init))
    if around.utf8.count == 3, around.utf8.allSatisfy({ $0 &- UInt8(ascii: "A") < 26 }) { return around }
    switch around {
    case "$": return dollars.contains(reporting) ? reporting : "USD"
    case "¥", "￥": return reporting == "CNY" ? reporting : "JPY"
    default: return signs[around]
    }
  }

  /// What belongs to the number.
  private static let ignored = Set("0123456789.,'  \u{202F}".unicodeScalars)
  private static let dollars: Set = ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN"]
  private static let signs = [
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
    "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "£": "GBP", "€": "EUR", "₩": "KRW", "￦": "KRW", "₹": "INR", "₺": "TRY",
    "₽": "RUB", "₴": "UAH", "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₪": "ILS", "zł": "PLN", "Kč": "CZK",
  ]
}
