import Domain

/// A command line as words, and words as a command line.
enum ShellWords {
  /// The words of a command line, with quotes as a shell has them; nothing else of a shell is understood.
  ///
  /// - Throws: `OfferliftError`, exit 64, where a quote is not closed.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw OfferliftError(.usage, "--spark-submit: a quote is not closed in \(line)") }
    return words + (word.map { [$0] } ?? [])
  }

  /// A word as a shell takes it.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./:=,@%+".contains($0)) }
    return isPlain ? word : "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
  }
}
