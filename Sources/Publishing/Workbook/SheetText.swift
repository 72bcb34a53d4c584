/// Text as a worksheet's XML holds it.
enum SheetText {
  /// The most UTF-16 units that a cell may have.
  static let longest = 32_767

  /// Adds the text, escaped. What XML cannot hold is written `_x0001_`, as spreadsheets do, and a text that looks like
  /// that is escaped itself; what is too long for a cell ends with `…`.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    guard needsCare(text.utf8) || text.utf8.count > longest else { return bytes += text.utf8 }
    var units = 0
    let scalars = Array(text.unicodeScalars)
    let isTooLong = text.utf16.count > longest
    for (index, scalar) in scalars.enumerated() {
      units += UTF16.width(scalar)
      if isTooLong, units >= longest { return bytes += "…".utf8 }
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\t", "\n": bytes.append(UInt8(scalar.value))
      case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": bytes += escape(scalar).utf8
      case "_" where looksEscaped(scalars[index...]): bytes += escape("_").utf8
      default: bytes += String(scalar).utf8
      }
    }
  }

  /// Plain ASCII letters, digits and the like pass as they are; most ids are made of these alone.
  private static func needsCare(_ text: String.UTF8View) -> Bool {
    var last: UInt8 = 0
    for byte in text {
      switch byte {
      case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0xEF: return true
      case UInt8(ascii: "x") where last == UInt8(ascii: "_"): return true
      default: last = byte
      }
    }
    return false
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "_x" + String(repeating: "0", count: 4 - digits.count) + digits + "_"
  }

  /// Whether `_x`, four hexadecimal digits and `_` come next.
  private static func looksEscaped(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let next = scalars.prefix(7)
    return next.count == 7 && next[next.startIndex + 1] == "x" && next.last == "_"
      && next.dropFirst(2).dropLast().allSatisfy(\.properties.isASCIIHexDigit)
  }
}
