import Simulation
import Statistics

/// Groups whose shares are not what they seem: by device, by time, by when a group joined.
enum MovedShares {
  static var studies: [Study] { [byDevice(400), datedRamp(400), undatedRamp(400), lateGroup(400)] }

  private static let metrics = Array(FalseAlarms.metrics[..<2])

  // MARK: - By device

  /// Equal totals that are 2:1 on one device and 1:2 on the other, and a group that is worse on both.
  private static func byDevice(_ users: Int) -> Study {
    let other = [AliasTable.binomial(users / 2, 1.0 / 3), .binomial(users / 2, 2.0 / 3)]
    let shares = [[0.04, 0.12], [0.035, 0.105]]
    let night = SimulatedNight([.init("conversion", .proportion)], readsOnce: false)
    return Study(
      section: .moved,
      figures: [
        Figure(
          what: "a check fails before anything is called: 2 : 1 and 1 : 2 by device, worse on both, "
            + "\(users) users a night",
          band: .atLeast(0.99))
      ], simulations: 3000
    ) { random, tallies in
      var split = [[SufficientStatistics(), .init()], [.init(), .init()]]
      let failed = try isCheckedBeforeCalled { _ in
        for device in other.indices {
          let joined = other[device].draw(&random)
          for (group, count) in [users / 2 - joined, joined].enumerated() {
            let converted = draw(count, shares[group][device], &random)
            _ = split[group][device].merge(.share(converted, of: count))
          }
        }
        return try night.analyze(
          split.map { devices in
            let all = devices.reduce(into: SufficientStatistics()) { _ = $0.merge($1) }
            var group = SimulatedNight.Group(users: Int(all.n), sums: [all])
            group.strata = devices.map { [$0] }
            return group
          })
      }
      tallies[0].add(failed)
    }
  }

  // MARK: - By time

  /// Groups alike on every day, 99:1 for two weeks and 1:1 for two, while fewer of later users pay.
  private static func datedRamp(_ users: Int) -> Study {
    let night = SimulatedNight(metrics, readsOnce: false, adjust: .holm)
    return Study(
      section: .moved,
      figures: [
        Figure(
          what: "anything called: ramp 99 : 1 → 1 : 1 with dated weights, 10 → 7 % pay, \(users) users a night",
          band: .atMost(0.05)),
        Figure(what: "a check fails of it", band: .atMost(0.005)),
      ], simulations: 6000
    ) { random, tallies in
      var phases = [[Spending(users: 0), .init(users: 0)], [.init(users: 0), .init(users: 0)]]
      var hasFailed = false
      let isCalled = try NightlyLooks.isEverCalled { day in
        let phase = Ramp.phase(of: day)
        for (group, joined) in Ramp.users(users, on: day, &random).enumerated() {
          phases[group][phase].merge(joined)
        }
        let result = try night.analyze(phases.map { dated($0, phase) }, phases: Array(Ramp.weights[...phase]))
        hasFailed = hasFailed || !result.failedChecks.isEmpty
        return result
      }
      tallies[0].add(isCalled)
      tallies[1].add(hasFailed)
    }
  }

  private static func dated(_ phases: [Spending], _ last: Int) -> SimulatedNight.Group {
    let all = phases[0...last].reduce(into: Spending(users: 0)) { $0.merge($1) }
    var group = SimulatedNight.Group(users: all.users, sums: [all.conversion, all.revenue])
    group.joinedPhases = phases[0...last].map(\.users)
    group.phases = phases[0...last].map { [$0.conversion, $0.revenue] }
    return group
  }

