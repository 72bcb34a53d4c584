import Domain

/// A file as the shell's programs take it in, in messages that say what to type.
struct ShellInput {
  /// Its path as messages have it.
  let file: String
  /// It is gzip.
  let isPacked: Bool

  init(file: String, isPacked: Bool) {
    (self.file, self.isPacked) = (file, isPacked)
  }

  /// A file of which only the name is known.
  init(file: String) {
    self.init(file: file, isPacked: file.hasSuffix(".gz"))
  }

  /// The path as a word of a command line.
  var word: String { ShellText.quoted(file) }

  /// `iconv -f UTF-16 'a.csv'`, of a packed file `gunzip -c 'a.csv.gz' | iconv -f UTF-16`.
  func piped(into program: String) -> String { isPacked ? "gunzip -c \(word) | \(program)" : "\(program) \(word)" }

  /// The same for a program that takes its input from nowhere else: `tr -d '\r' < 'a.csv'`.
  func fed(into program: String) -> String { isPacked ? piped(into: program) : "\(program) < \(word)" }
}
