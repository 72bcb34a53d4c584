import Analysis
import Jobs
import Simulation
import Statistics

/// Tests of groups that do not differ, read every night up to a planned end and for ninety nights behind it.
enum PlannedFalseCalls {
  static var studies: [Study] {
    let nineToOne = [900, 100]
    let many = [1000, 50, 50, 50, 50]
    let revenue = [
      World([178, 178]), World([2857, 2857]), World(nineToOne), World([100, 900]), World([360, 40]), World([60, 60]),
      World([4000, 200, 200, 200, 200]), World([1200, 200, 200, 200, 200]), World([300, 300], hasWhales: true),
      World(nineToOne, hasWhales: true), World([9000, 1000], hasWhales: true),
      World([10_000, 500, 500, 500, 500], hasWhales: true),
      World([300, 300], course: .cutShort), World(nineToOne, course: .cutShort),
      World(nineToOne, course: .runOver), World([4000, 200, 200, 200, 200], course: .runOver),
      World([300, 300], course: .late),
      World(nineToOne, course: .late),
    ].map { study($0, metrics: [FalseAlarms.metrics[1]], simulations: 4000) }
    let reports = [0.05, 0.02].flatMap { share in
      [[300, 300], nineToOne, many].flatMap { users in
        [false, true].map { World(users, share: share, hasWhales: $0) }
      }
    }
    return revenue + reports.map { study($0, metrics: Paywall.metrics, simulations: 2000) }
  }

  private static let nights = PlannedEnds.nights
  private static let later = 90

  private static func study(_ world: World, metrics: [SimulatedNight.Metric], simulations: Int) -> Study {
    let what = metrics.count == 1 ? "revenue per user" : "eight primary metrics, Holm"
    let figures = ["by the end of the plan", "and in \(later) nights behind it"].map {
      Figure(what: "planned: anything called \($0), \(what), \(world.words)", band: .atMost(0.05), note: world.note)
    }
    let night = SimulatedNight(metrics, adjust: .holm, plan: world.plan)
    let draw = metrics.count == 1 ? world.revenue() : world.paywall()
    return Study(section: .plannedFalseCalls, figures: figures, simulations: simulations) { random, tallies in
      let result = try night.analyze(nights: draw(&random), weights: Sizes.weights(world.users))
      let called = result.decided.joined().filter(\.isCalled)
      tallies[0].add(called.contains { ($0.shownOn ?? 0) <= world.end })
      tallies[1].add(result.isAnythingCalled)
    }
  }

  /// How users come, against what was planned.
  private enum Course {
    /// As many every night.
    case even
    /// Nobody after two weeks of four.
    case cutShort
    /// The plan names users, of whom seven in ten come every night.
    case runOver
    /// A fifth of them a night for three weeks, all others in the last.
    case late
  }

  private struct World {
    /// Users who join each group a night by the plan.
    let users: [Int]
    let share: Double
    let hasWhales: Bool
    let course: Course

    init(_ users: [Int], share: Double = 0.05, hasWhales: Bool = false, course: Course = .even) {
      (self.users, self.share, self.hasWhales, self.course) = (users, share, hasWhales, course)
    }

    var words: String {
      let come =
        switch course {
        case .even: ""
        case .cutShort: ", none after night 14"
        case .runOver: ", seven in ten of them come"
        case .late: ", a fifth of them for three weeks"
        }
      return "\(Percent.text(share)) pay, \(Sizes.words(users)) a night\(hasWhales ? ", whales" : "")\(come)"
    }

    var note: String {
      hasWhales
        ? "effective events tell how uneven payments are, and not how rare giants; a metric with a `cap:` has none" : ""
    }

    var plan: PlannedTest {
      PlannedTest(course == .runOver ? .users(users.reduce(0, +) * nights) : .nights(nights))
    }

    /// The plan's last night.
    var end: Int { course == .runOver ? nights * 10 / 7 : nights }

    private var count: Int { end + later }

    /// What part of the planned users of a night joins on it.
    private func part(_ night: Int) -> Double {
      switch course {
      case .even: 1
      case .cutShort: night < nights / 2 ? 1 : 0
      case .runOver: 0.7
      case .late: night < 21 ? 0.2 : 3.4
      }
    }

    private var parts: [Double] { Set((0..<count).map(part)).sorted() }

    /// Draws what money per user has come to by each night.
    func revenue() -> @Sendable (inout RandomStream) -> [[SimulatedNight.Group]] {
      let revenue = Revenue(share: share, hasWhales: hasWhales)
      let crowds = crowds { $0 == 0 ? nil : revenue.group(of: $0) }
      return { random in
        Nights.draw(
          count, users.map { _ in Spending(users: 0) }, group: { .init(users: $0.users, sums: [$0.revenue]) }
        ) { sums, group, night in
          if let crowd = crowds[part(night)]?[group] { sums.merge(crowd.draw(&random)) }
        }
      }
    }

    /// Draws what eight metrics have come to by each night.
    func paywall() -> @Sendable (inout RandomStream) -> [[SimulatedNight.Group]] {
      let revenue = Revenue(share: share, hasWhales: hasWhales)
      let paywalls = crowds { $0 == 0 ? nil : Paywall(revenue, users: $0) }
      return { random in
        Nights.draw(count, users.map { _ in Paywall.Users() }, group: \.group) { joined, group, night in
          paywalls[part(night)]?[group]?.join(&joined, &random)
        }
      }
    }

    private func crowds<Crowd>(_ make: (Int) -> Crowd?) -> [Double: [Crowd?]] {
      Dictionary(
        uniqueKeysWithValues: parts.map { part in
          (part, users.map { make(Int((Double($0) * part).rounded())) })
        })
    }
  }
}
