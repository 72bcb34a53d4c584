import Simulation

/// Tests that are looked at every night where groups are unequal or payers few: there a mean's variance is too small just
/// when the mean is low, and the confidence sequence alone calls too often. What keeps the promise is that nothing is
/// decided on fewer than thirty effective events.
enum FewPayers {
  static var studies: [Study] {
    [
      study(World(users: (900, 100))), study(World(users: (100, 900))), study(World(users: (180, 20))),
      study(World(users: (360, 40))), study(World(users: (540, 60))), study(World(users: (20, 20))),
      study(World(users: (40, 40))), study(World(users: (60, 60))),
      study(World(users: (300, 300), hasWhales: true)), study(World(users: (900, 100), hasWhales: true)),
    ]
  }

  private struct World {
    /// Users who join each group a night; one in twenty pays.
    var users: (a: Int, b: Int)
    var hasWhales = false

    var position: String {
      let payers = Page.decimal(Double(min(users.a, users.b)) * FewPayers.share)
      let name = "\(users.a) and \(users.b) a night, \(payers) payer\(payers == "1" ? "" : "s") in the \(smaller)"
      return hasWhales ? name + ", whales" : name
    }

    private var smaller: String { users.a == users.b ? "group" : "smaller group" }
  }

  private static let share = 0.05
  private static let whales =
    "thirty effective events do not tell how rare the giants are that are still to come; a metric with a `cap:` has none"
  private static let fiveExpected = "five expected conversions are few in the smaller of very unequal groups"

  private static func study(_ world: World) -> Study {
    let revenue = Revenue(share: share, hasWhales: world.hasWhales)
    let crowds = [revenue.group(of: world.users.a), revenue.group(of: world.users.b)]
    let weights = [Double(world.users.a), Double(world.users.b)]
    let night = SimulatedNight(FalseAlarms.metrics, readsOnce: false)
    return Study(section: .fewPayers, figures: figures(world), simulations: 10_000) { random, tallies in
      var sums = crowds.map { _ in Spending(users: 0) }
      var called = [false, false, false]
      var small = [false, false, false]
      for _ in 0..<NightlyLooks.nights {
        for index in crowds.indices { sums[index].merge(crowds[index].draw(&random)) }
        let result = try night.analyze(sums.map(\.group), weights: weights)
        for (metric, row) in result.comparisons.map({ $0[0] }).enumerated() {
          called[metric] = called[metric] || result.decided[metric][0].isCalled
          small[metric] = small[metric] || (row.sequentialPValue ?? 1) < 0.05
        }
      }
      for metric in called.indices { tallies[metric].add(called[metric]) }
      for metric in 1...2 { tallies[metric + 2].add(small[metric]) }
    }
  }

  private static func figures(_ world: World) -> [Figure] {
    FalseAlarms.names.map {
      Figure(
        what: "any false `better` or `worse`, \($0), \(world.position)", band: .atMost(0.05),
        note: world.hasWhales ? whales : fiveExpected)
    }
      + FalseAlarms.names.dropFirst().map {
        Figure(what: "beside it: were nothing too early, \($0), \(world.position)", band: .none)
      }
  }
}
