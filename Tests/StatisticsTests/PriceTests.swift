import Testing

@testable import Statistics

@Suite("What a change of price does")
struct PriceTests {
  @Test("Break-even changes of buyers are those of the pricing books")
  func breakEven() throws {
    // Nagle & Holden's −ΔP/(CM + ΔP): a rise of 5 % at a margin of 40 %, of 10 % at 42 %.
    expectEqual(BreakEven.change(from: 40, to: 45), -5.0 / 45, within: 1e-12)
    expectEqual(BreakEven.change(from: 42, to: 52), -10.0 / 52, within: 1e-12)
    // A cut of 5 % at a margin of 40 % asks for 14.3 % more.
    expectEqual(BreakEven.change(from: 40, to: 35), 5.0 / 35, within: 1e-12)
    #expect(BreakEven.change(from: 0, to: 5) == nil && BreakEven.change(from: 5, to: -1) == nil)
    // A commission of both prices leaves it where it is; what a unit costs does not.
    let retained = [10.0, 12].map { BreakEven.margin(price: $0, retainedShare: 0.7) }
    expectEqual(BreakEven.change(from: retained[0], to: retained[1]), -1.0 / 6, within: 1e-12)
    let costly = [10.0, 12].map { BreakEven.margin(price: $0, retainedShare: 0.7, unitCost: 2) }
    expectEqual(BreakEven.change(from: costly[0], to: costly[1]), 5 / 6.4 - 1, within: 1e-12)
  }

  @Test("A published test: 22 of 574 pay 55.78 a month, 14 of 550 pay 82.90")
  func published() throws {
    let a = try SampleMoments(SufficientStatistics(n: 574, sumY: 22, sumYY: 22), kind: .proportion)
    let b = try SampleMoments(SufficientStatistics(n: 550, sumY: 14, sumYY: 14), kind: .proportion)
    let comparison = Comparison(baseline: a, other: b)
    #expect((try #require(comparison.relLift) * 1000).rounded() == -336)
    let error = try #require(comparison.standardError)
    #expect(((try #require(comparison.absDiff)) / error * 1000).rounded() == -1225)
    #expect((try #require(comparison.pValue) * 1000).rounded() == 220)
    // The price alone is eaten by 32.7 % fewer; 57.2 % are what it takes where a unit costs 35.49.
    let plain = try #require(BreakEven.change(from: 55.78, to: 82.90))
    #expect((plain * 1000).rounded() == -327)
    let margins = [55.78, 82.90].map { BreakEven.margin(price: $0, unitCost: 35.49) }
    #expect((try #require(BreakEven.change(from: margins[0], to: margins[1])) * 1000).rounded() == -572)
  }

  @Test("The arc elasticity is the textbook's, the same either way")
  func elasticity() throws {
    let dear = ArcElasticity.Point(price: 70, demand: 2800)
    let cheap = ArcElasticity.Point(price: 60, demand: 3000)
    let arc = try #require(ArcElasticity(from: dear, to: cheap))
    #expect((arc.value * 1e6).rounded() == -448_276)
    #expect(ArcElasticity(from: cheap, to: dear)?.value == arc.value)
    #expect(arc.standardError == nil && arc.interval(multiplier: 2) == nil)
    #expect(ArcElasticity(from: dear, to: dear) == nil)
  }

