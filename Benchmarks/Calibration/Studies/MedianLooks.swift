import Simulation

/// The median payment of groups that do not differ: payers pay one of nine prices, so that values are tied.
enum MedianLooks {
  static var studies: [Study] { [study([300, 300]), study([900, 100])] }

  private static func study(_ users: [Int]) -> Study {
    var median = FalseAlarms.metrics[1]
    (median.name, median.quantile, median.isOfPayers) = ("median payment", 0.5, true)
    let nightly = SimulatedNight([median], readsOnce: false)
    let once = SimulatedNight([median])
    let revenue = Revenue(share: 0.05)
    let crowds = users.map { revenue.group(of: $0) }
    let position = "\(Sizes.words(users)) a night"
    return Study(
      section: .reports,
      figures: [
        Figure(what: "anything called, median payment of nine prices, \(position)", band: .atMost(0.05)),
        Figure(what: "the same, read once after 28 nights, \(position)", band: .atMost(0.05)),
      ], simulations: 5000
    ) { random, tallies in
      var sums = users.map { _ in Spending(users: 0) }
      var isCalled = false
      for _ in 0..<NightlyLooks.nights {
        for group in users.indices { sums[group].merge(crowds[group].draw(&random)) }
        isCalled = try isCalled || nightly.analyze(sums.map(group), weights: Sizes.weights(users)).isAnythingCalled
      }
      tallies[0].add(isCalled)
      tallies[1].add(try once.analyze(sums.map(group), weights: Sizes.weights(users)).isAnythingCalled)
    }
  }

  private static func group(_ spending: Spending) -> SimulatedNight.Group {
    var group = SimulatedNight.Group(users: spending.users, sums: [spending.revenue])
    group.values = [spending.values]
    return group
  }
}
