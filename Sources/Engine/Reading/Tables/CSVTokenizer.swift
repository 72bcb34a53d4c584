/// Takes a CSV text apart, field by field (RFC 4180): a quoted field may hold delimiters, doubled quotes and line
/// breaks.
struct CSVTokenizer {
  let text: Text
  /// The file ends with the text.
  private let isLast: Bool
  private var at = 0
  /// Line ends before the place reached.
  private(set) var line = 0
  /// Where the row began that is being read, and the line ends before it.
  private(set) var rowStart = 0
  private(set) var linesBeforeRow = 0

  /// What ended a field.
  enum FieldEnd {
    case delimiter
    case row
    /// The text ended before the field did.
    case cut
    /// Text behind a closing quote.
    case damaged
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed: UInt8 = 0x0a
  private static let carriageReturn: UInt8 = 0x0d
  /// The first byte of a byte order mark.
  private static let markStart: UInt8 = 0xef

  init(_ text: Text, isLast: Bool) {
    self.text = text
    self.isLast = isLast
  }

  var isAtEnd: Bool { at == text.count }

  /// Where it is in the text.
  var position: Int {
    @inline(__always) get { at }
  }

  /// A quote stands at a place of the text.
  func isQuote(at position: Int) -> Bool { text[position] == Self.quote }

  /// Among `,` `;` and tab the one that stands most often outside quotes up to the next line end; `,` where none does.
  var likeliestDelimiter: UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for position in at..<text.count {
      let byte = text[position]
      if byte == Self.lineFeed && !isQuoted { break }
      if byte == Self.quote { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
  }

  // MARK: - Rows

  /// Moves to the next row's first byte, past blank lines and past the byte order marks that shards bring with them when
  /// they are joined; false where the text ends first.
  mutating func skipBlankLines() -> Bool {
    while at < text.count {
      while at < text.count, text[at] == Self.markStart {
        let before = at
        guard skipByteOrderMark() else { return false }
        if at == before { break }
      }
      var end = at
      while end < text.count, text[end] == 0x20 || text[end] == Self.carriageReturn { end += 1 }
      if end == text.count {
        if isLast {
          at = end
          finishRow()
        }
        return false
      }
      guard text[end] == Self.lineFeed else { return true }
      at = end + 1
      line += 1
      finishRow()
    }
    return false
  }

  /// Moves past a byte order mark where one stands; false where the text ends within what may be one.
  private mutating func skipByteOrderMark() -> Bool {
    guard text.has(Text.byteOrderMark, at: at) else { return at + Text.byteOrderMark.count <= text.count || isLast }
    at += Text.byteOrderMark.count
    finishRow()
    return true
  }

  /// Takes the row just read for done.
  mutating func finishRow() {
    rowStart = at
    linesBeforeRow = line
  }

  /// Goes back to the start of the row.
  mutating func abandonRow() {
    at = rowStart
    line = linesBeforeRow
  }

  /// Moves behind the first line of a row that makes no sense: what follows may be sound. False, with the tokenizer back
  /// at the row's start, where its end, or that of its first line, is not in sight yet.
  ///
  /// - Parameter afterCut: the row makes no sense because the text ended.
  mutating func abandonToLineEnd(afterCut: Bool) -> Bool {
    abandonRow()
    if afterCut, !isLast { return false }
    let end = text.position(of: Self.lineFeed, or: Self.lineFeed, from: at)
    guard end < text.count || isLast else { return false }
    at = min(end + 1, text.count)
    line += 1
    return true
  }

  /// Moves behind the row; false, with the tokenizer back at the row's start, where its end is not in sight.
  mutating func skipRow(by delimiter: UInt8, _ arena: TextArena) -> Bool {
    while true {
      switch readField(by: delimiter, arena).end {
      case .delimiter: continue
      case .row: return true
      case .damaged: return abandonToLineEnd(afterCut: false)
      case .cut: return abandonToLineEnd(afterCut: true)
      }
    }
  }

  /// Where the row stands that has been read, without its line end.
  var row: Range<Int> {
    var end = at
    while end > rowStart, text[end - 1] == Self.lineFeed || text[end - 1] == Self.carriageReturn { end -= 1 }
    return rowStart..<end
  }

  // MARK: - Fields

  /// Reads one field and what ends it, and moves behind that; behind the closing quote of a damaged field.
  ///
  /// - Parameter arena: where a field goes whose quotes are doubled.
  @inline(__always)
  mutating func readField(by delimiter: UInt8, _ arena: TextArena) -> (field: Text, end: FieldEnd) {
    at < text.count && text[at] == Self.quote ? readQuoted(by: delimiter, arena) : readBare(by: delimiter)
  }

  /// Reads up to the next delimiter or line end, whatever quotes there are.
  @inline(__always)
  mutating func readBare(by delimiter: UInt8) -> (field: Text, end: FieldEnd) {
    let start = at
    at = text.position(of: delimiter, or: Self.lineFeed, from: start)
    if at == text.count, !isLast { return (.empty, .cut) }
    let isRowEnd = at == text.count || text[at] == Self.lineFeed
    var end = at
    // A text that was made for Windows twice has two of them.
    if isRowEnd { while end > start, text[end - 1] == Self.carriageReturn { end -= 1 } }
    return (text.slice(start..<end), endField(isRowEnd))
  }

  private mutating func endField(_ isRowEnd: Bool) -> FieldEnd {
    if at < text.count { at += 1 }
    if isRowEnd { line += 1 }
    return isRowEnd ? .row : .delimiter
  }

  private mutating func readQuoted(by delimiter: UInt8, _ arena: TextArena) -> (field: Text, end: FieldEnd) {
    let start = at + 1
    var doubled = 0
    at = start
    while true {
      at = text.position(of: Self.quote, or: Self.lineFeed, from: at)
      if at == text.count { break }
      if text[at] == Self.lineFeed {
        line += 1
      } else {
        guard at + 1 < text.count, text[at + 1] == Self.quote else { break }
        doubled += 1
        at += 1
      }
      at += 1
    }
    // A quote in the last byte may be the first half of a doubled one.
    if at >= text.count || at + 1 == text.count && !isLast { return (.empty, .cut) }
    let field = undoubled(text.slice(start..<at), doubled, arena)
    return (field, endQuoted(by: delimiter))
  }

  /// The place reached is the closing quote.
  private mutating func endQuoted(by delimiter: UInt8) -> FieldEnd {
    at += 1
    var end = at
    while end < text.count, text[end] == Self.carriageReturn { end += 1 }
    if end > at, end == text.count, !isLast { return .cut }
    if end == text.count || text[end] == Self.lineFeed { at = end }
    guard at < text.count else { return endField(true) }
    guard text[at] == delimiter || text[at] == Self.lineFeed else { return .damaged }
    return endField(text[at] == Self.lineFeed)
  }

  private func undoubled(_ field: Text, _ doubled: Int, _ arena: TextArena) -> Text {
    guard doubled > 0 else { return field }
    return arena.write(atMost: field.count - doubled) { output in
      var at = 0
      while at < field.count {
        if field[at] == Self.quote { at += 1 }
        output.append(field[at])
        at += 1
      }
      return true
    } ?? .empty
  }
}
