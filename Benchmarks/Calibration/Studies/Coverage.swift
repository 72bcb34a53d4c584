import Simulation
import Statistics

/// How often intervals hold the truth: of a group's own value.
enum GroupCoverage {
  static var studies: [Study] {
    [
      wilson(0.03, 1000), wilson(0.03, 10_000), wilson(0.2, 500),
      wilson(0.5, 200, note: "exactly 94.40 % by enumeration; counts are whole"),
      wilson(0.005, 2000, note: "exactly 96.31 % by enumeration; ten conversions are few whole counts"),
    ]
  }

  private static func wilson(_ p: Double, _ users: Int, note: String = "") -> Study {
    let table = AliasTable.binomial(users, p)
    let night = SimulatedNight([FalseAlarms.metrics[0]])
    let figure = Figure.coverage("Wilson, p = \(Percent.text(p)), \(users) users", note: note)
    return Study(section: .coverage, figures: [figure], simulations: 100_000) { random, tallies in
      let groups = (0..<2).map { _ in
        let successes = Int128(table.draw(&random))
        return SimulatedNight.Group(
          users: users, sums: [SufficientStatistics(n: Int128(users), sumY: successes, sumYY: successes)])
      }
      for value in try night.analyze(groups).values[0] { tallies[0].add(value.interval.map { $0.contains(p) }) }
    }
  }
}

/// Intervals of skewed revenue and of conversion by the size of a group, a lift of 10 % being true.
enum RevenueSweep {
  static let sizes = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
  static let whaleSizes = [5000, 20_000, 100_000]

  /// The intervals, in the order of each study's figures.
  static let kinds = [
    "t, revenue", "t, ratio", "Welch, revenue", "Mee, conversion", "Welch, ratio", "Fieller, revenue",
    "Koopman, conversion", "delta, revenue", "delta, conversion", "log, revenue", "log, conversion",
  ]

  static var studies: [Study] {
    sizes.map { study($0, hasWhales: false) } + whaleSizes.map { study($0, hasWhales: true) }
  }

  private static func study(_ users: Int, hasWhales: Bool) -> Study {
    let truth = (a: Revenue(share: 0.05, hasWhales: hasWhales), b: Revenue(share: 0.055, hasWhales: hasWhales))
    let crowds = [truth.a.group(of: users), truth.b.group(of: users)]
    let nights = [LiftIntervalMethod.fieller, .delta, .log].map {
      SimulatedNight(FalseAlarms.metrics, liftInterval: $0)
    }
    let figures = kinds.map { Figure.coverage("\($0)\(hasWhales ? ", whales" : ""), \(users)") }
    return Study(section: .sweep, figures: figures, simulations: 18_000) { random, tallies in
      let groups = crowds.map { $0.draw(&random).group }
      let results = try nights.map { try $0.analyze(groups) }
      let (values, rows) = (results[0].values, results.map { $0.comparisons.map { $0[0] } })
      let seen: [(Interval?, Double)] = [
        (values[1][0].interval, truth.a.mean), (values[2][0].interval, truth.a.meanOfPayers),
        (rows[0][1].difference, truth.b.mean - truth.a.mean), (rows[0][0].difference, 0.005),
        (rows[0][2].difference, 0), (rows[0][1].lift, 0.1), (rows[0][0].lift, 0.1), (rows[1][1].lift, 0.1),
        (rows[1][0].lift, 0.1), (rows[2][1].lift, 0.1), (rows[2][0].lift, 0.1),
      ]
      for (index, (interval, truth)) in seen.enumerated() {
        tallies[index].add(interval.map { $0.contains(truth) })
      }
    }
  }
}
