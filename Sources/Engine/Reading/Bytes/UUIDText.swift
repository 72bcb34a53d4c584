/// Ids that are UUIDs, which are one id in capitals and in small letters: apps log the ones, stores the others. No other
/// id is folded.
///
/// Source of the form: RFC 9562, section 4, "case insensitive on input".
enum UUIDText {
  /// How many bytes a UUID has, written out.
  static let count = 36
  /// Where its hyphens stand.
  private static let hyphens: Set<Int> = [8, 13, 18, 23]

  /// The id is a UUID with a capital letter in it. Nearly no id is, and of nearly all the first look tells.
  @inline(__always)
  static func hasCapitals(_ id: Text) -> Bool { id.count == count && mayHaveCapitals(id) && isUUID(id) }

  /// Some byte has the bits of a capital letter; eight bytes at a time, the last ones once more.
  @inline(__always)
  private static func mayHaveCapitals(_ id: Text) -> Bool {
    guard let base = UnsafeRawPointer(id.unsafeBytes.baseAddress) else { return false }
    func capitals(_ position: Int) -> UInt64 {
      let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      return word & 0x4040_4040_4040_4040 & ~(word << 1)
    }
    return capitals(0) | capitals(8) | capitals(16) | capitals(24) | capitals(28) != 0
  }

  private static func isUUID(_ id: Text) -> Bool {
    id.indices.allSatisfy { position in
      let byte = id[position]
      if hyphens.contains(position) { return byte == UInt8(ascii: "-") }
      return byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
  }

  /// How an id that is compared in small letters may stand in a file.
  static func spellings(of id: Text) -> [[UInt8]] {
    let written = Array(id)
    guard id.count == count, isUUID(id) else { return [written] }
    let capitals = written.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & ~0x20 : $0 }
    return capitals == written ? [written] : [written, capitals]
  }

  /// The bytes in small letters: a hyphen and a digit have the bit that makes a letter small.
  static func folded(_ id: some Sequence<UInt8>) -> [UInt8] { id.map { $0 | 0x20 } }
}

/// Gives ids as they are compared. Texts live until `forget`.
struct IDFolding {
  private let arena = TextArena()
  private var isUsed = false

  /// The id: a UUID in small letters, any other as it is.
  @inline(__always)
  mutating func folded(_ id: Text) -> Text { UUIDText.hasCapitals(id) ? fold(id) : id }

  private mutating func fold(_ id: Text) -> Text {
    isUsed = true
    return arena.copy(UUIDText.folded(id))
  }

  /// The batch that ids point into has been given up.
  mutating func forget() {
    if isUsed { arena.clear() }
    isUsed = false
  }
}
