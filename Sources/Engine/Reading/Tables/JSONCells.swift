/// Reads JSON that stands in a cell of a table, or text that must be put together first.
struct JSONCells<Member: JSONMember> {
  private let reader = JSONObjectReader<Member>()
  private let arena = TextArena()

  /// Reads one object; nil where the text is not exactly that. What it points at lives until `forget`.
  func read(_ text: some Collection<UInt8>) -> Record<Member>? { reader.read(arena.copy(text)) }

  /// Gives back what the texts read so far took.
  func forget() {
    arena.clear()
    reader.forget()
  }
}

/// The one member of an object that a lone value is wrapped into to be read.
enum JSONValue: Int, JSONMember {
  case value
  var source: SourceField { SourceField(name: "v") }
}

extension JSONCells<JSONValue> {
  /// The string or number that `text` is, escapes undone; an empty text where it is something else.
  func string(_ text: Text) -> Text {
    // Without an escape it is what stands between its quotes.
    let isPlain = text.count >= 2 && text[0] == UInt8(ascii: "\"") && !text.holds(UInt8(ascii: "\\"))
    return isPlain ? text.slice(1..<text.count - 1) : value(text)?.text ?? .empty
  }

  /// The value that `text` is; nil where it is not JSON.
  func value(_ text: Text) -> Field? {
    read(Array("{\"v\":".utf8) + text + [UInt8(ascii: "}")]).map { $0[.value] }
  }
}
