import Testing

@testable import Domain
@testable import Engine

@Suite("Keys of one user's events")
struct KeySetTests {
  @Test("A key keeps the number it came with first, for few and for many", arguments: [1, 23, 24, 25, 26, 200])
  func numbers(count: Int) {
    var keys = KeySet()
    for round in 0..<2 {
      for number in 0..<count {
        let key = Fingerprint((UInt64(number), 1, 2), space: 3).low
        #expect(keys.insert(key, number: round * 1000 + number) == number)
      }
    }
    keys.removeAll()
    #expect(keys.insert(Fingerprint((0, 1, 2), space: 3).low, number: 77) == 77)
  }
}
