import Testing

@testable import Engine

@Suite("Sets of hashes")
struct HashSetTests {
  @Test("Hold what was put into them and nothing else, 0 among it")
  func holds() {
    var dice = Dice(seed: 1)
    let all = [0] + (0..<2_000).map { _ in dice.next() }
    let set = HashSet(all)
    #expect(set.count == all.count)
    #expect(all.allSatisfy { set.contains($0) })
    #expect(!(0..<20_000).contains { _ in set.contains(dice.next()) })
    #expect(!HashSet([]).contains(0))
  }
}
