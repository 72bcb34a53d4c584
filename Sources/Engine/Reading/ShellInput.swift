import Domain

/// A file as the shell's programs take it in, in messages that say what to type.
struct ShellInput {
  /// Its path as messages have it.
  let file: String
  /// It is gzip.
  let isPacked: Bool

  /// The path as a word of a command line.
  var word: String { ShellText.quoted(file) }

  /// `iconv -f UTF-16 'a.csv'`, of a packed file `gunzip -c 'a.csv.gz' | iconv -f UTF-16`.
  func piped(into program: String) -> String { isPacked ? "gunzip -c \(word) | \(program)" : "\(program) \(word)" }
}
