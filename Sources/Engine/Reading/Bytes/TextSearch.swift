import CJSON
import Foundation

/// Finds the first of several texts in a file's bytes as they come; no byte is looked at twice for one text.
struct TextSearch {
  private var sought: [Sought]

  /// One text, and how far it has been looked for.
  private struct Sought {
    let text: [UInt8]
    /// Letters or digits beside it make it part of a longer word, which is another.
    let isWord: Bool
    /// Offset in the file of the last place found.
    var found: Int64?
    /// Offset up to which there is no other place behind that.
    var searched: Int64 = 0
  }

  init(words: [[UInt8]], texts: [[UInt8]]) {
    sought =
      words.map { Sought(text: $0, isWord: true) } + texts.map { Sought(text: $0, isWord: false) }
  }

  /// The first place in a text that stands at `offset` in the file; nil where none of those sought is in sight.
  ///
  /// Calls come in order of offsets, and each text goes on as the last one did.
  mutating func first(in text: Text, at offset: Int64) -> Int? {
    sought.indices.compactMap { place(of: $0, in: text, at: offset) }.min()
  }

  private mutating func place(of number: Int, in text: Text, at offset: Int64) -> Int? {
    if let found = sought[number].found, found >= offset { return Int(found - offset) }
    let length = sought[number].text.count
    let start = max(0, Int(sought[number].searched - offset))
    sought[number].found = nil
    if let place = sought[number].text.withText({ text.place(of: $0, from: start, asWord: sought[number].isWord) }) {
      sought[number].found = offset + Int64(place)
      sought[number].searched = offset + Int64(place) + 1
      return place
    }
    // The last bytes in sight may begin what goes on behind them.
    sought[number].searched = max(sought[number].searched, offset + Int64(text.count - length + 1))
    return nil
  }
}

extension Text {
  /// The first place of a byte from `start` on; nil where it does not stand there.
  func place(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= unsafeBytes.count)
    guard let base = unsafeBytes.baseAddress,
      let found = memchr(base + start, Int32(byte), unsafeBytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }

  /// The first place of a word that is not empty; nil where it does not stand there.
  func place(of word: StaticString) -> Int? {
    word.withUTF8Buffer { place(of: Text(unsafeBytes: $0)) }
  }

  /// The first place of a text that is not empty, from `start` on; nil where it does not stand there.
  ///
  /// - Parameter asWord: without a letter or a digit on either side.
  func place(of text: Text, from start: Int = 0, asWord: Bool = false) -> Int? {
    var start = start
    while start + text.count <= count, let base = unsafeBytes.baseAddress, let sought = text.unsafeBytes.baseAddress {
      guard let found = ol_find(base + start, count - start, sought, text.count) else { return nil }
      let place = base.distance(to: found)
      if !asWord || isWord(place..<place + text.count) { return place }
      start = place + 1
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
