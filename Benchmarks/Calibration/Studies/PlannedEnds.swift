import Analysis
import Simulation
import Statistics

/// Tests whose end is planned after four weeks and that are read every night: what they find, when, and what stays of it.
enum PlannedEnds {
  static var studies: [Study] {
    [
      winner(5000, lift: 0.2, atLeast: 0.255), winner(20_000, lift: 0.1, atLeast: 0.27),
      winner(20_000, lift: 0.2, atLeast: 0.76), winner(80_000, lift: 0.1, atLeast: 0.78),
    ] + [5000, 80_000].map { none($0) }
  }

  private static let nights = 28
  private static let share = 0.05

  private static var night: SimulatedNight { SimulatedNight([FalseAlarms.metrics[1]], adjust: .holm, plan: nights) }

  /// - Parameter users: users of each group by the end.
  private static func winner(_ users: Int, lift: Double, atLeast: Double) -> Study {
    let place = "\(users) users a group, true lift \(Percent.text(lift))"
    let figures = [
      Figure(what: "planned: shipped by the end, \(place)", band: .atLeast(atLeast)),
      Figure(what: "planned: night of it, of 28, \(place)", band: .within(0.3, 0.9)),
      Figure(what: "planned: promised of delivered, \(place)", band: .none),
    ]
    return Study(section: .planned, figures: figures, simulations: 4000) { random, tallies in
      let verdict = try night.analyze(nights: draw(users, lift: lift, &random)).verdicts.first
      let isShipped = verdict?.call == .ship
      tallies[0].add(isShipped)
      guard isShipped, let verdict else { return }
      tallies[1].add(share: Double(verdict.shownOn ?? nights) / Double(nights))
      if let expected = verdict.expected { tallies[2].add(expected, of: lift) }
    }
  }

  /// Equal groups.
  private static func none(_ users: Int) -> Study {
    let figures = [Figure(what: "planned: anything called, \(users) users a group, no lift", band: .atMost(0.05))]
    return Study(section: .planned, figures: figures, simulations: 10_000) { random, tallies in
      tallies[0].add(try night.analyze(nights: draw(users, lift: 0, &random)).isAnythingCalled)
    }
  }

  /// What both groups had come to by each night.
  private static func draw(_ users: Int, lift: Double, _ random: inout RandomStream) -> [[SimulatedNight.Group]] {
    let daily = users / nights
    let crowds = [Revenue(share: share), Revenue(share: share * (1 + lift))].map { $0.group(of: daily) }
    var sums = crowds.map { _ in Spending(users: 0) }
    return (0..<nights).map { _ in
      for group in crowds.indices { sums[group].merge(crowds[group].draw(&random)) }
      return sums.map { SimulatedNight.Group(users: $0.users, sums: [$0.revenue]) }
    }
  }
}
