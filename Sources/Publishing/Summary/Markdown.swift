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

  /// A table of rows as wide as its columns; headings and cells are Markdown already.
  static func table(_ columns: [Column], _ rows: [[String]]) -> String {
    let lines = [columns.map(\.heading)] + rows
    let text = lines.map { "| " + $0.joined(separator: " | ") + " |\n" }
    return text[0] + "|" + columns.map { $0.isNumber ? "--:|" : "---|" }.joined() + "\n" + text.dropFirst().joined()
  }

  /// A column of a table; numbers are set to the right.
  struct Column {
    let heading: String
    let isNumber: Bool

    static func text(_ heading: String) -> Self { Self(heading: heading, isNumber: false) }
    static func number(_ heading: String) -> Self { Self(heading: heading, isNumber: true) }
  }
}
