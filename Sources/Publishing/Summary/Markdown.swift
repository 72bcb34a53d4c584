/// Text as `summary.md` needs it.
enum Markdown {
  /// Text from the data as Markdown shows it literally, on one line: no emphasis, no heading, no list, and no link.
  ///
  /// Source: CommonMark 0.31, "Backslash escapes"; GitHub Flavored Markdown, "Autolinks".
  static func escape(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let marker = positionOfMarker(scalars)
    var result = ""
    for (position, scalar) in scalars.enumerated() {
      switch scalar {
      case "\n", "\r", "\t": result += " "
      case _ where position == marker || isMarkup(scalar, at: position, of: scalars): result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isMarkup(_ scalar: Unicode.Scalar, at position: Int, of scalars: [Unicode.Scalar]) -> Bool {
    switch scalar {
    case "\\", "|", "*", "`", "[", "]", "~": true
    case "<": position + 1 < scalars.count && scalars[position + 1] != " "
    // Within a word it is only a letter.
    case "_": !(isWord(scalars, position - 1) && isWord(scalars, position + 1))
    // An address becomes a link by itself, with a scheme or without.
    case ":": scalars[(position + 1)...].starts(with: "//".unicodeScalars)
    case ".": scalars[..<position].suffix(3).map { $0.properties.lowercaseMapping }.joined() == "www"
    case "@": isWord(scalars, position + 1)
    default: false
    }
  }

  /// Where a character stands that makes a heading, a quotation or a list of the line, if the text begins with one.
  private static func positionOfMarker(_ scalars: [Unicode.Scalar]) -> Int? {
    func isBlank(_ position: Int) -> Bool { position >= scalars.count || scalars[position] == " " }
    switch scalars.first {
    case ">": return 0
    case "#": return isBlank(scalars.prefix { $0 == "#" }.count) ? 0 : nil
    case "+", "-": return isBlank(1) ? 0 : nil
    default:
      let digits = scalars.prefix { ("0"..."9").contains($0) }.count
      let isList = digits > 0 && digits < scalars.count && [".", ")"].contains(scalars[digits]) && isBlank(digits + 1)
      return isList ? digits : nil
    }
  }

  private static func isWord(_ scalars: [Unicode.Scalar], _ position: Int) -> Bool {
    scalars.indices.contains(position)
      && (scalars[position].properties.isAlphabetic || scalars[position].properties.numericType != nil)
  }
}
