import Domain

/// How many decimals the numbers of one column get, so that they stand under each other: `0.54`, `1.06`.
struct Digits {
  let decimals: Int
  /// What a number is multiplied by before it is printed: 100 for percent.
  private let scale: Double

  /// Decimals for shares, printed as percent: none from 1000 %, one from 10 %, two below, four where all are tiny.
  static func shares(_ values: [Double]) -> Digits {
    let largest = largest(values) * 100
    return Digits(
      decimals: largest >= 1000 ? 0 : largest >= 10 ? 1 : largest >= 0.1 || largest == 0 ? 2 : 4, scale: 100)
  }

  /// Decimals for money: those of cents, four where all are a few cents.
  static func money(_ values: [Double]) -> Digits {
    let largest = largest(values)
    return Digits(decimals: largest >= 0.1 || largest == 0 ? 2 : 4, scale: 1)
  }

  /// Decimals for other numbers: none where all are whole, else three figures of the largest.
  static func plain(_ values: [Double]) -> Digits {
    if values.allSatisfy({ $0 == $0.rounded() }) { return Digits(decimals: 0, scale: 1) }
    let largest = largest(values)
    return Digits(decimals: largest >= 100 ? 0 : largest >= 10 ? 1 : largest >= 0.1 ? 2 : 4, scale: 1)
  }

  private static func largest(_ values: [Double]) -> Double { values.filter(\.isFinite).map(\.magnitude).max() ?? 0 }

  /// The number with just so many decimals, thousands apart, a true minus sign: `−1,234.50`.
  func text(_ value: Double) -> String {
    let digits = FixedDecimal.text(value * scale, decimals: decimals)
    let parts = digits.split(separator: ".", maxSplits: 1)
    let whole = Phrase.grouped(String(parts[0]))
    let text = parts.count > 1 ? "\(whole).\(parts[1])" : whole
    return value < 0 && digits.contains { $0 != "0" && $0 != "." } ? "−" + text : text
  }

  /// The same with a plus sign in front of what is above 0.
  func signed(_ value: Double) -> String {
    let text = text(value)
    return value > 0 && text.contains { $0 != "0" && $0 != "." && $0 != "," } ? "+" + text : text
  }
}
