/// A UUID as the 16 bytes that it stands for, and in which letters it was written.
///
/// Source of the form: RFC 9562, section 4.
struct PackedUUID: Equatable {
  /// The first eight bytes, the first one lowest, and the last eight.
  let first: UInt64
  let last: UInt64
  /// Its digits are in capitals.
  let hasCapitals: Bool

  /// How many bytes it takes.
  static let size = 16

  init(first: UInt64, last: UInt64, hasCapitals: Bool) {
    (self.first, self.last, self.hasCapitals) = (first, last, hasCapitals)
  }

  /// Nil where the id is no UUID, or one that is not written as this one is written out.
  @inline(__always)
  init?(_ id: Text) {
    guard id.count == UUIDText.count, let base = UnsafeRawPointer(id.unsafeBytes.baseAddress) else { return nil }
    func half(_ position: Int) -> UInt64 { UInt64(base.loadUnaligned(fromByteOffset: position, as: UInt32.self)) }
    let hyphens = [8, 13, 18, 23].allSatisfy { base.load(fromByteOffset: $0, as: UInt8.self) == UInt8(ascii: "-") }
    guard hyphens else { return nil }
    let digits = (
      half(0) | half(4) << 32, half(9) | half(14) << 32, half(19) | half(24) << 32, half(28) | half(32) << 32
    )
    // Letters have this bit, unlike digits, and the small ones the bit below, too.
    let letters = (digits.0 | digits.1 | digits.2 | digits.3) & 0x4040_4040_4040_4040
    func small(_ digits: UInt64) -> UInt64 { digits & digits << 1 & 0x4040_4040_4040_4040 }
    let hasCapitals = letters != 0 && small(digits.0) | small(digits.1) | small(digits.2) | small(digits.3) == 0
    self.init(
      first: Self.bytes(digits.0) | Self.bytes(digits.1) << 32,
      last: Self.bytes(digits.2) | Self.bytes(digits.3) << 32, hasCapitals: hasCapitals)
    guard digits == written else { return nil }
  }

  /// Its 32 digits, eight a word.
  private var written: (UInt64, UInt64, UInt64, UInt64) {
    (
      Self.digits(first, hasCapitals), Self.digits(first >> 32, hasCapitals), Self.digits(last, hasCapitals),
      Self.digits(last >> 32, hasCapitals)
    )
  }

  /// Writes it out, where there is room for it.
  @inline(__always)
  func write(to position: UnsafeMutableRawPointer) {
    let (one, two, three, four) = written
    func put(_ half: UInt64, _ at: Int) {
      position.storeBytes(of: UInt32(truncatingIfNeeded: half), toByteOffset: at, as: UInt32.self)
    }
    position.storeBytes(of: one, as: UInt64.self)
    put(two, 9)
    put(two >> 32, 14)
    put(three, 19)
    put(three >> 32, 24)
    position.storeBytes(of: four, toByteOffset: 28, as: UInt64.self)
    for hyphen in [8, 13, 18, 23] { position.storeBytes(of: UInt8(ascii: "-"), toByteOffset: hyphen, as: UInt8.self) }
  }

  /// What eight digits stand for: four bytes, the first one lowest. Of what are no digits it is anything.
  @inline(__always)
  private static func bytes(_ digits: UInt64) -> UInt64 {
    let values = digits & 0x0f0f_0f0f_0f0f_0f0f &+ 9 &* (digits >> 6 & 0x0101_0101_0101_0101)
    var bytes = (values & 0x000f_000f_000f_000f) << 4 | values >> 8 & 0x000f_000f_000f_000f
    bytes = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff
    return (bytes | bytes >> 16) & 0xffff_ffff
  }

  /// The eight digits of the lowest four bytes.
  @inline(__always)
  private static func digits(_ bytes: UInt64, _ hasCapitals: Bool) -> UInt64 {
    var values = bytes & 0xffff_ffff
    values = (values | values << 16) & 0x0000_ffff_0000_ffff
    values = (values | values << 8) & 0x00ff_00ff_00ff_00ff
    values = values >> 4 & 0x000f_000f_000f_000f | (values & 0x000f_000f_000f_000f) << 8
    let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return values &+ 0x3030_3030_3030_3030 &+ letters &* (hasCapitals ? 7 : 39)
  }

  /// Its bytes.
  var bytes: [UInt8] {
    [first, last].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}
