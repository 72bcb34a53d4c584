/// 128 bits that stand for a key (a transaction, an event id) among one user's events.
///
/// Keys are only compared within a user, so two different ones meet by chance once in 10^38 pairs: a log of
/// every purchase ever made would not see it.
package struct Fingerprint: Sendable, Hashable, BitwiseCopyable {
  package var high: UInt64
  package var low: UInt64

  /// The key of an id; a UUID is the same one in capitals.
  ///
  /// - Parameter space: keeps kinds of keys apart, so that transaction `7` is not event `7`.
  @inline(__always)
  init(_ id: Text, space: UInt64) {
    guard UUIDText.hasCapitals(id) else {
      self.init(bytes: id, space: space)
      return
    }
    self = UUIDText.folded(id).withText { Fingerprint(bytes: $0, space: space) }
  }

  private init(bytes: Text, space: UInt64) {
    var first = 0x2d35_8dcc_aa6c_78a5 ^ space
    var second = 0x8bb8_4b93_962e_acc9 &+ UInt64(truncatingIfNeeded: bytes.count)
    ByteHash.words(of: bytes) { word in
      first = ByteHash.fold(first ^ word, 0x4b33_a62e_d433_d4a3)
      second = ByteHash.fold(second &+ word, 0x4d5a_2da5_1de1_aa47 ^ first)
    }
    high = ByteHash.fold(first, 0x9e6c_63d0_676a_9a99 ^ UInt64(truncatingIfNeeded: bytes.count))
    low = ByteHash.fold(second ^ first, 0xaf25_1af3_b0f0_25b5)
  }

  /// A key of which the lower half was kept, the one that events are compared by.
  init(low: UInt64) {
    (high, self.low) = (0, low)
  }

  /// A key made of numbers.
  init(_ parts: (UInt64, UInt64, UInt64), space: UInt64) {
    var first = ByteHash.fold(parts.0 ^ 0x2d35_8dcc_aa6c_78a5, 0x4b33_a62e_d433_d4a3 ^ space)
    var second = ByteHash.fold(parts.1 &+ first, 0x4d5a_2da5_1de1_aa47)
    first = ByteHash.fold(first ^ parts.2, 0x9e6c_63d0_676a_9a99)
    second = ByteHash.fold(second &+ parts.2 &+ parts.0, 0xaf25_1af3_b0f0_25b5 ^ parts.1)
    high = first
    low = second
  }
}
