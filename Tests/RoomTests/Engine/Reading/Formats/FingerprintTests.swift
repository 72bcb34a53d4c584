import Testing

@testable import Engine
@testable import Measurement

@Suite("Fingerprints")
struct FingerprintTests {
  @Test("A hundred thousand keys have as many fingerprints")
  func random() {
    var dice = Dice(seed: 128)
    var texts: Set<[UInt8]> = []
    while texts.count < 30_000 { texts.insert(dice.bytes(dice.below(24))) }
    for number in 0..<70_000 { texts.insert(Array("2000000\(number)".utf8)) }
    var prints: Set<Fingerprint> = []
    var lows: Set<UInt64> = []
    var hashes: Set<UInt64> = []
    for text in texts {
      text.withText { bytes in
        prints.insert(Fingerprint(bytes, space: 1))
        lows.insert(Fingerprint(bytes, space: 1).low)
        hashes.insert(ByteHash.hash64(bytes))
      }
    }
    #expect(texts.count > 95_000)
    #expect(prints.count == texts.count)
    #expect(lows.count == texts.count)
    // A table's hash may meet itself: the bytes are compared afterwards.
    #expect(hashes.count > texts.count - 50)
  }

  @Test("Zeros, lengths and spaces make a difference")
  func near() {
    let texts = (0..<40).flatMap { length in [UInt8(0), 1, 255].map { [UInt8](repeating: $0, count: length) } }
    let prints = [UInt64(1), 2, 3].flatMap { space in texts.map { $0.withText { Fingerprint($0, space: space) } } }
    #expect(Set(prints).count == 3 * 118)
  }

  @Test("Keys made of numbers are told apart")
  func numbers() {
    var prints: Set<Fingerprint> = []
    for a in 0..<20 as Range<UInt64> {
      for b in 0..<20 as Range<UInt64> {
        for c in 0..<20 as Range<UInt64> { prints.insert(Fingerprint((a, b, c), space: (a ^ b) & 1)) }
      }
    }
    #expect(prints.count == 8000)
  }
}
