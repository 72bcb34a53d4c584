/// Text that may hold somebody else's, made fit for a terminal, a log and a cell of a table.
package enum PrintableText {
  /// The most bytes of a quoted value, and of a sentence, that are shown.
  static let quotedBytes = 200
  static let sentenceBytes = 2000

  /// The text on one line, with everything a terminal or a reader could be misled by written out.
  ///
  ///     PrintableText.escaped("a\u{1b}[31mb\u{202e}") == #"a\u{1b}[31mb\u{202e}"#
  package static func escaped(_ text: String) -> String {
    guard !isPlain(text.utf8), text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    return result
  }

  /// The text with its line ends as they are, and every line `escaped`.
  package static func escapedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(separator: "\n")
  }

  /// A sentence on one line and of bounded length: what stands in quotation marks is cut first, then its middle.
  package static func sentence(_ text: String) -> String {
    shortened(cuttingQuoted(escaped(text)))
  }

  /// Bytes as text: what is not UTF-8 shows as `\x9b`, the rest as `escaped`.
  package static func escaped(bytes: [UInt8]) -> String {
    if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        append(Unicode.UTF8.decode(encoded), to: &result)
        position += encoded.count
      case .error(let length):
        for byte in bytes[position..<(position + length)] { result += hexadecimal(UInt32(byte)) }
        position += length
      case .emptyInput:
        return result
      }
    }
  }

  /// Whether `escaped` leaves bytes as they are, which is nearly always.
  package static func isPlain(_ bytes: [UInt8]) -> Bool { isPlain(bytes[...]) }

  /// Nothing but ASCII that shows as it is, which is nearly every text.
  private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f || $0 == 0x09 }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case _ where !isHarmful(scalar): text.unicodeScalars.append(scalar)
    default: text += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  private static func hexadecimal(_ byte: UInt32) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// JSON whose texts hold nothing that a terminal or a reader could be misled by: such characters are written as JSON
  /// escapes, so that it says the same.
  ///
  /// Source: RFC 8259, section 7.
  package static func escaped(json: String) -> String {
    guard json.unicodeScalars.contains(where: { isHarmful($0) && $0.value >= 0x7f }) else { return json }
    return json.unicodeScalars.reduce(into: "") { result, scalar in
      guard scalar.value >= 0x7f, isHarmful(scalar) else { return result.unicodeScalars.append(scalar) }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }

  /// Control characters move a cursor, format characters hide text or turn its direction, separators end a line.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (scalar.value < 0x20 && scalar != "\t") || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // The joiners belong to the spelling of Persian, Hindi and of some emoji.
    case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
    default: return false
    }
  }

  private static func cuttingQuoted(_ text: String) -> String {
    guard text.utf8.count > quotedBytes else { return text }
    var parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    // Every second part stands between two marks; the last part has none after it.
    for index in stride(from: 1, to: parts.count - 1, by: 2) where parts[index].utf8.count > quotedBytes {
      parts[index] = Substring(beginning(of: parts[index], bytes: quotedBytes) + "…")
    }
    return parts.joined(separator: "\"")
  }

  /// Where it is stands at a sentence's beginning and what to do about it at its end: the middle goes.
  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > sentenceBytes else { return text }
    return "\(beginning(of: text[...], bytes: sentenceBytes / 2)) … \(end(of: text[...], bytes: sentenceBytes / 2))"
  }

  private static func beginning(of text: Substring, bytes: Int) -> String {
    // A limit within a scalar counts as the scalar's beginning.
    String(text.unicodeScalars[..<text.utf8.index(text.utf8.startIndex, offsetBy: bytes)])
  }

  private static func end(of text: Substring, bytes: Int) -> String {
    String(text.unicodeScalars[text.utf8.index(text.utf8.endIndex, offsetBy: -bytes)...])
  }
}
