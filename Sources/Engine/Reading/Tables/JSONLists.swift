/// JSON objects that may stand in arrays, one array a file or one a line, as a server answers: each element is a row.
///
/// Brackets and commas between objects, and line ends inside them, are read as blanks. A file that begins with an object is
/// read as JSON Lines.
struct JSONLists: RecordFormat {
  private var objects: JSONLines
  private let arena = TextArena()
  /// Nil until the first byte has been seen.
  private var holdsLists: Bool?

  /// Reads members called `names`, in that order.
  init(names: [String]) {
    objects = JSONLines(names: names)
  }

  mutating func read(_ text: Text, isLast: Bool, into batch: RecordBatch) -> (bytes: Int, lines: Int) {
    if holdsLists == nil { holdsLists = Self.beginsWithList(text) }
    guard holdsLists == true else { return objects.read(text, isLast: isLast, into: batch) }
    var (plain, end) = Self.withoutBrackets(text)
    if !isLast { plain.removeLast(plain.count - end) }
    guard !plain.isEmpty else { return (0, 0) }
    // Fields of the batch before have been used.
    arena.clear()
    return objects.read(arena.copy(plain), isLast: true, into: batch)
  }

  private static func beginsWithList(_ text: Text) -> Bool {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return text.first { $0 > 0x20 && !mark.contains($0) } == UInt8(ascii: "[")
  }

  /// The text, as long as it was, and where what follows its last whole object begins.
  private static func withoutBrackets(_ text: Text) -> (plain: [UInt8], end: Int) {
    var plain = Array(text)
    var (depth, isText, isEscaped, end) = (0, false, false, 0)
    for (position, byte) in plain.enumerated() {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","):
        if depth == 0 { plain[position] = UInt8(ascii: " ") }
      case 0x0a, 0x0d:
        if depth > 0 { plain[position] = UInt8(ascii: " ") }
      default: break
      }
      if depth == 0 { end = position + 1 }
    }
    return (plain, end)
  }
}
