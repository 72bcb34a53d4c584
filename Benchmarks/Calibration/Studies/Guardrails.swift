import Analysis
import Simulation
import Statistics

/// A cost that must not rise, beside money per user, read every night up to a planned end.
enum Guardrails {
  static var studies: [Study] {
    [
      study(margin: nil, rise: 0, "harm shown", .worse, .atMost(0.05)),
      study(margin: 0.1, rise: 0.1, "`not_worse`", .notWorse, .atMost(0.05)),
      study(margin: nil, rise: 0.2, "harm shown", .worse, .none),
      study(margin: 0.1, rise: 0, "`not_worse`", .notWorse, .none),
      study(margin: 0.02, rise: 0, "`not_worse`", .notWorse, .none),
      study(margin: nil, rise: 0, lift: 0.2, "a true winner shipped", nil, .atLeast(0.74)),
    ]
  }

  private static let nights = PlannedEnds.nights
  private static let users = 714
  private static let share = 0.08

  /// - Parameters:
  ///   - rise: by how much the cost truly rises.
  ///   - lift: the true lift of money per user.
  ///   - decision: what is counted of the guardrail; nil counts groups shipped.
  private static func study(
    margin: Double?, rise: Double, lift: Double = 0, _ what: String, _ decision: Decision?, _ band: Figure.Band
  ) -> Study {
    let held = margin.map { "with a margin of \(Percent.text($0))" } ?? "without a margin"
    let moved = rise == 0 ? "a cost that does not change" : "a cost that truly rises by \(Percent.text(rise))"
    let figure = Figure(
      what: "planned: \(what), guardrail \(held), \(moved), 8 % have it, \(users) a night and group", band: band)
    let crowds = [0, lift].map { Revenue(share: 0.05 * (1 + $0)).group(of: users) }
    let costs = [0, rise].map { AliasTable.binomial(users, share * (1 + $0)) }
    var cost = SimulatedNight.Metric("cost", .proportion)
    (cost.isPrimary, cost.isGuardrail, cost.margin) = (false, true, margin)
    let night = SimulatedNight([FalseAlarms.metrics[1], cost], adjust: .holm, plan: .init(.nights(nights)))
    return Study(section: .planned, figures: [figure], simulations: 4000) { random, tallies in
      let start = crowds.map { _ in (money: Spending(users: 0), cost: SufficientStatistics()) }
      let drawn = Nights.draw(
        nights, start, group: { .init(users: $0.money.users, sums: [$0.money.revenue, $0.cost]) }
      ) { sums, group, _ in
        sums.money.merge(crowds[group].draw(&random))
        _ = sums.cost.merge(.share(costs[group].draw(&random), of: users))
      }
      let result = try night.analyze(nights: drawn)
      tallies[0].add(decision.map { result.comparisons[1][0].decision == $0 } ?? (result.verdicts.first?.call == .ship))
    }
  }
}
