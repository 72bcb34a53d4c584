import Simulation
import Statistics

/// Tests with a true lift and the users that theory asks for: is it found as often as theory says?
enum PowerStudies {
  static var studies: [Study] {
    [
      share(0.03, 0.1, 0.8), share(0.2, 0.1, 0.9), share(0.5, 0.3, 0.8), share(0.03, 0.1, 0.8, isSequential: true),
      nightly(0.03, 0.1, 4500),
      revenue(10_000, 0.25), revenue(50_000, 0.1),
    ]
  }

  /// As many users as `Power` says a share needs.
  private static func share(_ p: Double, _ lift: Double, _ power: Double, isSequential: Bool = false) -> Study {
    let plan = Power(power: power, test: isSequential ? EveryLook() : SingleLook())
    let users = plan.users(baseline: .proportion(p), lift: lift) ?? 2
    let theory = plan.power(baseline: .proportion(p), lift: lift, users: Double(users)) ?? .nan
    let tables = [AliasTable.binomial(users, p), .binomial(users, p * (1 + lift))]
    let night = SimulatedNight([FalseAlarms.metrics[0]], readsOnce: !isSequential)
    let what =
      "\(isSequential ? "sequential, one look at the end" : "read once"), conversion "
      + "\(Percent.text(p)) + \(Percent.text(p * lift)), 2 × \(users) users"
    return Study(
      section: .power, figures: [Figure(what: what, band: .around(theory, 0.01))], simulations: 40_000
    ) { random, tallies in
      let groups = tables.map { table in
        let successes = Int128(table.draw(&random))
        return SimulatedNight.Group(
          users: users, sums: [SufficientStatistics(n: Int128(users), sumY: successes, sumYY: successes)])
      }
      tallies[0].add(try night.analyze(groups).comparisons[0][0].isCalled)
    }
  }

  /// The same users in twenty-eight equal parts, looked at after each.
  private static func nightly(_ p: Double, _ lift: Double, _ users: Int) -> Study {
    let theory = Power(test: EveryLook()).powerAtAnyLook(
      baseline: .proportion(p), lift: lift, users: Double(users * NightlyLooks.nights), looks: NightlyLooks.nights)
    let tables = [AliasTable.binomial(users, p), .binomial(users, p * (1 + lift))]
    let night = SimulatedNight([FalseAlarms.metrics[0]], readsOnce: false)
    let what =
      "sequential, any of \(NightlyLooks.nights) looks, conversion \(Percent.text(p)) + \(Percent.text(p * lift)), "
      + "2 × \(users) users a night"
    return Study(
      section: .power, figures: [Figure(what: what, band: .around(theory ?? .nan, 0.01))], simulations: 20_000
    ) { random, tallies in
      var sums = [SufficientStatistics(), SufficientStatistics()]
      var isCalled = false
      for _ in 0..<NightlyLooks.nights where !isCalled {
        for index in sums.indices { _ = sums[index].merge(.share(tables[index].draw(&random), of: users)) }
        let groups = sums.map { SimulatedNight.Group(users: Int($0.n), sums: [$0]) }
        isCalled = try night.analyze(groups).comparisons[0][0].isCalled
      }
      tallies[0].add(isCalled)
    }
  }

  /// Theory with the mean of both groups' variances: more payers vary more.
  private static func revenue(_ users: Int, _ lift: Double) -> Study {
    let (a, b) = (Revenue(share: 0.05), Revenue(share: 0.05 * (1 + lift)))
    let crowds = [a.group(of: users), b.group(of: users)]
    let deviation = ((a.variance + b.variance) / 2).squareRoot()
    let theory = Power().power(
      baseline: .mean(a.mean, standardDeviation: deviation), lift: lift, users: Double(users))
    let night = SimulatedNight([FalseAlarms.metrics[1]])
    let what = "read once, revenue per user + \(Percent.text(lift)), 2 × \(users) users"
    return Study(
      section: .power, figures: [Figure(what: what, band: .around(theory ?? .nan, 0.01))], simulations: 40_000
    ) { random, tallies in
      let groups = crowds.map { crowd in
        let spending = crowd.draw(&random)
        return SimulatedNight.Group(users: users, sums: [spending.revenue])
      }
      tallies[0].add(try night.analyze(groups).comparisons[0][0].isCalled)
    }
  }
}
