import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Proceeds that are remembered")
struct ProceedsMemoTests {
  @Test("Are those that are worked out, for prices that come again and prices that push them out")
  func answers() {
    var dice = Dice(seed: 12)
    var memo = ProceedsMemo()
    let prices = (0..<300).map { _ in Int64(dice.below(1 << 40)) }
    let shares = [0, 150_000, 300_000, 190_000].map { Int64($0) * Products.PriceShare.whole / 1_000_000 }
    for _ in 0..<5000 {
      let net = prices[dice.below(dice.chance(0.5) ? 4 : 300)]
      let (tax, commission) = (shares[dice.below(4)], shares[dice.below(4)])
      let answer = memo.answer(to: ProceedsMemo.Question(net: net, tax: tax, commission: commission))
      let proceeds = Money.proceeds(net: net, tax: tax, commission: commission)
      #expect(answer.proceeds == proceeds && answer.tax == Money.tax(net: net, tax: tax, proceeds: proceeds))
    }
  }

  @Test(
    "Are the amounts that a charge divides into, whatever the shares say, and as much of them as of the price is left")
  func split() {
    var memo = ProceedsMemo()
    func answer(_ net: Int64, tax: Int64?, proceeds: Int64?, isOfPrice: Bool = false) -> [Int64] {
      let answer = memo.answer(
        to: ProceedsMemo.Question(
          net: net, tax: Products.PriceShare.whole / 5, commission: Products.PriceShare.whole / 10,
          isOfPrice: isOfPrice,
          split: PriceSplit(price: 10_790_000, tax: tax, proceeds: proceeds)))
      return [answer.proceeds, answer.tax]
    }
    #expect(answer(10_790_000, tax: 800_000, proceeds: 8_491_500) == [8_491_500, 800_000])
    #expect(answer(5_395_000, tax: 800_000, proceeds: 8_491_500) == [4_245_750, 400_000])
    #expect(answer(0, tax: 800_000, proceeds: 8_491_500) == [0, 0])
    // What is not told in money are the shares.
    #expect(answer(10_790_000, tax: 790_000, proceeds: nil) == [9_000_000, 790_000])
    #expect(answer(10_790_000, tax: 790_000, proceeds: nil, isOfPrice: true) == [8_921_000, 790_000])
    #expect(answer(10_790_000, tax: nil, proceeds: 8_491_500) == [8_491_500, 2_158_000])
    #expect(answer(10_790_000, tax: nil, proceeds: 10_790_000) == [10_790_000, 0])
    // The largest price there can be.
    let most = PriceSplit(price: .max, tax: .max - 1, proceeds: 1)
    #expect(most?.share(.max - 1, of: .max) == .max - 1 && most?.share(1, of: .max) == 1)
    for (price, part) in [(0, 0), (-1, 0), (5, 6), (5, -1)] as [(Int64, Int64)] {
      #expect(PriceSplit(price: price, tax: part, proceeds: nil) == nil)
    }
  }
}