  /// The same ramp of which the job knows nothing.
  private static func undatedRamp(_ users: Int) -> Study {
    let night = SimulatedNight(metrics, readsOnce: false, adjust: .holm)
    return Study(
      section: .moved,
      figures: [
        Figure(
          what: "`sample_ratio_over_time` fails in 28 nights: the same ramp without dated weights",
          band: .atLeast(0.99)),
        Figure(what: "a check fails before anything is called of it", band: .atLeast(0.99)),
      ], simulations: 2000
    ) { random, tallies in
      var groups = Joining(groups: 2)
      var failed: Set<String> = []
      let isChecked = try isCheckedBeforeCalled { day in
        groups.join(Ramp.users(users, on: day, &random))
        let result = try night.analyze(groups.all)
        failed.formUnion(result.failedChecks)
        return result
      }
      tallies[0].add(failed.contains("sample_ratio_over_time"))
      tallies[1].add(isChecked)
    }
  }

  /// Two groups for four weeks, then three; looked at in the four weeks after.
  private static func lateGroup(_ users: Int) -> Study {
    let night = SimulatedNight(metrics, readsOnce: false, adjust: .holm)
    let crowd = Revenue(share: 0.07).group(of: users / 3)
    let early = Revenue(share: 0.1).group(of: users / 2)
    return Study(
      section: .moved,
      figures: [
        Figure(
          what: "`sample_ratio_over_time` fails in 28 nights: a group that joined four weeks late, "
            + "\(users) users a night",
          band: .atLeast(0.99)),
        Figure(what: "a check fails before anything is called of it", band: .atLeast(0.99)),
      ], simulations: 2000
    ) { random, tallies in
      var groups = Joining(groups: 3)
      for _ in 0..<NightlyLooks.nights {
        groups.join([early.draw(&random), early.draw(&random), Spending(users: 0)])
      }
      var failed: Set<String> = []
      let isChecked = try isCheckedBeforeCalled { _ in
        groups.join((0..<3).map { _ in crowd.draw(&random) })
        let result = try night.analyze(groups.all)
        failed.formUnion(result.failedChecks)
        return result
      }
      tallies[0].add(failed.contains("sample_ratio_over_time"))
      tallies[1].add(isChecked)
    }
  }

  // MARK: - What they share

  /// Whether a check fails on some night, and nothing has been called on any before it; all nights are looked at.
  private static func isCheckedBeforeCalled(
    _ look: (_ night: Int) throws -> SimulatedNight.Result
  ) rethrows -> Bool {
    var isChecked: Bool?
    for night in 0..<NightlyLooks.nights {
      let result = try look(night)
      let first: Bool? = !result.failedChecks.isEmpty ? true : result.isAnythingCalled ? false : nil
      isChecked = isChecked ?? first
    }
    return isChecked ?? false
  }

  private static func draw(_ users: Int, _ share: Double, _ random: inout RandomStream) -> Int {
    users == 0 ? 0 : AliasTable.binomial(users, share).draw(&random)
  }

  /// Two weeks of 99:1, two of 1:1.
  private enum Ramp {
    static let weights = [[99.0, 1.0], [1.0, 1.0]]
    private static let revenues = [Revenue(share: 0.10), Revenue(share: 0.07)]

    static func phase(of day: Int) -> Int { day * 2 / NightlyLooks.nights }

    /// Who joins each group on a day.
    static func users(_ users: Int, on day: Int, _ random: inout RandomStream) -> [Spending] {
      let phase = phase(of: day)
      let other = AliasTable.binomial(users, weights[phase][1] / weights[phase].reduce(0, +)).draw(&random)
      return [users - other, other].map { joined in
        joined == 0 ? Spending(users: 0) : revenues[phase].group(of: joined).draw(&random)
      }
    }
  }

  /// Groups and on which day their users joined.
  private struct Joining {
    private var spending: [Spending]
    private var days: [[Int]]

    init(groups: Int) {
      spending = (0..<groups).map { _ in Spending(users: 0) }
      days = spending.map { _ in [] }
    }

    mutating func join(_ users: [Spending]) {
      for group in users.indices {
        spending[group].merge(users[group])
        days[group].append(users[group].users)
      }
    }

    var all: [SimulatedNight.Group] {
      zip(spending, days).map { spending, days in
        var group = SimulatedNight.Group(users: spending.users, sums: [spending.conversion, spending.revenue])
        group.joined = days
        return group
      }
    }
  }
}
