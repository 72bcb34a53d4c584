import Domain
import Engine

/// A table whose columns are not found because it is written in another way than CSV, and what to type.
struct OtherTable {
  private let look: FileLook
  /// The columns that must be there.
  private let needed: [String]
  /// It is a purchase log, which is no dump of MySQL.
  private let isLog: Bool

  /// What parts columns in the files of some programs: psql and many others, Hive, Unix.
  private static let marks: [UInt8] = [UInt8(ascii: "|"), 0x01, 0x1f, UInt8(ascii: "^"), UInt8(ascii: "~")]

  init(_ look: FileLook, needed: [String], isLog: Bool) {
    (self.look, self.needed, self.isLog) = (look, needed, isLog)
  }

  /// What it is, and what to type, as the end of a sentence; nil where nothing shows.
  func words(_ input: @autoclosure () -> ShellInput) -> String? {
    if look.beginsWithComments { return comments(input()) }
    for mark in Self.marks {
      let cells = look.header(partedBy: mark)
      guard cells.count > 1 else { continue }
      let shown = Self.shown(mark)
      if needed.contains(where: cells.contains) { return "its columns are parted by \(shown); say delimiter: \(shown)" }
      if mark < 0x20 || look.isEven(by: mark) { return dataPartedBy(mark, cells.count, input()) }
    }
    return nil
  }

  /// Rows without a header: `INSERT OVERWRITE DIRECTORY` of Hive writes such.
  private func dataPartedBy(_ mark: UInt8, _ columns: Int, _ input: ShellInput) -> String {
    let shown = Self.shown(mark)
    let count = Phrase.count(columns, "column")
    guard isLog else {
      return "its rows are parted by \(shown), and no row names the columns; say format: mysql, dialect: "
        + "{terminated_by: \(shown)} and columns: with its \(count) in order, [id, user, …]"
    }
    let names = needed + (needed.count..<max(columns, needed.count)).map { "other_\($0)" }
    let octal = String(mark, radix: 8)
    let separator = "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    let header = "printf '\(names.joined(separator: separator))\\n'"
    return
      "its rows are parted by \(shown), and no row names the columns; say delimiter: \(shown), and write a line above "
      + "it that names its \(count) in their order: { \(header); \(input.unpacked ?? "cat \(input.word)"); } "
      + "> FILE.csv"
  }

  private func comments(_ input: ShellInput) -> String {
    let named = look.header.first.map { $0.drop { $0 == "#" || $0 == " " } }.map(String.init) ?? ""
    if needed.contains(named) {
      return "its header begins with #; leave that out: \(input.piped(into: "sed '1s/^# *//'")) > FILE.csv"
    }
    return "it begins with lines of comments (#); leave them out: \(input.piped(into: "grep -v '^#'")) > FILE.csv"
  }

  /// A mark as YAML has it: `"|"`, `"\x01"`.
  private static func shown(_ mark: UInt8) -> String {
    let digits = String(mark, radix: 16)
    return mark < 0x20 ? "\"\\x\(digits.count < 2 ? "0" : "")\(digits)\"" : "\"\(UnicodeScalar(mark))\""
  }
}
