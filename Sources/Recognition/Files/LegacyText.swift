import Engine

/// Text in one byte a letter, as old spreadsheets and servers write it, where UTF-8 is read.
package struct LegacyText: Sendable {
  /// Line of the first letter that is not UTF-8, from 1.
  package let line: Int

  /// Looks at the beginning of a file; nil for UTF-8, also where some of its rows are broken.
  ///
  /// A single letter beyond ASCII that is sound UTF-8 shows that the file is UTF-8: by chance bytes of other encodings
  /// hardly ever are.
  ///
  /// - Parameter isWhole: the file ends with the bytes; else what stands behind their last line end is not looked at.
  init?(_ bytes: [UInt8], isWhole: Bool) {
    let end = isWhole ? bytes.count : bytes.lastIndex(of: 0x0a) ?? bytes.count
    var bytes = bytes[..<end].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var (line, found) = (1, Int?.none)
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let letter):
        if letter.count > 1, letter.first != 0xef { return nil }
        if letter.first == 0x0a { line += 1 }
      case .error: found = found ?? line
      case .emptyInput:
        guard let found else { return nil }
        self.line = found
        return
      }
    }
  }

  /// What to do about it.
  package func remedy(_ input: ShellInput) -> String {
    let command = input.piped(into: "iconv -f WINDOWS-1252 -t UTF-8")
    return
      "\(input.file), line \(line): the text is not UTF-8; it looks like Windows-1252 (Latin 1), and rows with letters such "
      + "as é or ñ would be rejected. Write it anew in UTF-8: \(command) > FILE."
  }
}
