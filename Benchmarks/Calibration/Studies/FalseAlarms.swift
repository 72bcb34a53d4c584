import Simulation
import Statistics

/// Groups that do not differ: how often is p below 5 %?
enum FalseAlarms {
  static let metrics: [SimulatedNight.Metric] = {
    var revenue = SimulatedNight.Metric("revenue", .mean)
    var perPayer = SimulatedNight.Metric("revenue per payer", .ratio)
    (revenue.isMoney, perPayer.isMoney) = (true, true)
    return [SimulatedNight.Metric("conversion", .proportion), revenue, perPayer]
  }()

  static var studies: [Study] {
    [
      share(0.5, (200, 200)), share(0.5, (1000, 1000)),
      share(0.2, (500, 500)), share(0.03, (2000, 2000)), share(0.03, (2000, 8000)), share(0.005, (20_000, 20_000)),
      money(Revenue(share: 0.05), "", (1000, 1000), note: few), money(Revenue(share: 0.05), "", (5000, 5000)),
      money(Revenue(share: 0.05), "", (20_000, 20_000)),
      money(Revenue(share: 0.05), "", (4000, 16_000), note: skewed),
      money(Revenue(share: 0.05), "", (20_000, 80_000)),
      money(Revenue(share: 0.05, hasWhales: true), ", whales", (20_000, 20_000), note: heavy),
    ]
  }

  private static let few = "fifty payers a group are few"
  private static let skewed = "unequal groups do not cancel each other's skewness"
  private static let heavy = "a few whales: t errs on the safe side until there are many of them"

  /// Conversion alone.
  private static func share(_ p: Double, _ users: (Int, Int)) -> Study {
    let tables = (AliasTable.binomial(users.0, p), AliasTable.binomial(users.1, p))
    let night = SimulatedNight([metrics[0]])
    let figure = Figure.level("conversion, p = \(Percent.text(p)), \(sizes(users)) users")
    return Study(section: .level, figures: [figure], simulations: 100_000) { random, tallies in
      let groups = [(users.0, tables.0), (users.1, tables.1)].map { users, table in
        let successes = Int128(table.draw(&random))
        return SimulatedNight.Group(
          users: users, sums: [SufficientStatistics(n: Int128(users), sumY: successes, sumYY: successes)])
      }
      tallies[0].add(try night.analyze(groups).comparisons[0][0].isBelow(0.05))
    }
  }

  /// Conversion, revenue and revenue per payer of the same users.
  private static func money(
    _ revenue: Revenue, _ kind: String, _ users: (Int, Int), note: String = ""
  ) -> Study {
    let crowds = [revenue.group(of: users.0), revenue.group(of: users.1)]
    let night = SimulatedNight(metrics)
    let figures = metrics.indices.dropFirst().map { index in
      Figure.level("\(names[index])\(kind), \(sizes(users)) users", note: note)
    }
    return Study(section: .level, figures: figures, simulations: 60_000) { random, tallies in
      let groups = crowds.map { $0.draw(&random).group }
      let result = try night.analyze(groups)
      for index in tallies.indices { tallies[index].add(result.comparisons[index + 1][0].isBelow(0.05)) }
    }
  }

  static let names = ["conversion", "revenue per user", "revenue per payer"]

  private static func sizes(_ users: (Int, Int)) -> String {
    users.0 == users.1 ? "2 × \(users.0)" : "\(users.0) and \(users.1)"
  }
}

/// Few conversions, where an exact test stands in.
enum ExactTests {
  static var studies: [Study] {
    [
      study(.fisher, 0.01, 200, simulations: 100_000), study(.fisher, 0.01, 50, simulations: 100_000),
      study(.boschloo, 0.01, 200, simulations: 10_000), study(.boschloo, 0.01, 50, simulations: 20_000),
    ]
  }

  private static func study(_ test: ExactTest, _ p: Double, _ users: Int, simulations: Int) -> Study {
    let table = AliasTable.binomial(users, p)
    let night = SimulatedNight([FalseAlarms.metrics[0]], exact: test)
    let position = "p = \(Percent.text(p)), 2 × \(users) users"
    let figures = [
      Figure(what: "\(test.rawValue), \(position): false alarms", band: .atMost(0.05)),
      Figure(what: "the score test's interval of the difference there: coverage", band: .none),
    ]
    return Study(section: .exact, figures: figures, simulations: simulations) { random, tallies in
      let groups = (0..<2).map { _ in
        let successes = Int128(table.draw(&random))
        return SimulatedNight.Group(
          users: users, sums: [SufficientStatistics(n: Int128(users), sumY: successes, sumYY: successes)])
      }
      let row = try night.analyze(groups).comparisons[0][0]
      // Nobody converted: no p, and no alarm.
      tallies[0].add(row.pValue.map { $0 < 0.05 } ?? false)
      tallies[1].add(row.difference.map { $0.contains(0) })
    }
  }
}

extension SimulatedNight.Row {
  /// Whether the p of a single look is below α; nil where there is none.
  func isBelow(_ alpha: Double) -> Bool? { pValue.map { $0 < alpha } }
}

extension Spending {
  /// The group as Analysis takes it, by the metrics of `FalseAlarms`.
  var group: SimulatedNight.Group { SimulatedNight.Group(users: users, sums: [conversion, revenue, perPayer]) }
}
