import Simulation
import Statistics

/// Shares of two in a hundred, looked at every night in groups of which one is much larger than the others.
enum ShareLooks {
  static var studies: [Study] {
    [
      study([1000, 50, 50, 50, 50], metrics: 1), study([300, 50, 50, 50, 50], metrics: 1),
      study([1000, 50, 50, 50, 50], metrics: 8),
    ]
  }

  private static let share = 0.02

  private static func study(_ users: [Int], metrics: Int) -> Study {
    let tables = users.map { AliasTable.binomial($0, share) }
    let night = SimulatedNight(
      (0..<metrics).map { SimulatedNight.Metric("share \($0)", .proportion) }, readsOnce: false, adjust: .holm)
    let what = metrics == 1 ? "a share of 2 %" : "\(metrics) shares of 2 %"
    return Study(
      section: .reports,
      figures: [
        Figure(what: "anything called, \(what), Holm, \(Sizes.words(users)) a night", band: .atMost(0.05))
      ], simulations: metrics == 1 ? 10_000 : 5000
    ) { random, tallies in
      var sums = users.map { _ in (0..<metrics).map { _ in SufficientStatistics() } }
      let isCalled = try NightlyLooks.isEverCalled { _ in
        for group in users.indices {
          for metric in 0..<metrics {
            _ = sums[group][metric].merge(.share(tables[group].draw(&random), of: users[group]))
          }
        }
        return try night.analyze(
          sums.map { SimulatedNight.Group(users: Int($0[0].n), sums: $0) }, weights: Sizes.weights(users))
      }
      tallies[0].add(isCalled)
    }
  }
}
