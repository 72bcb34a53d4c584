/// Values as a job file writes them.
enum YAMLText {
  /// A text, in quotes where it could be read as something else.
  static func value(_ text: String) -> String {
    isPlain(text) ? text : "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// `{user: Customer, group: "Test group"}`, in order of the keys given.
  static func mapping(_ pairs: [(key: String, value: String)]) -> String {
    "{\(pairs.map { "\(value($0.key)): \(value($0.value))" }.joined(separator: ", "))}"
  }

  /// `[a, b]`.
  static func list(_ items: [String]) -> String { "[\(items.map(value).joined(separator: ", "))]" }

  /// Words that YAML reads as something other than text.
  private static let words: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !words.contains(text.lowercased()) else { return false }
    let isWord = first.properties.isAlphabetic || first == "_" || first == "."
    return isWord
      && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "_-./0123456789".unicodeScalars.contains($0) }
  }
}
