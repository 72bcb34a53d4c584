import Domain
import Platform

/// A file as the shell's programs take it in, in messages that say what to type.
package struct ShellInput: Sendable {
  /// Its path as messages have it.
  package let file: String
  /// How it is packed; nil where it is not.
  package let packing: Packing?
  /// It is text in UTF-16.
  private let isUTF16: Bool
  /// Of a member of a zip archive what it is called there.
  private var member: String?
  /// The path as a word of a command line; of a member its archive's.
  package let word: String

  /// - Parameters:
  ///   - path: where the file lies; nil where that is not known.
  ///   - isQuoted: its name stands in quotes; else only where the shell would take it apart.
  package init(file: String, at path: String?, packing: Packing?, isUTF16: Bool, isQuoted: Bool = true) {
    (self.file, self.packing, self.isUTF16) = (file, packing, isUTF16)
    let archive: String
    (archive, member) = Self.parts(of: file, at: path)
    word = isQuoted ? ShellText.quoted(archive) : ShellText.word(archive)
  }

  /// A file that is not packed, in quotes only where the shell would take its name apart.
  package init(plain file: String) {
    (self.file, packing, isUTF16) = (file, nil, false)
    word = ShellText.word(file)
  }

  /// A file of which only the name is known.
  package init(file: String) {
    let packing: Packing? = file.hasSuffix(".gz") ? .gzip : file.hasSuffix(".zst") ? .zstd : nil
    self.init(file: file, at: nil, packing: packing, isUTF16: false)
  }

  /// What writes the file's text to the standard output, `gunzip -c 'a.csv.gz'`; nil where that lies in the file as it is.
  package var unpacked: String? {
    let programs = (packing.map { [$0.program] } ?? []) + (isUTF16 ? ["iconv -f UTF-16 -t UTF-8"] : [])
    if let member { return (["unzip -p \(word) \(ShellText.quoted(member))"] + programs).joined(separator: " | ") }
    guard let first = programs.first else { return nil }
    return (["\(first) \(word)"] + programs.dropFirst()).joined(separator: " | ")
  }

  /// An input whose file a program writes that is given this one, `command: ["xz", "-dc", "a.csv.xz"]`; nil where it is
  /// packed in another way around that.
  package func command(_ program: String) -> String? {
    guard unpacked == nil else { return nil }
    let words = program.split(separator: " ").map(String.init) + [file]
    return "command: [\(words.map(Self.inJobFile).joined(separator: ", "))]"
  }

  /// A text as YAML takes it between double quotes.
  private static func inJobFile(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The path to write another file beside it; of a member of an archive that lies beside the archive.
  package var position: String {
    guard let member else { return file }
    let archive = Self.parts(of: file, member).archive
    let stem = archive.lowercased().hasSuffix(".zip") ? String(archive.dropLast(4)) : archive
    return "\(stem)-\(member.replacing("/", with: "-"))"
  }

  /// An archive's name and its member's; of other files their name.
  private static func parts(of file: String, at path: String?) -> (archive: String, member: String?) {
    parts(of: file, path.flatMap { ZipArchive.Position($0) }?.member)
  }

  private static func parts(of file: String, _ member: String?) -> (archive: String, member: String?) {
    guard let member else { return (file, nil) }
    return (file.hasSuffix("/\(member)") ? String(file.dropLast(member.count + 1)) : file, member)
  }

  /// `tail -n +2 'a.csv'`, of a packed file `gunzip -c 'a.csv.gz' | tail -n +2`.
  package func piped(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) \(word)" }

  /// The same for a program that takes its input from nowhere else: `tr -d '\r' < 'a.csv'`.
  package func fed(into program: String) -> String { unpacked.map { "\($0) | \(program)" } ?? "\(program) < \(word)" }
}
