import Simulation
import Statistics

/// Tests that are looked at every night for four weeks.
enum NightlyLooks {
  static let nights = 28

  static var studies: [Study] { [study(300, lift: 0), study(2000, lift: 0), study(300, lift: 0.1)] }

  /// - Parameter users: users who join a group a night.
  private static func study(_ users: Int, lift: Double) -> Study {
    let truth = (a: Revenue(share: 0.05), b: Revenue(share: 0.05 * (1 + lift)))
    let crowds = [truth.a.group(of: users), truth.b.group(of: users)]
    let night = SimulatedNight(FalseAlarms.metrics, readsOnce: false)
    let differences = [truth.b.share - truth.a.share, truth.b.mean - truth.a.mean, 0]
    let position = "\(users) a night and group"
    let figures = lift == 0 ? falseCalls(position) : coverage(position)
    return Study(section: .nights, figures: figures, simulations: 10_000) { random, tallies in
      var sums = crowds.map { _ in Spending(users: 0) }
      var (called, sequential, fixed) = (three(false), three(false), three(false))
      var (holdsDifference, holdsLift) = (three(true), three(true))
      for _ in 0..<nights {
        for index in crowds.indices { sums[index].merge(crowds[index].draw(&random)) }
        let result = try night.analyze(sums.map(\.group))
        for (metric, row) in result.comparisons.map({ $0[0] }).enumerated() {
          called[metric] = called[metric] || result.decided[metric][0].isCalled
          sequential[metric] = sequential[metric] || (row.sequentialPValue ?? 1) < 0.05
          fixed[metric] = fixed[metric] || row.isBelow(0.05) ?? false
          let trueLift = metric == 2 ? 0 : lift
          holdsDifference[metric] =
            holdsDifference[metric] && row.sequentialDifference?.contains(differences[metric]) ?? true
          holdsLift[metric] = holdsLift[metric] && row.sequentialLift?.contains(trueLift) ?? true
        }
      }
      let seen = lift == 0 ? [called, sequential, fixed] : [holdsDifference, holdsLift]
      for (kind, hits) in seen.enumerated() {
        for (metric, hit) in hits.enumerated() { tallies[kind * 3 + metric].add(hit) }
      }
    }
  }

  /// Whether anything that decides is called in any of the nights.
  ///
  /// - Parameter look: analyzes a night, the first being 0, of which all before have been analyzed.
  static func isEverCalled(_ look: (_ night: Int) throws -> SimulatedNight.Result) rethrows -> Bool {
    for night in 0..<nights where try look(night).isAnythingCalled { return true }
    return false
  }

  private static func three(_ value: Bool) -> [Bool] { [value, value, value] }

  private static func falseCalls(_ position: String) -> [Figure] {
    FalseAlarms.names.map {
      Figure(what: "any false `better` or `worse`, `sequential`, \($0), \(position)", band: .atMost(0.05))
    }
      + FalseAlarms.names.map { Figure(what: "any sequential p < 5 %, \($0), \(position)", band: .atMost(0.05)) }
      + FalseAlarms.names.map {
        Figure(what: "beside it: any p of the fixed test < 5 %, \($0), \(position)", band: .none)
      }
  }

  private static func coverage(_ position: String) -> [Figure] {
    FalseAlarms.names.map {
      Figure(what: "sequential interval of the difference holds at all looks, \($0), \(position)", band: .atLeast(0.95))
    }
      + FalseAlarms.names.map {
        Figure(what: "sequential interval of the lift holds at all looks, \($0), \(position)", band: .atLeast(0.95))
      }
  }
}
