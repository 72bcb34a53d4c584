import Mustache

/// Escapes a text scalar by scalar.
///
/// Mustache's own way goes by characters, and a quotation mark with an accent over it is another character than the mark:
/// it stays, and ends an attribute.
struct EscapedScalars: MustacheContentType {
  /// The text as HTML; a percent sign keeps to its number, whatever line they stand on.
  func escapeText(_ text: String) -> String {
    let text = SVG.escape(text)
    return text.utf8.contains(UInt8(ascii: "%")) ? Self.unbroken(text) : text
  }

  /// Byte by byte, for a thousand pages have a hundred thousand percent signs.
  private static func unbroken(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 8)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "%"), bytes.last == UInt8(ascii: " ") {
        bytes.removeLast()
        bytes += "\u{a0}".utf8
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a template begins with so that its texts are escaped this way; partials do not take it over.
  static var pragma: String {
    _ = registration
    return "{{% CONTENT_TYPE:SCALARS}}"
  }

  private static let registration: Void = MustacheContentTypes.register(EscapedScalars(), named: "SCALARS")
}
