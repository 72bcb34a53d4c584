import Domain

/// How a user's id is written: what spreadsheets and exports change in it unasked.
package enum UserIDForm {
  /// Whether the id is a number as a spreadsheet shows a long one: `4.07E+09`. Its last digits are gone, so that
  /// many users share it.
  @inline(__always)
  static func isSpreadsheetNumber(_ id: Text) -> Bool {
    guard id.count >= 5, id[id.count - 3] == UInt8(ascii: "+") || id[id.count - 4] == UInt8(ascii: "+") else {
      return false
    }
    return UserIDShape.isSpreadsheetNumber(Array(id))
  }

  /// A hash that ids share which differ only in blanks, control characters, quotes, hyphens, braces, letter case, Unicode
  /// form, zeros before a number, `.0` or `.00` at the end, `0x` at the beginning, or in how a number is written (`1.25E3`). Source:
  /// FNV-1a, 64 bits.
  static func looseHash(_ id: Text) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    forEachUsed(of: id) { hash = (hash ^ UInt64($0)) &* 0x100_0000_01b3 }
    return hash
  }

  /// The last four bytes that the loose hash is made of; nil where there are fewer.
  static func looseEnd(_ id: Text) -> UInt32? {
    var end: UInt32 = 0
    var count = 0
    forEachUsed(of: id) {
      end = end >> 8 | UInt32($0) << 24
      count += 1
    }
    return count < 4 ? nil : end
  }

  /// `looseEnd` without a walk over the id, for ids whose last four bytes are letters or digits that count whatever stands
  /// before them, as nearly all are; nil for any other id, of which it says nothing.
  @inline(__always)
  static func quickLooseEnd(_ id: Text) -> UInt32? {
    guard id.count >= 4, !LooseID.mayBeRewritten(id) else { return nil }
    var end: UInt32 = 0
    for position in id.count - 4..<id.count {
      let byte = id[position] | 0x20
      if byte == UInt8(ascii: "0") {
        guard id[position] == byte, isInNumber(id, position) else { return nil }
      } else {
        guard byte &- UInt8(ascii: "a") < 26 || id[position] &- UInt8(ascii: "1") < 9 else { return nil }
      }
      end = end >> 8 | UInt32(byte) << 24
    }
    return end
  }

  /// Whether a zero follows, behind other zeros perhaps, one of the digits 1 to 9.
  @inline(__always)
  private static func isInNumber(_ id: Text, _ zero: Int) -> Bool {
    var position = zero
    while position > 0 {
      position -= 1
      if id[position] != UInt8(ascii: "0") { return id[position] &- UInt8(ascii: "1") < 9 }
    }
    return false
  }

  /// Calls `taken` with what is left of an id without what may differ.
  private static func forEachUsed(of id: Text, _ accepted: (UInt8) -> Void) {
    guard let rewritten = LooseID.rewritten(id) else { return forEachUsedAsItIs(of: id, accepted) }
    rewritten.withText { forEachUsedAsItIs(of: $0, accepted) }
  }

  @inline(__always)
  private static func forEachUsedAsItIs(of id: Text, _ accepted: (UInt8) -> Void) {
    var zeros = false
    var isInNumber = false
    for position in 0..<(id.count - decimalEnd(of: id)) {
      let byte = id[position]
      if isIgnored(byte) { continue }
      guard isDigit(byte) else {
        if zeros { accepted(UInt8(ascii: "0")) }
        (zeros, isInNumber) = (false, false)
        accepted(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
        continue
      }
      if byte == UInt8(ascii: "0"), !isInNumber {
        zeros = true
      } else {
        (zeros, isInNumber) = (false, true)
        accepted(byte)
      }
    }
    if zeros { accepted(UInt8(ascii: "0")) }
  }

  /// The length of `.0`, `.000` at the end of a number; 0 where there is none.
  static func decimalEnd(of id: Text) -> Int {
    var position = id.count
    while position > 1, id[position - 1] == UInt8(ascii: "0") { position -= 1 }
    let hasEnd =
      position > 1 && position < id.count && id[position - 1] == UInt8(ascii: ".") && isDigit(id[position - 2])
    return hasEnd ? id.count - position + 1 : 0
  }

  /// Blanks and control characters, quotes, hyphens and braces.
  private static func isIgnored(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x20, 0x22, 0x27, 0x2d, 0x7b, 0x7d, 0x7f: true
    default: false
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// How much of an id is kept to be shown.
  static let shownBytes = UserIDShape.shownBytes
}

extension Text {
  /// The id itself.
  ///
  /// - Throws: where it is a number as a spreadsheet shows a long one, under which many ids are one.
  @inline(__always)
  func refusingSpreadsheetNumber(_ name: @autoclosure () -> String) throws(EventDecoder.Fault) -> Text {
    guard UserIDForm.isSpreadsheetNumber(self) else { return self }
    throw .spoilt(self, name())
  }
}

extension EventDecoder.Fault {
  fileprivate static func spoilt(_ id: Text, _ name: String) -> Self {
    Self(
      reason: .spoiltID,
      detail: "\(name) \"\(id.shown)\" is a number as a spreadsheet shows a long one: its last digits are gone, "
        + "and many share it; export again with the column formatted as text, or without a spreadsheet between")
  }
}
