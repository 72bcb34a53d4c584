import Testing

@testable import Engine
@testable import Measurement
@testable import Simulation

@Suite("Exact money")
struct MoneyTests {
  /// The slow way: the neighbour below, the one above, and which is nearer or even.
  private func rounded(_ value: Int128, by divisor: Int128) -> Int128 {
    let below = value / divisor
    let (toBelow, toAbove) = (value - below * divisor, (below + 1) * divisor - value)
    if toBelow == toAbove { return below % 2 == 0 ? below : below + 1 }
    return toBelow < toAbove ? below : below + 1
  }

  @Test("Halves go to the even neighbour")
  func halves() {
    #expect((0...9).map { Money.roundedHalfToEven($0, by: 2) } == [0, 0, 1, 2, 2, 2, 3, 4, 4, 4])
    #expect((0...8).map { Money.roundedHalfToEven($0, by: 4) } == [0, 0, 0, 1, 1, 1, 2, 2, 2])
  }

  @Test("Random amounts are rounded as the slow way rounds them")
  func random() {
    let seed: UInt64 = 12
    var dice = Dice(seed: seed)
    for _ in 0..<5000 {
      let divisor = Int128.random(in: 1...(Int128(1) << Int128(dice.below(70) + 1)), using: &dice)
      let value =
        dice.chance(0.3)
        ? divisor * Int128(dice.below(1000)) + divisor / 2 : Int128(UInt64.random(in: 0 ... .max, using: &dice))
      #expect(
        Money.roundedHalfToEven(value, by: divisor) == rounded(value, by: divisor),
        "seed \(seed): \(value) / \(divisor)")
    }
  }

  @Test("A conversion is exact to the last micro, or nil where it does not fit")
  func conversion() {
    #expect(Money.converted(micros: .max, rateNanos: 1_000_000_000) == .max)
    #expect(Money.converted(micros: .max, rateNanos: 1_000_000_001) == nil)
    #expect(Money.converted(micros: .max, rateNanos: 999_999_999) == 9_223_372_027_631_403_770)
    #expect(Money.converted(micros: 1, rateNanos: 500_000_000) == 0)
    #expect(Money.converted(micros: 3, rateNanos: 500_000_000) == 2)
    #expect(Money.converted(micros: 1, rateNanos: 500_000_001) == 1)
    #expect(Money.converted(micros: 0, rateNanos: .max) == 0)
  }

  @Test("Proceeds are rounded once, at the largest amounts too")
  func proceeds() {
    let whole = Products.PriceShare.whole
    let seed: UInt64 = 30
    var dice = Dice(seed: seed)
    for _ in 0..<2000 {
      let net = Int64.random(in: 0...Int64.max, using: &dice) >> Int64(dice.below(60))
      let tax = Int64.random(in: 0...whole, using: &dice)
      let commission = Int64.random(in: 0...whole, using: &dice)
      let exact = Int128(net) * Int128(whole - tax) * Int128(whole - commission)
      let expected = rounded(exact, by: Int128(whole) * Int128(whole))
      #expect(Int128(Money.proceeds(net: net, tax: tax, commission: commission)) == expected, "seed \(seed): \(net)")
    }
    #expect(Money.proceeds(net: .max, tax: 0, commission: 0) == .max)
    #expect(Money.proceeds(net: .max, tax: whole, commission: 0) == 0)
  }
}
