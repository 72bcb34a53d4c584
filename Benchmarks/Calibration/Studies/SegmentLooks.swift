import Simulation

/// Twenty countries, looked into every night, where no group differs in any.
enum SegmentLooks {
  static var studies: [Study] { [study([4500, 500])] }

  private static let countries = 20

  /// - Parameter users: users who join each group a night, as many of each country.
  private static func study(_ users: [Int]) -> Study {
    let revenue = Revenue(share: 0.05)
    let crowds = users.map { revenue.group(of: $0 / countries) }
    let night = SimulatedNight(Array(FalseAlarms.metrics[..<2]), readsOnce: false, adjust: .holm)
    return Study(
      section: .reports,
      figures: [
        Figure(
          what: "anything called, payers and revenue of everybody and of \(countries) countries (BH), "
            + "\(Sizes.words(users)) a night", band: .atMost(0.05))
      ], simulations: 3000
    ) { random, tallies in
      var split = users.map { _ in (0..<countries).map { _ in Spending(users: 0) } }
      let isCalled = try NightlyLooks.isEverCalled { _ in
        for group in users.indices {
          for country in 0..<countries { split[group][country].merge(crowds[group].draw(&random)) }
        }
        return try night.analyze(split.map(group), weights: Sizes.weights(users))
      }
      tallies[0].add(isCalled)
    }
  }

  private static func group(_ countries: [Spending]) -> SimulatedNight.Group {
    let everybody = countries.reduce(into: Spending(users: 0)) { $0.merge($1) }
    var group = SimulatedNight.Group(users: everybody.users, sums: [everybody.conversion, everybody.revenue])
    group.strata = countries.map { [$0.conversion, $0.revenue] }
    return group
  }
}
