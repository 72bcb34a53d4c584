import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Growing sums")
struct AccumulatorTests {
  @Test("A sum that leaves 128 bits is noticed, by adding and by merging")
  func overflow() {
    var sums = Accumulator()
    sums.add(Quantity(y: Int128(1) << 62), deferring: false)
    #expect(!sums.hasOverflowed)
    sums.add(Quantity(y: Int128(1) << 64), deferring: false)
    #expect(sums.hasOverflowed)
    var large = Accumulator()
    large.add(Quantity(y: Int128(1) << 63), deferring: false)
    #expect(!large.hasOverflowed)
    large.merge(large)
    #expect(large.hasOverflowed)
    var whole = Accumulator()
    whole.merge(sums)
    #expect(whole.hasOverflowed)
  }

  @Test("Counted users are settled as if they had been added one by one")
  func deferring() {
    var dice = Dice(seed: 11)
    var counted = Accumulator()
    var added = Accumulator()
    for _ in 0..<500 {
      let quantity = Quantity(y: Int128(dice.below(9)), x: Int128(dice.below(3)))
      counted.add(quantity, deferring: true)
      added.add(Quantity(y: min(quantity.y, 5), x: quantity.x), deferring: false)
    }
    counted.settle(cap: 5)
    #expect(counted.statistics == added.statistics)
    #expect(counted.counts.isEmpty)
  }

  @Test("Merging in any order comes to the same")
  func merging() {
    var dice = Dice(seed: 13)
    let parts = (0..<20).map { _ in
      var part = Accumulator()
      for _ in 0..<dice.below(20) {
        part.add(Quantity(y: Int128(dice.below(1000)), x: Int128(dice.below(2))), deferring: dice.chance(0.5))
      }
      part.immature = dice.below(5)
      return part
    }
    func merged(_ parts: [Accumulator]) -> Accumulator {
      var sum = parts.reduce(into: Accumulator()) { $0.merge($1) }
      sum.settle(cap: nil)
      return sum
    }
    #expect(merged(parts).statistics == merged(parts.reversed()).statistics)
    #expect(merged(parts).immature == parts.reduce(0) { $0 + $1.immature })
  }

  @Test("A job whose sums do not fit ends in an error that says which metric")
  func job() async throws {
    var world = World()
    world.assignments = (0..<3).map { "u\($0),test,control,2026-03-01" }
    world.events = (0..<3).flatMap { user in
      (0..<2).map { _ in event("purchase", march(2), ["userId": "u\(user)", "price": "9000000000000"]) }
    }
    let error = await #expect(throws: OfferliftError.self) { try await world.measure() }
    #expect(error?.exit == .badData)
    #expect(error?.message.contains("gross") == true)
  }
}
