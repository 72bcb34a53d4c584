import Simulation
import Statistics

/// Four groups and several metrics at once: what Holm and Benjamini–Hochberg keep.
enum ManyTests {
  static var studies: [Study] { [none(.holm), none(.hochberg), some()] }

  /// No group differs in any of three primary and four other metrics.
  private static func none(_ adjust: Adjustment) -> Study {
    let crowd = Metrics(shares: Array(repeating: Array(repeating: 0.1, count: 7), count: 4))
    let night = SimulatedNight(crowd.metrics(primary: 3), adjust: adjust)
    let plain = SimulatedNight(crowd.metrics(primary: 3), adjust: .none)
    return Study(
      section: .many,
      figures: [
        Figure(what: "\(adjust.rawValue): any false call among 3 groups × 3 primary metrics", band: .atMost(0.05)),
        Figure(what: "BH: any false call among 3 groups × 4 other metrics, none true", band: .atMost(0.05)),
        Figure(what: "beside it, not adjusted: any of the 9", band: .none),
      ], simulations: 20_000
    ) { random, tallies in
      let groups = crowd.draw(&random)
      let rows = try night.analyze(groups).comparisons
      tallies[0].add(rows[..<3].joined().contains(where: \.isCalled))
      tallies[1].add(rows[3...].joined().contains(where: \.isCalled))
      tallies[2].add(try plain.analyze(groups).comparisons[..<3].joined().contains(where: \.isCalled))
    }
  }

  /// Two of the three groups differ from the baseline in half of the metrics.
  private static func some() -> Study {
    let half = [0.1, 0.1, 0.1, 0.1, 0.125, 0.125, 0.13, 0.13]
    let crowd = Metrics(shares: [Array(repeating: 0.1, count: 8), half, half, Array(repeating: 0.1, count: 8)])
    let night = SimulatedNight(crowd.metrics(primary: 0), adjust: .holm)
    return Study(
      section: .many,
      figures: [
        Figure(what: "BH: share of false among the calls, 8 of 24 comparisons true", band: .atMost(0.05)),
        Figure(what: "true ones found", band: .atLeast(0.7)),
      ], simulations: 20_000
    ) { random, tallies in
      let rows = try night.analyze(crowd.draw(&random)).comparisons
      var (calls, hits) = (0, 0)
      for (metric, row) in rows.enumerated() {
        for (group, comparison) in row.enumerated() where comparison.isCalled {
          calls += 1
          if crowd.shares[group + 1][metric] != crowd.shares[0][metric] { hits += 1 }
        }
      }
      tallies[0].add(share: calls > 0 ? Double(calls - hits) / Double(calls) : 0)
      tallies[1].add(share: Double(hits) / 8)
    }
  }

  /// Independent shares of 3,000 users a group, by group and metric.
  private struct Metrics: Sendable {
    let shares: [[Double]]
    private let tables: [[AliasTable]]
    private static let users = 3000

    init(shares: [[Double]]) {
      self.shares = shares
      tables = shares.map { $0.map { AliasTable.binomial(Self.users, $0) } }
    }

    func metrics(primary: Int) -> [SimulatedNight.Metric] {
      shares[0].indices.map { index in
        var metric = SimulatedNight.Metric("m\(index)", .proportion)
        metric.isPrimary = index < primary
        return metric
      }
    }

    func draw(_ random: inout RandomStream) -> [SimulatedNight.Group] {
      tables.map { tables in
        let sums = tables.map { table in
          let successes = Int128(table.draw(&random))
          return SufficientStatistics(n: Int128(Self.users), sumY: successes, sumYY: successes)
        }
        return SimulatedNight.Group(users: Self.users, sums: sums)
      }
    }
  }
}
