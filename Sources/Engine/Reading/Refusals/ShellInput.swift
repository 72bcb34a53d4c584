import Domain
import Platform

/// A file as the shell's programs take it in, in messages that say what to type.
package struct ShellInput: Sendable {
  /// Its path as messages have it.
  let file: String
  /// How it is packed; nil where it is not.
  let packing: Packing?
  /// The path as a word of a command line.
  let word: String

  init(file: String, packing: Packing?) {
    (self.file, self.packing) = (file, packing)
    word = ShellText.quoted(file)
  }

  /// The file of a sample, by another name, in quotes only where the shell would take that apart.
  package init(_ sample: FileSample, as file: String) {
    (self.file, packing) = (file, sample.packing)
    word = ShellText.word(file)
  }

  /// A file that is not packed, in quotes only where the shell would take its name apart.
  package init(plain file: String) {
    (self.file, packing) = (file, nil)
    word = ShellText.word(file)
  }

  /// A file of which only the name is known.
  init(file: String) {
    let packing: Packing? = file.hasSuffix(".gz") ? .gzip : file.hasSuffix(".zst") ? .zstd : nil
    self.init(file: file, packing: packing)
  }

  /// What writes a packed file's text to the standard output: `gunzip -c 'a.csv.gz'`; nil of a file that is not packed.
  var unpacked: String? { packing.map { "\($0.program) \(word)" } }

  /// `tail -n +2 'a.csv'`, of a packed file `gunzip -c 'a.csv.gz' | tail -n +2`.
  package func piped(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) \(word)" }

  /// The same for a program that takes its input from nowhere else: `tr -d '\r' < 'a.csv'`.
  package func fed(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) < \(word)" }
}
