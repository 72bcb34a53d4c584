import Domain

/// Text in UTF-16, which begins with a byte order mark, as UTF-8 without one.
///
/// Half a pair of surrogates stands for no letter. It becomes three bytes that no UTF-8 has, so that its row is rejected
/// as one that is not UTF-8, and no other.
///
/// Source: RFC 2781, sections 2 and 3.
final class UTF16Text {
  private let isBigEndian: Bool
  /// Bytes that are not decoded yet, and how many there are.
  private var units = [UInt8](repeating: 0, count: 1 << 16)
  private var retained = 0
  /// What has been decoded, and how much of it has been handed out.
  private var text = Letters()
  private var handedOut = 0
  private var isAtEnd = false

  /// How many bytes tell whether a text is in UTF-16.
  static let markSize = 4

  /// Nil for a text that does not begin with the mark of UTF-16; UTF-32 begins with that and two zeros.
  ///
  /// - Parameter beginning: the file's first bytes, `markSize` of them where it has as many; what follows the mark is
  ///   text.
  init?(_ beginning: [UInt8]) {
    let isLittleEndian = beginning.starts(with: [0xff, 0xfe]) && !beginning.dropFirst(2).elementsEqual([0, 0])
    guard isLittleEndian || beginning.starts(with: [0xfe, 0xff]) else { return nil }
    isBigEndian = !isLittleEndian
    retained = beginning.count - 2
    for position in 0..<retained { units[position] = beginning[position + 2] }
  }

  /// Fills `buffer` from its start with UTF-8; returns how many bytes that is, fewer than asked for only at the end.
  ///
  /// - Parameter more: fills a buffer with the file's next bytes, and returns how many there are.
  /// - Throws: what `more` throws; `OddByte` where the text ends within a letter.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, more: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      if handedOut == text.bytes.count {
        guard !isAtEnd else { break }
        try decode(more)
      }
      let count = min(buffer.count - filled, text.bytes.count - handedOut)
      UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        .copyBytes(from: text.bytes[handedOut..<handedOut + count])
      handedOut += count
      filled += count
    }
    return filled
  }

  /// A letter takes two bytes or four, and the last one of the text has but one.
  struct OddByte: Error {}

  private func decode(_ more: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    text.bytes.removeAll(keepingCapacity: true)
    handedOut = 0
    let count = try units.withUnsafeMutableBytes { try more(UnsafeMutableRawBufferPointer(rebasing: $0[retained...])) }
    let end = retained + count
    text.append(units[..<(end - end % 2)], high: isBigEndian ? 0 : 1)
    retained = end % 2
    if retained == 1 { units[0] = units[end - 1] }
    guard count == 0 else { return }
    isAtEnd = true
    text.appendLoneHalf()
    if retained == 1 { throw OddByte() }
  }

}

/// Letters in UTF-8, of units of UTF-16.
private struct Letters {
  var bytes: [UInt8] = []
  /// The first half of a pair whose second one has not come yet.
  private var half: UInt32?

  /// - Parameters:
  ///   - units: two bytes each.
  ///   - high: which of the two is the unit's upper one.
  mutating func append(_ units: ArraySlice<UInt8>, high: Int) {
    units.withUnsafeBufferPointer { units in
      for position in stride(from: 0, to: units.count, by: 2) {
        let unit = UInt32(units[position + high]) << 8 | UInt32(units[position + 1 - high])
        // Nearly all there is in a log.
        if unit < 0x80, half == nil { bytes.append(UInt8(truncatingIfNeeded: unit)) } else { append(unit) }
      }
    }
  }

  private mutating func append(_ unit: UInt32) {
    if let first = half, unit & 0xfc00 == 0xdc00 {
      half = nil
      return encode(0x10000 + (first & 0x3ff) << 10 + unit & 0x3ff)
    }
    appendLoneHalf()
    if unit & 0xfc00 == 0xd800 { half = unit } else { encode(unit) }
  }

  mutating func appendLoneHalf() {
    if let first = half { encode(first) }
    half = nil
  }

  /// Appends a letter's bytes in UTF-8; of half a pair those that it would have if it were a letter.
  private mutating func encode(_ letter: UInt32) {
    func following(_ shift: UInt32) -> UInt8 { UInt8(0x80 | letter >> shift & 0x3f) }
    switch letter {
    case 0..<0x80: bytes.append(UInt8(letter))
    case 0x80..<0x800: bytes += [UInt8(0xc0 | letter >> 6), following(0)]
    case 0x800..<0x10000: bytes += [UInt8(0xe0 | letter >> 12), following(6), following(0)]
    default: bytes += [UInt8(0xf0 | letter >> 18 & 7), following(12), following(6), following(0)]
    }
  }
}
