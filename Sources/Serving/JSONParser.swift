import Domain

/// Reads one JSON value of a line, strictly after RFC 8259: nothing may stand behind it, and it is not nested without end.
struct JSONParser {
  /// What is wrong, and where.
  struct Fault: Error, Equatable {
    let words: String
    /// From 0, in bytes.
    let position: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private static let mostDepth = 64

  /// - Throws: `Fault`.
  static func value(of bytes: [UInt8]) throws(Fault) -> JSON {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(words: "not UTF-8", position: 0) }
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.position == bytes.count else { throw parser.fault("text behind the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ words: String) -> Fault { Fault(words: words, position: position) }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
  }

  private mutating func accept(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> JSON {
    guard depth < Self.mostDepth else { throw fault("nested too deeply") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some: return .number(try number())
    case nil: throw fault("a value is missing")
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(Fault) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw fault("no value of JSON's") }
    position += word.utf8.count
    return value
  }

  private mutating func list(_ depth: Int) throws(Fault) -> JSON {
    position += 1
    var values: [JSON] = []
    skipBlanks()
    if accept("]") { return .list(values) }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if accept("]") { return .list(values) }
      guard accept(",") else { throw fault("a comma or ] is missing") }
    }
  }

  private mutating func object(_ depth: Int) throws(Fault) -> JSON {
    position += 1
    var members: [JSON.Member] = []
    skipBlanks()
    if accept("}") { return .object(members) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fault("a member's name is missing") }
      let name = try string()
      skipBlanks()
      guard accept(":") else { throw fault("a colon is missing") }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipBlanks()
      if accept("}") { return .object(members) }
      guard accept(",") else { throw fault("a comma or } is missing") }
    }
  }

  // MARK: - Numbers

  private mutating func number() throws(Fault) -> String {
    let start = position
    _ = accept("-")
    if !accept("0") { try digits() }
    if accept(".") { try digits() }
    if accept("e") || accept("E") {
      if !accept("+") { _ = accept("-") }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(Fault) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw fault("no value of JSON's") }
  }

  // MARK: - Texts

  private mutating func string() throws(Fault) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw fault("a control character in a text")
      default: text.append(byte)
      }
    }
    throw fault("a text never ends")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  private mutating func escape() throws(Fault) -> [UInt8] {
    guard let letter = next else { throw fault("a text never ends") }
    position += 1
    if let byte = Self.escapes[letter] { return [byte] }
    guard letter == UInt8(ascii: "u") else { throw fault("no escape of JSON's") }
    let unit = try codeUnit()
    guard UTF16.isLeadSurrogate(unit) else { return Array(String(decoding: [unit], as: UTF16.self).utf8) }
    // Half a pair alone becomes the mark of what cannot be read.
    guard accept("\\"), accept("u") else { return Array("\u{fffd}".utf8) }
    return Array(String(decoding: [unit, try codeUnit()], as: UTF16.self).utf8)
  }

  private mutating func codeUnit() throws(Fault) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("no escape of JSON's") }
    position += 4
    return unit
  }
}
