import Measurement
import Testing

@testable import Engine
@testable import Statistics

/// Sums from which some users' old part is taken, and their new one added, are those of everybody as they are now.
@Suite("Sums whose users are exchanged")
struct ExchangedUsersTests {
  @Test("Sums of a metric")
  func accumulators() throws {
    var dice = Dice(seed: 7)
    func quantity() -> Quantity {
      Quantity(y: Int128(dice.below(50)), x: Int128(dice.below(3)), c: Int128(dice.below(4)))
    }
    for deferring in [true, false] {
      let (others, before, after) = (
        (0..<40).map { _ in quantity() }, (0..<9).map { _ in quantity() }, (0..<9).map { _ in quantity() }
      )
      func sum(_ users: [Quantity]) -> Accumulator {
        users.reduce(into: Accumulator()) { $0.add($1, deferring: deferring) }
      }
      var sums = sum(others + before)
      try sums.exchange(sum(before), for: sum(after))
      let wanted = sum(others + after)
      #expect(sums.statistics == wanted.statistics)
      #expect(
        Dictionary(uniqueKeysWithValues: sums.counts.map { $0 })
          == Dictionary(uniqueKeysWithValues: wanted.counts.map { $0 }))
      try sums.exchange(sum(others + after), for: nil)
      #expect(sums.areNothing)
    }
  }

  @Test("The largest values, or a word that nobody can tell")
  func largest() {
    var dice = Dice(seed: 3)
    func sum(_ values: [Int128]) -> LargestValues { values.reduce(into: LargestValues()) { $0.add($1) } }
    var told = 0
    for _ in 0..<500 {
      let (others, before) = (
        (0..<dice.below(30)).map { _ in Int128(dice.below(40)) }, (0..<4).map { _ in Int128(dice.below(40)) }
      )
      let after = before.map { max(0, $0 + Int128(dice.below(9) - 3)) }
      var sums = sum(others + before)
      do {
        try sums.exchange(sum(before), for: sum(after))
        #expect(sums.values == sum(others + after).values)
        told += 1
      } catch {}
    }
    #expect(told > 100)
  }

  @Test("An extreme is told where theirs was none, is again, or is outdone")
  func extremes() throws {
    func times(_ latest: Int64) -> PurchaseTimes { PurchaseTimes(latest: latest) }
    var sums = times(9)
    try sums.exchange(times(5), for: times(7))
    #expect(sums.latest == 9)
    try sums.exchange(times(9), for: times(9))
    #expect(sums.latest == 9)
    try sums.exchange(times(9), for: times(12))
    #expect(sums.latest == 12)
    #expect(throws: Inseparable.self) { try sums.exchange(times(12), for: times(3)) }
  }

  @Test("Keys that nobody has any more are gone")
  func keys() throws {
    var sums: [String: Int] = ["a": 3, "b": 2]
    try sums.exchange(["a": 3, "b": 1], for: ["c": 4, "b": 1])
    #expect(sums == ["b": 2, "c": 4])
    #expect(throws: Inseparable.self) { try sums.exchange(["d": 1], for: nil) }
  }
}
