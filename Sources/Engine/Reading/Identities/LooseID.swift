import Foundation

/// Ids that tools write otherwise than byte by byte: in another Unicode form, with marks that nobody sees, as numbers with
/// an exponent, as hexadecimal digits with a prefix.
enum LooseID {
  /// The id as it would be without that; nil where it has nothing of the kind.
  static func rewritten(_ id: Text) -> [UInt8]? {
    if id.contains(where: { $0 >= 0x80 }) { return composed(String(decoding: id, as: UTF8.self)) }
    return whole(id) ?? withoutPrefix(id)
  }

  /// Whether an id may be rewritten though its last four bytes are letters and digits of ASCII, and those then change.
  @inline(__always)
  static func mayBeRewritten(_ id: Text) -> Bool {
    guard let first = id.first else { return false }
    if first == UInt8(ascii: "\\") { return true }
    guard UserIDForm.isDigit(first) else { return false }
    return id.count < 8 || (id.count - 4..<id.count).contains { id[$0] | 0x20 == UInt8(ascii: "e") }
  }

  /// In Unicode's composed form (NFC), in small letters, without blanks and without marks that nobody sees.
  private static func composed(_ id: String) -> [UInt8] {
    let scalars = id.precomposedStringWithCanonicalMapping.lowercased().unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
    return Array(String(String.UnicodeScalarView(scalars)).utf8)
  }

  /// The digits of a whole number that is written with an exponent, `1.00000003E8`; nil for any other id.
  static func whole(_ id: Text) -> [UInt8]? {
    guard (3...30).contains(id.count), UserIDForm.isDigit(id[0]),
      let mark = id.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") })
    else { return nil }
    var exponent = id.slice(mark + 1..<id.count)
    if exponent.first == UInt8(ascii: "+") { exponent = exponent.slice(1..<exponent.count) }
    guard (1...2).contains(exponent.count), let positions = Int(String(decoding: exponent, as: UTF8.self)) else {
      return nil
    }
    var digits: [UInt8] = []
    var decimals: Int?
    for byte in id.prefix(mark) {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
      } else {
        guard UserIDForm.isDigit(byte) else { return nil }
        digits.append(byte)
        decimals = decimals.map { $0 + 1 }
      }
    }
    var missing = positions - (decimals ?? 0)
    while missing < 0, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      missing += 1
    }
    guard missing >= 0 else { return nil }
    return digits + Array(repeating: UInt8(ascii: "0"), count: missing)
  }

  /// Hexadecimal digits without `0x` (MySQL, SQL Server) or `\x` (PostgreSQL) before them; nil for any other id.
  private static func withoutPrefix(_ id: Text) -> [UInt8]? {
    guard id.count > 3, id[1] | 0x20 == UInt8(ascii: "x"), id[0] == UInt8(ascii: "0") || id[0] == UInt8(ascii: "\\"),
      id.dropFirst(2).allSatisfy({ UserIDForm.isDigit($0) || ($0 | 0x20) &- UInt8(ascii: "a") < 6 })
    else { return nil }
    return Array(id.dropFirst(2))
  }
}

/// The number that is left of a long one in a program that has no whole numbers beyond 2^53: JavaScript, a spreadsheet, a
/// data frame with a gap in the column.
struct RoundedID {
  /// What is left: ids share it that are rounded to one.
  let number: UInt64
  /// The id itself is a rounded number, written with as few digits as tell it or with all of them.
  let isRounded: Bool

  /// Nil for an id that is no number beyond 2^53.
  ///
  /// Source of the two spellings: ECMA-262, Number::toString; the exact value of an IEEE 754 double.
  init?(_ id: Text) {
    guard id.count >= 16, UserIDForm.isDigit(id[0]) else { return nil }
    let whole = LooseID.whole(id)
    var digits = whole ?? Array(id)
    digits.removeLast(digits.withText(UserIDForm.decimalEnd))
    guard (16...20).contains(digits.count), digits.allSatisfy(UserIDForm.isDigit),
      let value = Double(String(decoding: digits, as: UTF8.self)), value > 9_007_199_254_740_992, value < 0x1p64
    else { return nil }
    number = value.bitPattern
    let shortest = Array(value.description.utf8).withText { LooseID.whole($0) }
    isRounded = whole != nil || digits == shortest || digits == Array(String(UInt64(value)).utf8)
  }
}
