import Domain
import Foundation

/// Names that differ by their writing alone: letter case, blanks, hyphens, invisible characters, Unicode form, letters of
/// another script that look the same.
///
/// `b`, `B` and `b ` are one group to whoever named them, and three to a computer.
enum SimilarNames {
  /// The names that look like another one, those that look alike together, in order of bytes.
  static func groups(_ names: some Sequence<Identifier>) -> [[Identifier]] {
    let names = Set(names)
    let spellings = Dictionary(grouping: names) { plain($0.text) }.values
    let seen = names.flatMap { name in looks(of: name.text).map { (look: $0, name: name) } }
    // In ASCII 1, I and l are told apart.
    let foreign = Dictionary(grouping: seen) { $0.look }.values.map { $0.map { $0.name } }
      .filter { $0.contains { $0.utf8.contains { $0 >= 0x80 } } }
    return merged(Array(spellings) + foreign).filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// The name as it is meant: small letters, one `_` for each run of blanks, hyphens and underscores within.
  static func plain(_ name: String) -> String {
    let folded = visible(name).precomposedStringWithCompatibilityMapping.lowercased()
    let parts = folded.split { $0.isWhitespace || $0 == brailleBlank || $0 == "-" || $0 == "_" }
    return parts.joined(separator: "_")
  }

  /// How the name looks, in capitals as it stands and in small letters: what look alike have one in common.
  private static func looks(of name: String) -> Set<String> {
    [plain(Confusables.skeleton(of: visible(name))), Confusables.skeleton(of: plain(name))]
  }

  /// The name without what is not shown.
  private static func visible(_ name: String) -> String {
    let shown = name.unicodeScalars.filter { scalar in
      let properties = scalar.properties
      if properties.isWhitespace { return true }
      return !properties.isDefaultIgnorableCodePoint
        && ![.control, .format, .unassigned].contains(properties.generalCategory)
    }
    return String(String.UnicodeScalarView(shown))
  }

  /// A pattern of no dots is no white space to Unicode.
  private static let brailleBlank: Character = "\u{2800}"

  /// Sets that share a name become one.
  private static func merged(_ sets: [[Identifier]]) -> [Set<Identifier>] {
    var merged: [Set<Identifier>] = []
    var positions: [Identifier: Int] = [:]
    for set in sets {
      var union = Set(set)
      for position in Set(set.compactMap { positions[$0] }) {
        union.formUnion(merged[position])
        merged[position] = []
      }
      for name in union { positions[name] = merged.count }
      merged.append(union)
    }
    return merged
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
