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
}
