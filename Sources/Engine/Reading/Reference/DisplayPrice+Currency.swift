import Domain

extension DisplayPrice {
  /// The price as the text shows it; nil where it shows no number, or a currency that is not known.
  ///
  /// A number alone, as servers send it, is in the reporting currency. So is `$` where that is a dollar, else it is the US
  /// dollar; `¥` is the yuan for who reports in it, else the yen.
  static func amount(_ text: String, reporting: Currency) -> CurrencyAmount? {
    guard let code = code(text, reporting: reporting.text), let currency = Currency(Array(code.utf8)),
      let micros = micros(text, decimals: currency.minorUnits)
    else { return nil }
    return CurrencyAmount(micros: micros, currency: currency)
  }

  /// Whether groups display different prices of a product, each as many texts as it has; none where none is told. Where some
  /// can be read as amounts, those are compared, else the texts.
  static func differ(_ groups: [Set<String>], reporting: Currency) -> Bool {
    let reported = groups.filter { !$0.isEmpty }
    let amounts = reported.map { $0.map { amount($0, reporting: reporting) } }.filter { !$0.contains(nil) }.map(
      Set.init)
    return amounts.isEmpty ? Set(reported).count > 1 : Set(amounts).count > 1
  }

  /// `USD`; nil where something unknown stands around the number.
  private static func code(_ text: String, reporting: String) -> String? {
    let around = String(text.unicodeScalars.filter { !ignored.contains($0) }.map(Character.init))
    if around.isEmpty { return reporting }
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
