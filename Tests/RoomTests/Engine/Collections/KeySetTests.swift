import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

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

  @Test("A key's number can be changed, for few and for many", arguments: [1, 24, 25, 200])
  func updates(count: Int) {
    var keys = KeySet()
    for round in 0..<3 {
      for number in 0..<count {
        let known = keys.update(UInt64(number), number: round * 1000 + number)
        #expect(known == (round == 0 ? nil : (round - 1) * 1000 + number))
      }
    }
    #expect(keys[UInt64(count - 1)] == 2000 + count - 1 && keys[UInt64(count)] == nil)
  }
}
