import Domain
import Foundation

/// An amount of money as people write it for people: `£1,299.00`, `1.007,99 €`, `12 USD`.
struct AmountText {
  /// The same in plain digits, as prices are read: `1299.00`.
  let plain: String
  /// What plain digits do not have, as it stands there: `£`, `,`.
  let marks: Set<String>
  /// The sign or code of a currency among them.
  let currency: String?

  private static let blanks: Set<Character> = [" ", "\u{a0}", "\u{202f}"]

  /// Nil for what is no amount, or has no marks.
  ///
  /// - Parameter sign: what stands before the fraction.
  init?(_ text: String, sign: UInt8) {
    let (number, currency, blanks) = Self.withoutCurrency(text)
    guard let first = number.first, first.isASCII, first.isNumber else { return nil }
    let sign = Character(UnicodeScalar(sign))
    let parts = number.split(separator: sign, omittingEmptySubsequences: false)
    let separators = Self.separators(besides: sign)
    guard parts.count <= 2, let whole = parts.first else { return nil }
    let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
    guard groups.count == 1 || groups[0].count <= 3 && groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
      return nil
    }
    plain = groups.joined() + (parts.count > 1 ? "\(sign)\(parts[1])" : "")
    guard plain != text, (try? DecimalText.parse(plain, decimals: 6, sign: sign.asciiValue ?? 0)) != nil else {
      return nil
    }
    self.currency = currency
    marks = Set([currency].compactMap(\.self) + blanks + whole.filter(separators.contains).map(String.init))
  }

  private static func separators(besides sign: Character) -> Set<Character> {
    blanks.union(["'", "’", sign == "," ? "." : ","])
  }

  /// The text without the sign or code of a currency at either end, and without the blanks around.
  private static func withoutCurrency(_ text: String) -> (number: Substring, currency: String?, blanks: [String]) {
    var rest = text[...]
    var found: String?
    var blanks: [String] = []
    func trim() {
      while let first = rest.first, Self.blanks.contains(first) { blanks.append(String(rest.removeFirst())) }
      while let last = rest.last, Self.blanks.contains(last) { blanks.append(String(rest.removeLast())) }
    }
    trim()
    // Most texts are neither, and there are some two hundred currencies.
    if let first = rest.first, !first.isNumber, CurrencySign.beginnings.contains(first) {
      if let sign = CurrencySign.all.first(where: { rest.hasPrefix($0.text) }) {
        (found, rest) = (sign.text, rest.dropFirst(sign.text.count))
      }
    } else if let first = rest.first, first.isNumber, let last = rest.last, !last.isNumber {
      if let sign = CurrencySign.all.first(where: { rest.hasSuffix($0.text) }) {
        (found, rest) = (sign.text, rest.dropLast(sign.text.count))
      }
    }
    trim()
    return (rest, found, blanks)
  }
}
