import Foundation

/// Words of a command line, so that they can be typed as they are shown.
package enum ShellText {
  /// A word, in quotes where the shell would take it apart.
  package static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { letter in
        letter.properties.isAlphabetic || "0123456789_-./=:,+@%".unicodeScalars.contains(letter)
      }
    return isPlain ? text : quoted(text)
  }

  /// In single quotes.
  package static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  /// In double quotes, so that single ones can stand inside.
  package static func doubleQuoted(_ text: String) -> String {
    let escaped = text.reduce(into: "") { result, letter in
      if "\\\"$`".contains(letter) { result.append("\\") }
      result.append(letter)
    }
    return "\"\(escaped)\""
  }

  /// The path of a file as it is typed in the working directory.
  package static func path(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
