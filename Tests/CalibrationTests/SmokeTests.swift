import Testing

@testable import calibration

/// The calibration in small, so that it cannot rot.
@Suite("Calibration")
struct SmokeTests {
  @Test("every figure lies near its band in a small run")
  func small() async throws {
    let studies = Study.all.map(\.small)
    let outcomes = try await Study.run(studies, scale: 1, seed: 1, threads: 2)
    for outcome in outcomes {
      for (figure, tally) in zip(outcome.study.figures, outcome.tallies) {
        #expect(
          tally.trials == 0 || figure.band.holds(tally.share, slack: slack(figure.band, tally)),
          "\(figure.what): \(tally.share)")
      }
    }
    #expect(Page(outcomes: outcomes, run: Self.run).text.contains("## Twenty-eight nightly looks"))
  }

  /// Five standard errors, and what skewness may take at the sizes where the page says so.
  private func slack(_ band: Figure.Band, _ tally: Tally) -> Double {
    // What a handful of programmes ships says nothing.
    if case .within = band, tally.trials < 30 { return .infinity }
    let share =
      switch band {
      case .around(let value, _), .atMost(let value), .atLeast(let value): value
      case .within, .none: 0.5
      }
    return 5 * (max(0.01, share * (1 - share)) / Double(max(1, tally.trials))).squareRoot() + 0.05
  }

  @Test("the same seed gives the same figures on any number of threads")
  func seeds() async throws {
    let studies = [FalseAlarms.studies[0], ManyTests.studies[0]].map(\.small)
    let one = try await Study.run(studies, scale: 1, seed: 7, threads: 1)
    let three = try await Study.run(studies, scale: 1, seed: 7, threads: 3)
    #expect(one.map { $0.tallies.map(\.share) } == three.map { $0.tallies.map(\.share) })
  }

  @Test("binomial counts have their mean and variance")
  func binomial() {
    var random = RandomStream(seed: 1, study: 0, block: 0)
    for (n, p) in [(10, 0.5), (1000, 0.03), (50_000, 0.2), (5, 0.999)] {
      let table = AliasTable.binomial(n, p)
      let draws = (0..<20_000).map { _ in Double(table.draw(&random)) }
      let mean = draws.reduce(0, +) / 20_000
      let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19_999
      let expected = Double(n) * p * (1 - p)
      #expect(abs(mean - Double(n) * p) < 5 * (expected / 20_000).squareRoot())
      #expect(abs(variance / expected - 1) < 0.2)
      #expect(draws.allSatisfy { $0 >= 0 && $0 <= Double(n) })
    }
  }

  @Test("drawn revenue has the mean and variance that are called true")
  func revenue() {
    let revenue = Revenue(share: 0.05)
    let crowd = revenue.group(of: 1000)
    var random = RandomStream(seed: 2, study: 0, block: 0)
    var all = Spending(users: 0)
    for _ in 0..<500 { all.merge(crowd.draw(&random)) }
    let mean = Double(all.revenue.sumY) / 5e5 / 1e6
    #expect(abs(mean / revenue.mean - 1) < 0.03)
    #expect(abs((Double(all.revenue.sumYY) / 5e5 / 1e12 - mean * mean) / revenue.variance - 1) < 0.1)
    #expect(all.values.values.reduce(0, +) == 500_000)
  }

  @Test("a missed band is said plainly")
  func misses() {
    var tally = Tally()
    for number in 0..<1000 { tally.add(number < 80) }
    let study = Study(section: .level, figures: [.level("a test", note: "it is wrong")], simulations: 1) { _, _ in }
    let page = Page(outcomes: [Study.Outcome(study: study, tallies: [tally])], run: Self.run).text
    #expect(page.contains("| a test | 1,000 | 8.00 | 1.68 | 5 % ± 0.3 | **misses** |"))
    #expect(page.contains("- a test: 8.00 % instead of 5 % ± 0.3: it is wrong."))
  }

  private static let run = Page.Run(scale: 1, seed: 1, duration: .seconds(61), processorSeconds: 120, threads: 2)
}

extension Study {
  /// The same with a handful of simulations: fewer where one takes long.
  fileprivate var small: Study {
    let count = max(2, min(100, simulations / 2000))
    return Study(section: section, figures: figures, simulations: count, simulate: simulate)
  }
}
