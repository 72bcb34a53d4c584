import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// What is said of a price test, in sentences that can be said aloud.
@Suite("What the price does, in words")
struct PriceFindingTests {
  private func point(
    _ change: Double, breakEven: Double?, payers: Double, _ low: Double, _ high: Double,
    _ state: PriceResponseRow.State, breakEvenInterval: Interval? = nil, money: Decision? = nil
  ) -> PricePoint {
    PricePoint(
      group: StoryGroup(name: "new_price", position: 1), isBaseline: false, users: 1000, payers: 100, conversion: 0.1,
      currency: "USD", price: 6, margin: 6, priceChange: change, breakEven: breakEven,
      breakEvenInterval: breakEvenInterval, payersLift: payers, payersInterval: Interval(low, high), state: state,
      elasticity: nil, elasticityInterval: nil, demand: nil, bestPrice: nil, bestRange: nil, bestRefusal: nil,
      money: money)
  }

  @Test("A rise earns more or less where the call says so, else nothing is settled")
  func rise() {
    let rise = "new_price's first charges are 20 % higher. They bring less if more than 16.7 % of payers go. Today "
    #expect(
      point(0.2, breakEven: -1.0 / 6, payers: -0.09, -0.22, 0.05, .open).sentence
        == rise + "9 % fewer pay (22 % fewer to 5 % more): not settled.")
    #expect(
      point(0.2, breakEven: -1.0 / 6, payers: -0.05, -0.1, 0, .earnsMore, money: .better).sentence
        == rise + "5 % fewer pay (10 % fewer to as many): it earns more.")
    #expect(
      point(0.2, breakEven: -1.0 / 6, payers: -0.4, -0.5, -0.2, .earnsLess, money: .worse).sentence
        == rise + "40 % fewer pay (50 % fewer to 20 % fewer): it earns less.")
    for money in [Decision.better, .inconclusive, .tooEarly] {
      #expect(
        point(0.2, breakEven: -1.0 / 6, payers: -0.4, -0.5, -0.2, .earnsLess, money: money).sentence.hasSuffix(
          ": not settled."))
    }
  }

  @Test("A cut has to bring payers, and prices that differ among payers are said")
  func cut() {
    #expect(
      point(-0.2, breakEven: 0.25, payers: 0.5, 0.3, 0.7, .earnsMore, money: .better).sentence
        == "new_price's first charges are 20 % lower. They bring less unless at least 25 % more pay. Today 50 % more pay "
        + "(30 % more to 70 % more): it earns more.")
    let uneven = point(-0.2, breakEven: 0.25, payers: 0.1, -0.2, 0.4, .open, breakEvenInterval: Interval(0.1, 0.4))
    #expect(
      uneven.sentence.contains("25 % more pay (10 % more to 40 % more). "))
    #expect(uneven.sentence.hasSuffix(": not settled."))
  }

  @Test("What cannot be said is not")
  func unsaid() {
    #expect(
      point(0.2, breakEven: -0.1, payers: 0, 0, 0, .tooEarly).sentence
        == "new_price's first charges are 20 % higher. Too few have paid yet to say what that does.")
    #expect(point(0.2, breakEven: -0.1, payers: 0, 0, 0, .doNotTrust).sentence.hasSuffix("a check failed."))
  }

  @Test("The tables tell the story, and the page shows it")
  func story() throws {
    let story = try NightStory.spring(try CountedNight.everything())
    #expect(story.prices.map(\.payers) == [60, 50] && story.prices[0].isBaseline)
    let split = try #require(story.revenueParts.first)
    // 50·2·5.99/400 less 60·2·4.99/400: the share moves at the mean price, the price at the mean share.
    #expect(
      split.sentence
        == "A user of group_a brings as much as one of the baseline: +0.28 came of higher prices and −0.27 of fewer payers."
    )
    #expect(split.products.map(\.product) == ["weekly, \"5\" → =weekly_6"])
    #expect(PricePoint.figure(of: story.prices) != nil && PricePoint.curve(of: story.prices) == nil)
    #expect(RevenueSplit.figure(of: []) == nil && PricePoint.figure(of: []) == nil)
  }
}
