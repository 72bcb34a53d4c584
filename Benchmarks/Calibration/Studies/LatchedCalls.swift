import Analysis
import Simulation
import Statistics

/// Reports that are published every night: does a call that was made stay made?
enum LatchedCalls {
  static var studies: [Study] { [study(5000, lift: 0.2), study(20_000, lift: 0.2)] }

  private static let nights = PlannedEnds.nights

  /// - Parameter users: users of each group by the planned end, a week before the last night.
  private static func study(_ users: Int, lift: Double) -> Study {
    let position = "\(users) users a group, true lift \(Percent.text(lift))"
    let figures = [
      Figure(
        what: "planned: a call to ship or drop gone on a later night without a reason, \(position)", band: .atMost(0)),
      Figure(what: "beside it: called to ship or drop on some night, \(position)", band: .none),
    ]
    let crowds = [0, lift].map { Revenue(share: 0.05 * (1 + $0)).group(of: users / nights) }
    let metrics = Array(FalseAlarms.metrics[..<2])
    let night = SimulatedNight(metrics, adjust: .holm, plan: .init(.nights(nights)))
    return Study(section: .planned, figures: figures, simulations: 1000) { random, tallies in
      let nights = Nights.draw(
        nights + 7, crowds.map { _ in Spending(users: 0) },
        group: { .init(users: $0.users, sums: [$0.conversion, $0.revenue]) }
      ) { users, group, _ in users.merge(crowds[group].draw(&random)) }
      var (made, isGone): (Call?, Bool) = (nil, false)
      for count in 7...nights.count {
        let result = try night.analyze(nights: Array(nights[..<count]))
        guard let call = result.verdicts.first?.call, result.failedChecks.isEmpty else { continue }
        let stands = call == .ship || call == .drop
        // Two primary metrics that come to disagree are a reason.
        isGone = isGone || made != nil && !stands && call != .choose
        if stands { made = call }
      }
      tallies[0].add(isGone)
      tallies[1].add(made != nil)
    }
  }
}
