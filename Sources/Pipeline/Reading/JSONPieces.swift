import CSimdjson

/// Reads JSON texts that are in memory: a table's cell, or a member kept as it was typed.
///
/// What its answers point at lives until the next `forget()`.
final class JSONPieces {
  private let handle: OpaquePointer
  private let fields: UnsafeMutablePointer<ol_field>
  private let width: Int
  private let arena = TextArena()

  /// Reads objects' members called `names`, in that order; a name may be a path.
  init(names: [String]) {
    handle = JSONLines.makeReader(names: names)
    width = names.count
    fields = .allocate(capacity: max(width, 1))
  }

  deinit {
    ol_json_reader_destroy(handle)
    fields.deallocate()
  }

  /// The named members of the object that `text` is; nil where it is anything else. They hold until the next call.
  func members(of text: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<ol_field>? {
    let padded = arena.reserve(text.count + ol_json_padding())
    _ = UnsafeMutableBufferPointer(start: padded, count: text.count).initialize(fromContentsOf: text)
    (padded + text.count).initialize(repeating: 0, count: ol_json_padding())
    let status = ol_json_reader_read_text(handle, padded, text.count, fields)
    return status == UInt32(ol_row_ok) ? fields : nil
  }

  /// Gives back what the answers so far point at.
  func forget() {
    arena.clear()
    ol_json_reader_forget(handle)
  }

  /// The texts of an array's elements, or of the values of an object's members, in order.
  ///
  /// The text is known to be JSON; of any other, the answer means nothing.
  static func elements(of text: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    var elements: [UnsafeBufferPointer<UInt8>] = []
    var depth = 0
    var start = 1
    var at = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\""): at = endOfString(text, from: at)
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0, start < at { elements.append(UnsafeBufferPointer(rebasing: text[start..<at])) }
      case UInt8(ascii: ",") where depth == 1:
        if start < at { elements.append(UnsafeBufferPointer(rebasing: text[start..<at])) }
        start = at + 1
      case UInt8(ascii: ":") where depth == 1: start = at + 1
      default: break
      }
      at += 1
    }
    return elements.map(trimmed).filter { !$0.isEmpty }
  }

  /// Where the string that begins at `start` ends: at its closing quote.
  private static func endOfString(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var at = start + 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return at
  }

  private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return .noText }
    return UnsafeBufferPointer(rebasing: text[first...last])
  }
}

/// The texts of JSON arrays' strings, escapes undone.
struct JSONStrings {
  private let pieces = JSONPieces(names: ["v"])

  /// The strings and numbers of the array that `text` is, which is known to be JSON.
  func strings(of text: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    JSONPieces.elements(of: text).compactMap { element in
      let wrapped = Array("{\"v\":".utf8) + element + [UInt8(ascii: "}")]
      let field = wrapped.withUnsafeBufferPointer { pieces.members(of: $0)?[0] }
      return field.flatMap { $0.isText ? $0.buffer : nil }
    }
  }

  /// Gives back what the answers so far point at.
  func forget() { pieces.forget() }
}

extension ol_field {
  /// A string or a number, not empty.
  var isText: Bool { (kind == UInt32(ol_string) || kind == UInt32(ol_number)) && length > 0 }

  /// The field's text; none where it is missing, or neither a string nor a number.
  var string: UnsafeBufferPointer<UInt8> { isText ? buffer : .noText }
}
