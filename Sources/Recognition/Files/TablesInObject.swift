/// The tables in a file that is one JSON object of several, as databases and Firebase export them: members that are arrays
/// of objects.
struct TablesInObject {
  /// As they were typed, in the file's order.
  let names: [String]

  /// Nil for what is no such object, as far as the beginning of a file shows.
  init?(_ beginning: [UInt8]) {
    var scan = Scan()
    for byte in beginning {
      guard scan.accept(byte) else { return nil }
    }
    guard !scan.tables.isEmpty, scan.others == 0 || scan.isSpread else { return nil }
    names = scan.tables
  }

  /// One way through the bytes, which may end anywhere.
  private struct Scan {
    var tables: [String] = []
    /// How many members are something else.
    var others = 0
    /// The object takes several lines.
    var isSpread = false
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var hasEnded = false
    /// The text at hand, or the one before.
    private var text: [UInt8] = []
    /// The name of a member whose value has not begun, and what has been seen of that.
    private var name: [UInt8]?
    private var value: [UInt8] = []

    /// False where the file is no such object, or goes on behind it.
    mutating func accept(_ byte: UInt8) -> Bool {
      if isInText {
        scanText(byte)
        return true
      }
      guard byte > 0x20 else {
        isSpread = isSpread || byte == 0x0a && depth > 0
        return true
      }
      guard !hasEnded, depth > 0 || byte == UInt8(ascii: "{") || byte >= 0x80 else { return false }
      if name != nil { scanValue(byte) }
      switch byte {
      case UInt8(ascii: "\""): (isInText, text) = (true, [])
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        hasEnded = depth == 0
      case UInt8(ascii: ":") where depth == 1: (name, value) = (text, [])
      default: break
      }
      return true
    }

    private mutating func scanText(_ byte: UInt8) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText = false
        return
      }
      text.append(byte)
    }

    /// The first two marks of a value tell whether it is an array of objects.
    private mutating func scanValue(_ byte: UInt8) {
      value.append(byte)
      guard value.count == 2 || value[0] != UInt8(ascii: "[") else { return }
      if value.elementsEqual("[{".utf8) {
        tables.append(String(decoding: name ?? [], as: UTF8.self))
      } else if !value.elementsEqual("[]".utf8) {
        others += 1
      }
      name = nil
    }
  }
}