  @Test("A published test: money +17.1 % (p .351), break-even −28.5 %, elasticity −.53 (SE .50)")
  func publishedElasticity() throws {
    // Of the payers only what they come to is published; these are the round numbers that come to it.
    let (users, before, after, price) = (1250.0, 74.0, 62.0, 1 / (1 - 0.2846))
    let lift = price * after / before - 1
    #expect((lift * 1000).rounded() == 171)
    let points = [(1.0, before), (price, after)].compactMap {
      ArcElasticity.Point(price: $0, payers: $1, users: users)
    }
    let arc = try #require(ArcElasticity(from: points[0], to: points[1]))
    #expect((arc.value * 100).rounded() == -53)
    let error = try #require(arc.standardError)
    #expect((error * 100).rounded() == 50)
    #expect(arc.interval(multiplier: 1.96)?.contains(0) == true)
    // A price that is a mean itself adds to the error: the derivative by the price, taken by a small step.
    let moved = ArcElasticity.Point(price: price + 1e-7, demand: points[1].demand)
    let slope = (try #require(ArcElasticity(from: points[0], to: moved)).value - arc.value) / 1e-7
    var mean = points[1]
    mean.priceVariance = 0.01
    let wider = try #require(ArcElasticity(from: points[0], to: mean)?.standardError)
    expectEqual((wider * wider - error * error).squareRoot(), abs(slope) * 0.1, within: 1e-5)
  }

  @Test("The demand curve is scipy.optimize.isotonic_regression's")
  func curve() {
    let curve = MonotoneDemand.curve(
      demands: [0.05, 0.06, 0.03, 0.035, 0.01], weights: [1000, 2000, 1500, 500, 1000])
    let expected = [0.056666666666666664, 0.056666666666666664, 0.03125, 0.03125, 0.01]
    for (own, other) in zip(curve, expected) { expectEqual(own, other, within: 1e-14) }
    #expect(MonotoneDemand.curve(demands: [3, 2, 2, 1], weights: [1, 1, 1, 1]) == [3, 2, 2, 1])
    #expect(MonotoneDemand.curve(demands: [1, 2, 3], weights: [1, 1, 2]) == [2.25, 2.25, 2.25])
  }

  @Test("What may be the largest holds all that nothing is shown to exceed")
  func best() throws {
    func frame(_ mean: Double, _ error: Double) throws -> MeanFrame {
      try #require(MeanFrame(n: 1000, mean: mean, squaredError: error * error, degreesOfFreedom: .infinity))
    }
    let frames = [try frame(1, 0.1), try frame(1.2, 0.1), try frame(0.7, 0.1)]
    // One-sided at .05/2: 1.960 errors of a difference, 0.277. 1.2 exceeds 0.7 by .5 and 1 by .2.
    #expect(BestOf.candidates(frames, options: ComparisonOptions()) == [true, true, false])
    #expect(
      BestOf.candidates([try frame(1, 0.1), try frame(1.3, 0.1), frames[2]], options: .init()) == [false, true, false])
    // However often one looks, more is needed.
    let nightly = ComparisonOptions(decides: EveryLook())
    #expect(
      BestOf.candidates([try frame(1, 0.1), try frame(1.3, 0.1), frames[2]], options: nightly) == [true, true, false])
    #expect(BestOf.candidates([try frame(1, 0), try frame(2, 0)], options: .init()) == nil)
  }

  /// Das Gupta 1993, chapter 2: the factors and the published parts.
  static let tables: [(a: [Double], b: [Double], parts: [Double])] = [
    ([10930, 0.717892], [16591, 0.825974], [4369.912713, 1487.262361]),
    ([51.78746, 0.45919, 0.52638], [84.90502, 0.75756, 0.51065], [10.434033, 10.560848, -0.667008]),
    ([25.3, 0.214, 0.279, 0.949], [32.7, 0.290, 0.473, 0.986], [0.688941, 0.812538, 1.382906, 0.104755]),
    (
      [0.58, 0.76, 0.84, 0.66, 16.573], [0.72, 0.97, 0.97, 0.56, 16.158],
      [1.090979, 1.229844, 0.727840, -0.839871, -0.129019]
    ),
  ]

  @Test("Parts of a product are Das Gupta's, of two to five factors", arguments: tables)
  func parts(_ table: (a: [Double], b: [Double], parts: [Double])) {
    let parts = ProductDecomposition.parts(from: table.a, to: table.b)
    for (own, published) in zip(parts, table.parts) {
      // The book's last digit is off by one where it rounds on the way: 1.0909785.
      #expect(abs(own - published) < 1.1e-6, "\(own) \(published)")
    }
    let difference = table.b.reduce(1, *) - table.a.reduce(1, *)
    expectEqual(parts.reduce(0, +), difference, within: 1e-12)
  }

  @Test("Parts add up, have no order, and what does not differ has none")
  func sums() {
    for count in 1...9 {
      let a = (0..<count).map { 0.3 + Double(($0 * 7 + count) % 5) }
      var b = (0..<count).map { 0.2 + Double(($0 * 5 + count) % 7) }
      b[0] = a[0]
      let parts = ProductDecomposition.parts(from: a, to: b)
      expectEqual(
        1 + parts.reduce(0, +) / max(a.reduce(1, *), b.reduce(1, *)),
        1 + (b.reduce(1, *) - a.reduce(1, *)) / max(a.reduce(1, *), b.reduce(1, *)), within: 1e-12)
      #expect(parts[0] == 0)
      let mirrored = ProductDecomposition.parts(from: Array(a.reversed()), to: Array(b.reversed()))
      for (left, right) in zip(parts, mirrored.reversed()) {
        #expect(abs(left - right) <= 1e-12 * max(1, abs(left)))
      }
    }
  }

  @Test("The jackknife of a mean is its standard error")
  func jackknife() throws {
    let values = [3.0, 5, 8, 1, 9, 4, 4, 7]
    let sum = values.reduce(0, +)
    let replicates = values.map { (sum - $0) / Double(values.count - 1) }
    let mean = sum / 8
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 7
    expectEqual(Jackknife.standardError(replicates), (variance / 8).squareRoot(), within: 1e-12)
    #expect(Jackknife.standardError([1]) == nil)
  }

  @Test("The deciding half-width is t's for one look, and the confidence sequence's for every night")
  func multiplier() throws {
    let fixed = ComparisonOptions()
    // scipy.stats.t.ppf(.975, 3), norm.ppf(.975).
    expectEqual(fixed.multiplier(users: 100, degreesOfFreedom: 3), 3.1824463052837078, within: 1e-10)
    expectEqual(fixed.multiplier(users: 100), 1.959963984540054, within: 1e-12)
    expectEqual(fixed.multiplier(users: 100, shareOfAlpha: 0.5), 2.241402727604947, within: 1e-12)
    let nightly = ComparisonOptions(decides: EveryLook())
    let c = try #require(SequentialTest()?.multiplier(users: 5000))
    expectEqual(nightly.multiplier(users: 5000), c, within: 1e-12)
    expectEqual(
      nightly.multiplier(users: 5000, degreesOfFreedom: 3), c * 3.1824463052837078 / 1.959963984540054, within: 1e-10)
  }
}
