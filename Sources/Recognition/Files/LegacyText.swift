import Engine

/// Text in an older encoding, as spreadsheets and servers write it, where UTF-8 is read.
package struct LegacyText: Sendable {
  /// Line of the first letter that is not UTF-8, from 1.
  package let line: Int
  /// Which one it looks like.
  private let encoding: LegacyEncoding

  /// Looks at the beginning of a file; nil for UTF-8, also where some of its rows are broken.
  ///
  /// A letter beyond ASCII that is sound UTF-8 shows that the file is UTF-8: by chance bytes of other encodings hardly ever
  /// are, or, of those with two bytes a letter, far fewer than those that are not.
  ///
  /// - Parameter isWhole: the file ends with the bytes; else what stands behind their last line end is not looked at.
  init?(_ bytes: [UInt8], isWhole: Bool) {
    let end = isWhole ? bytes.count : bytes.lastIndex(of: 0x0a) ?? bytes.count
    let text = bytes[..<end]
    var rest = text.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var (line, found) = (1, Int?.none)
    var (sound, broken) = (0, 0)
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let letter):
        if letter.count > 1, letter.first != 0xef { sound += 1 }
        if letter.first == 0x0a { line += 1 }
      case .error: (found, broken) = (found ?? line, broken + 1)
      case .emptyInput:
        guard let found, Self.soundByChance * sound < broken else { return nil }
        self.line = found
        encoding = LegacyEncoding(of: text)
        return
      }
    }
  }

  /// Of so many broken letters one may be sound by chance.
  private static let soundByChance = 3

  /// What to do about it.
  package func remedy(_ input: ShellInput) -> String {
    let command = input.piped(into: "iconv -f \(encoding.rawValue) -t UTF-8")
    return
      "\(input.file), line \(line): the text is not UTF-8; it looks like \(encoding.words), and rows with letters such "
      + "as \(encoding.letters) would be rejected. Write it anew in UTF-8: \(command) > FILE."
  }
}

/// Encodings that came before UTF-8, by the name that iconv has for them.
private enum LegacyEncoding: String {
  case western = "WINDOWS-1252"
  case cyrillic = "WINDOWS-1251"
  case russian = "KOI8-R"
  case japanese = "SHIFT_JIS"
  case chinese = "GB18030"

  /// The likeliest, by where the bytes beyond ASCII lie.
  ///
  /// Letters with accents stand by themselves among others; Cyrillic words are of one byte a letter, nearly all in the
  /// upper half, small letters more than capital ones; ideograms take two bytes, the first of which lies high in GB 2312
  /// and at both ends in Shift JIS.
  init(of text: ArraySlice<UInt8>) {
    let runs = text.split { $0 < 0x80 }
    let high = runs.reduce(0) { $0 + $1.count }
    let lone = runs.count { $0.count == 1 }
    func share(_ range: ClosedRange<UInt8>) -> Double {
      Double(runs.joined().count(where: range.contains)) / Double(max(1, high))
    }
    if share(0xc0...0xff) >= 0.9, 2 * lone < runs.count {
      self = share(0xe0...0xff) >= share(0xc0...0xdf) ? .cyrillic : .russian
      return
    }
    let leads = Self.leads(text)
    if 2 * leads.count(where: { (0x81...0x9f).contains($0) }) > leads.count {
      self = .japanese
    } else {
      self = 2 * lone >= runs.count ? .western : .chinese
    }
  }

  /// The first bytes of pairs.
  private static func leads(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var leads: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      let isPair = text[position] > 0x80 && position + 1 < text.endIndex && text[position + 1] >= 0x40
      if isPair { leads.append(text[position]) }
      position += isPair ? 2 : 1
    }
    return leads
  }

  var words: String {
    switch self {
    case .western: "Windows-1252 (Latin 1)"
    case .cyrillic: "Windows-1251 (Cyrillic)"
    case .russian: "KOI8-R (Cyrillic)"
    case .japanese: "Shift JIS (Japanese)"
    case .chinese: "GB 18030 or GBK (Chinese; Korean text is EUC-KR)"
    }
  }

  /// Letters that only such a text has.
  var letters: String {
    switch self {
    case .western: "é or ñ"
    case .cyrillic, .russian: "д or ж"
    case .japanese: "価 or 格"
    case .chinese: "价 or 格"
    }
  }
}
