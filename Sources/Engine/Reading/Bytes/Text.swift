import CJSON
import Domain
import Foundation

/// A run of bytes that lies elsewhere: in the batch that is read, in a `TextArena`, in a `ByteTable`.
///
/// It owns nothing, so that a row costs no memory. The text of a field lives until the next batch is read, that of a
/// table as long as the table. What must live longer is copied: `Identifier(text)`, `Array(text)`.
package struct Text: RandomAccessCollection, BitwiseCopyable {
  let unsafeBytes: UnsafeBufferPointer<UInt8>

  /// No text at all.
  package static var empty: Text { Text(unsafeBytes: UnsafeBufferPointer(start: nil, count: 0)) }

  init(unsafeBytes: UnsafeBufferPointer<UInt8>) {
    self.unsafeBytes = unsafeBytes
  }

  /// The text that a part of another is.
  package init(_ slice: Slice<Text>) {
    self.init(unsafeBytes: UnsafeBufferPointer(rebasing: slice.base.unsafeBytes[slice.startIndex..<slice.endIndex]))
  }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    @inline(__always) get { unsafeBytes.count }
  }

  package subscript(at: Int) -> UInt8 {
    @inline(__always) get {
      precondition(UInt(bitPattern: at) < UInt(bitPattern: unsafeBytes.count))
      return unsafeBytes[at]
    }
  }

  /// The part of the text from one place up to another.
  @inline(__always)
  func slice(_ range: Range<Int>) -> Text {
    precondition(range.lowerBound >= 0 && range.upperBound <= unsafeBytes.count)
    return Text(unsafeBytes: UnsafeBufferPointer(rebasing: unsafeBytes[range]))
  }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try body(unsafeBytes)
  }

  /// The bytes, for those who look at them and keep nothing.
  package var span: Span<UInt8> {
    @_lifetime(borrow self) get { unsafeBytes.span }
  }

  /// The bytes are UTF-8.
  var isUTF8: Bool { ol_is_utf8(unsafeBytes.baseAddress, count) != 0 }

  /// The bytes by which some writers say that a text is UTF-8.
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Whether these bytes stand in the text from a place on.
  func has(_ bytes: [UInt8], at position: Int) -> Bool {
    position + bytes.count <= count && slice(position..<position + bytes.count).elementsEqual(bytes)
  }

  /// Whether a byte stands in the text.
  func holds(_ byte: UInt8) -> Bool {
    unsafeBytes.baseAddress.map { memchr($0, Int32(byte), count) != nil } ?? false
  }

  /// The place of the first of two bytes from `start` on; `count` where neither stands there.
  @inline(__always)
  func position(of byte: UInt8, or other: UInt8, from start: Int) -> Int {
    precondition(start >= 0)
    var at = start
    // Eight bytes at a time: fields of a table are as long as that on average.
    while at &+ 8 <= unsafeBytes.count, let base = unsafeBytes.baseAddress {
      let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let found = Self.zeros(in: word ^ Self.everywhere(byte)) | Self.zeros(in: word ^ Self.everywhere(other))
      if found != 0 { return at &+ found.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    while at < unsafeBytes.count, unsafeBytes[at] != byte, unsafeBytes[at] != other { at += 1 }
    return at
  }
}

extension Text {
  /// The byte in all eight places of a word.
  @inline(__always)
  private static func everywhere(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// The upper bit of every byte of the word that is zero, up to the first; bits of bytes behind that may be set, too.
  @inline(__always)
  private static func zeros(in word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}

extension Text: Equatable {
  /// Equal byte by byte.
  @inline(__always)
  package static func == (left: Text, right: Text) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    guard count > 0, let one = UnsafeRawPointer(left.unsafeBytes.baseAddress),
      let other = UnsafeRawPointer(right.unsafeBytes.baseAddress)
    else { return count == 0 }
    if count < 8 { return isEqual(one, other, count: count) }
    // Ids are short: eight bytes at a time, the last ones once more, beat a call of `memcmp`.
    if count > 64 { return memcmp(one, other, count) == 0 }
    var at = 0
    while at < count - 8 {
      if one.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      {
        return false
      }
      at += 8
    }
    return one.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      == other.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }
}

extension Text {
  /// Compares one to seven bytes: those at both ends, four or one at a time.
  @inline(__always)
  private static func isEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, count: Int) -> Bool {
    if count >= 4 {
      let last = count &- 4
      return one.loadUnaligned(as: UInt32.self) == other.loadUnaligned(as: UInt32.self)
        && one.loadUnaligned(fromByteOffset: last, as: UInt32.self)
          == other.loadUnaligned(fromByteOffset: last, as: UInt32.self)
    }
    func agree(_ position: Int) -> Bool {
      one.load(fromByteOffset: position, as: UInt8.self) == other.load(fromByteOffset: position, as: UInt8.self)
    }
    return agree(0) && agree(count >> 1) && agree(count &- 1)
  }

  /// Equal byte by byte.
  func isEqual(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount && word.withUTF8Buffer { $0.elementsEqual(unsafeBytes) }
  }

  /// Equal but for the case of ASCII letters; `word` is lower case.
  func isEqual(ignoringCaseTo word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      let byte = unsafeBytes[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if (isCapital ? byte | 0x20 : byte) != word.utf8Start[index] { return false }
    }
    return true
  }

  /// The beginning of the text, for messages: in its shape where it may be somebody's id.
  package var shown: String { beginning(UserIDShape.quoted) }

  /// The same of a text that names something: an event, a state, a path.
  package var shownName: String { beginning(UserIDShape.name) }

  /// The same of a text that is nobody's id, as it is.
  package var plain: String { beginning { $0 } }

  private func beginning(_ shown: (String) -> String) -> String {
    let start = shown(String(decoding: prefix(UserIDShape.shownBytes), as: UTF8.self))
    return count > UserIDShape.shownBytes ? start + "…" : start
  }
}

extension Array<UInt8> {
  /// Calls `body` with the array's bytes as a text, which lives as long as the call.
  package func withText<Result, Failure: Error>(_ body: (Text) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in try body(Text(unsafeBytes: bytes)) }
  }
}

extension Identifier {
  /// The identifier that a text is, copied.
  init(_ text: Text) {
    self.init(utf8: Array(text.unsafeBytes))
  }
}
