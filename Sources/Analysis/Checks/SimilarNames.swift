import Domain
import Foundation

/// Names that differ by their writing alone: letter case, blanks, hyphens, invisible characters, Unicode form.
///
/// `b`, `B` and `b ` are one group to whoever named them, and three to a computer.
enum SimilarNames {
  /// The names that look like another one, those that look alike together, in order of bytes.
  static func groups(_ names: some Sequence<Identifier>) -> [[Identifier]] {
    Dictionary(grouping: names) { plain($0.text) }.values.filter { $0.count > 1 }.map { $0.sorted() }
      .sorted { $0[0] < $1[0] }
  }

  /// The name as it is meant: small letters, one `_` for each run of blanks, hyphens and underscores within.
  static func plain(_ name: String) -> String {
    let visible = name.unicodeScalars.filter { scalar in
      ![.control, .format, .unassigned].contains(scalar.properties.generalCategory) || scalar.properties.isWhitespace
    }
    let folded = String(String.UnicodeScalarView(visible)).precomposedStringWithCompatibilityMapping.lowercased()
    let parts = folded.split { $0.isWhitespace || $0 == "-" || $0 == "_" }
    return parts.joined(separator: "_")
  }

  /// The name in YAML's quotes, with whatever cannot be seen written out.
  static func quoted(_ name: Identifier) -> String {
    let text = name.text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case " "..."~": String(scalar)
      case _ where scalar.properties.isAlphabetic: String(scalar)
      case _ where scalar.value < 0x10000: "\\u" + hexadecimal(scalar.value, digits: 4)
      default: "\\U" + hexadecimal(scalar.value, digits: 8)
      }
    }
    return "\"\(text.joined())\""
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
