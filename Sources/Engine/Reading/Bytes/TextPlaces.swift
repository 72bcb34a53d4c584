import CJSON
import Foundation

extension Text {
  /// The first place of a byte from `start` on; nil where it does not stand there.
  func position(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= unsafeBytes.count)
    guard let base = unsafeBytes.baseAddress,
      let found = memchr(base + start, Int32(byte), unsafeBytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }

  /// The first place of a word that is not empty; nil where it does not stand there.
  func position(of word: StaticString) -> Int? {
    word.withUTF8Buffer { position(of: Text(unsafeBytes: $0)) }
  }

  /// The first place of a text that is not empty, from `start` on; nil where it does not stand there.
  ///
  /// - Parameter asWord: without a letter or a digit on either side.
  func position(of text: Text, from start: Int = 0, asWord: Bool = false) -> Int? {
    var start = start
    while start + text.count <= count, let base = unsafeBytes.baseAddress, let wanted = text.unsafeBytes.baseAddress {
      guard let found = ol_find(base + start, count - start, wanted, text.count) else { return nil }
      let position = base.distance(to: found)
      if !asWord || isWord(position..<position + text.count) { return position }
      start = position + 1
    }
    return nil
  }

  private func isWord(_ range: Range<Int>) -> Bool {
    (range.lowerBound == 0 || !Self.isLetterOrDigit(self[range.lowerBound - 1]))
      && (range.upperBound == count || !Self.isLetterOrDigit(self[range.upperBound]))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// How many bytes up to `end` are line feeds.
  func lines(upTo end: Int) -> Int {
    precondition(end >= 0 && end <= unsafeBytes.count)
    return unsafeBytes.baseAddress.map { ol_count_line_feeds($0, end) } ?? 0
  }
}
