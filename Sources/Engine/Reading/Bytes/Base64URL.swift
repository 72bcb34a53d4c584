/// Base 64 with the alphabet for URLs and without padding, as signatures use it. Source: RFC 4648, section 5;
/// RFC 7515, section 2.
enum Base64URL {
  /// Bytes that a text of `count` characters decodes to, at most.
  static func decodedCount(_ count: Int) -> Int { count / 4 * 3 + 2 }

  /// Decodes a text behind what stands in `output`, which has room for `decodedCount` bytes more.
  ///
  /// Returns false for a text that no encoder makes: a foreign character, padding, one character over, or bits
  /// behind the last byte that are not zero.
  static func decode(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
    precondition(output.freeCapacity >= decodedCount(text.count))
    return text.withUnsafeBufferPointer { text in
      values.withUnsafeBufferPointer { values in
        output.withUnsafeMutableBufferPointer { room, count in
          guard let start = room.baseAddress else { return text.isEmpty }
          guard let written = decode(text, to: start + count, values) else { return false }
          count += written
          return true
        }
      }
    }
  }

  /// By character the six bits that it stands for; 255 where it stands for none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: .max, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns how many bytes were written; nil where there is no such text.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard text.count % 4 != 1 else { return nil }
    var (read, written) = (0, 0)
    while read &+ 4 <= text.count {
      let (a, b) = (values[Int(text[read])], values[Int(text[read &+ 1])])
      let (c, d) = (values[Int(text[read &+ 2])], values[Int(text[read &+ 3])])
      guard a | b | c | d < 64 else { return nil }
      output[written] = a << 2 | b >> 4
      output[written &+ 1] = b << 4 | c >> 2
      output[written &+ 2] = c << 6 | d
      (read, written) = (read &+ 4, written &+ 3)
    }
    guard read < text.count else { return written }
    let (a, b) = (values[Int(text[read])], values[Int(text[read &+ 1])])
    let c = text.count &- read == 3 ? values[Int(text[read &+ 2])] : 0
    guard a | b | c < 64 else { return nil }
    output[written] = a << 2 | b >> 4
    guard text.count &- read == 3 else { return b & 15 == 0 ? written &+ 1 : nil }
    output[written &+ 1] = b << 4 | c >> 2
    return c & 3 == 0 ? written &+ 2 : nil
  }
}
