import Analysis
import Simulation
import Statistics

/// Tests whose end is planned after four weeks and that are read every night: what they find, and when.
enum PlannedEnds {
  static var studies: [Study] {
    [
      winner(5000, lift: 0.2, atLeast: 0.255), winner(20_000, lift: 0.1, atLeast: 0.27),
      winner(20_000, lift: 0.2, atLeast: 0.76), winner(80_000, lift: 0.1, atLeast: 0.78),
    ]
  }

  static let nights = 28
  /// By it half of the calls should have come.
  private static let early = 22
  private static let night = SimulatedNight([FalseAlarms.metrics[1]], adjust: .holm, plan: .init(.nights(nights)))

  /// - Parameter users: users of each group by the end.
  private static func winner(_ users: Int, lift: Double, atLeast: Double) -> Study {
    let position = "\(users) users a group, true lift \(Percent.text(lift))"
    let figures = [
      Figure(what: "planned: shipped by the end, \(position)", band: .atLeast(atLeast)),
      Figure(what: "planned: of those by night \(early), \(position)", band: .atLeast(0.5)),
    ]
    let crowds = [0, lift].map { Revenue(share: 0.05 * (1 + $0)).group(of: users / nights) }
    return Study(section: .planned, figures: figures, simulations: 4000) { random, tallies in
      let verdict = try night.analyze(nights: Nights.revenue(of: crowds, count: nights, &random)).verdicts.first
      let isShipped = verdict?.call == .ship
      tallies[0].add(isShipped)
      if isShipped { tallies[1].add((verdict?.shownOn ?? nights) <= early) }
    }
  }
}

/// What groups had come to by each of several nights.
enum Nights {
  /// - Parameter join: a night's users join a group, the first of each being 0.
  static func draw<Users>(
    _ count: Int, _ start: [Users], group: (Users) -> SimulatedNight.Group,
    join: (_ users: inout Users, _ group: Int, _ night: Int) -> Void
  ) -> [[SimulatedNight.Group]] {
    var users = start
    return (0..<count).map { night in
      for index in users.indices { join(&users[index], index, night) }
      return users.map(group)
    }
  }

  /// Money per user of groups whom as many join every night.
  static func revenue(
    of crowds: [Revenue.Crowd], count: Int, _ random: inout RandomStream
  ) -> [[SimulatedNight.Group]] {
    draw(count, crowds.map { _ in Spending(users: 0) }, group: { .init(users: $0.users, sums: [$0.revenue]) }) {
      sums, group, _ in
      sums.merge(crowds[group].draw(&random))
    }
  }
}
