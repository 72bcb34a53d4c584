import Domain
import Platform

/// A file as the shell's programs take it in, in messages that say what to type.
package struct ShellInput: Sendable {
  /// Its path as messages have it.
  let file: String
  /// How it is packed; nil where it is not.
  let packing: Packing?
  /// It is text in UTF-16.
  private let isUTF16: Bool
  /// The path as a word of a command line.
  let word: String

  init(file: String, packing: Packing?, isUTF16: Bool = false) {
    (self.file, self.packing, self.isUTF16) = (file, packing, isUTF16)
    word = ShellText.quoted(file)
  }

  /// The file of a sample, by another name, in quotes only where the shell would take that apart.
  package init(_ sample: FileSample, as file: String) {
    (self.file, packing, isUTF16) = (file, sample.packing, sample.isUTF16)
    word = ShellText.word(file)
  }

  /// A file that is not packed, in quotes only where the shell would take its name apart.
  package init(plain file: String) {
    (self.file, packing, isUTF16) = (file, nil, false)
    word = ShellText.word(file)
  }

  /// A file of which only the name is known.
  init(file: String) {
    let packing: Packing? = file.hasSuffix(".gz") ? .gzip : file.hasSuffix(".zst") ? .zstd : nil
    self.init(file: file, packing: packing)
  }

  /// What writes the file's text to the standard output, `gunzip -c 'a.csv.gz'`; nil where that lies in the file as it is.
  var unpacked: String? {
    let programs = (packing.map { [$0.program] } ?? []) + (isUTF16 ? ["iconv -f UTF-16 -t UTF-8"] : [])
    guard let first = programs.first else { return nil }
    return (["\(first) \(word)"] + programs.dropFirst()).joined(separator: " | ")
  }

  /// `tail -n +2 'a.csv'`, of a packed file `gunzip -c 'a.csv.gz' | tail -n +2`.
  package func piped(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) \(word)" }

  /// The same for a program that takes its input from nowhere else: `tr -d '\r' < 'a.csv'`.
  package func fed(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) < \(word)" }
}
