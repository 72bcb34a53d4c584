/// Text as `summary.md` needs it.
enum Markdown {
  /// Text from the data as Markdown shows it literally, on one line.
  static func escape(_ text: String) -> String {
    var result = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\", "|", "*", "`", "[", "]", "~": result += "\\\(scalar)"
      case "<" where index + 1 < scalars.count && scalars[index + 1] != " ": result += "\\<"
      case "\n", "\r", "\t": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
