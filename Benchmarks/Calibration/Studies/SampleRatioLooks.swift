import Statistics

/// Users who fall into groups as the weights say, looked at every night: how often does a check fail?
enum SampleRatioLooks {
  static var studies: [Study] {
    [study([1, 1]), study([2, 1, 1])]
      + [([1, 1], 12), ([9, 1], 60), ([20, 1, 1, 1, 1], 400)].map { overTime($0.0, users: $0.1) }
      + [segments([1, 1]), segments([9, 1])] + [rampByDay]
  }

  private static func study(_ weights: [Double]) -> Study {
    let table = AliasTable(weights: weights)
    let night = SimulatedNight([], readsOnce: false)
    let position = "\(words(weights)), 400 users a night"
    return Study(
      section: .sampleRatio,
      figures: [
        Figure(what: "`sample_ratio_sequential` fails in 28 nights, \(position)", band: .atMost(0.001)),
        Figure(what: "beside it: `sample_ratio` (χ², for one look, only warns) in 28 nights, \(position)", band: .none),
      ], simulations: 60_000
    ) { random, tallies in
      var users = weights.map { _ in 0 }
      var (failed, suspicious): (Set<String>, Set<String>) = ([], [])
      for _ in 0..<NightlyLooks.nights {
        for _ in 0..<400 { users[table.draw(&random)] += 1 }
        let groups = users.map { SimulatedNight.Group(users: $0, sums: []) }
        let result = try night.analyze(groups, weights: weights)
        failed.formUnion(result.failedChecks)
        suspicious.formUnion(result.suspiciousChecks)
      }
      tallies[0].add(failed.contains("sample_ratio_sequential"))
      tallies[1].add(suspicious.contains("sample_ratio"))
    }
  }

  /// Shares that never change, which no weights need tell.
  private static func overTime(_ weights: [Double], users: Int) -> Study {
    let table = AliasTable(weights: weights)
    let night = SimulatedNight([], readsOnce: false)
    return Study(
      section: .sampleRatio,
      figures: [
        Figure(
          what: "`sample_ratio_over_time` fails in 28 nights, \(words(weights)), \(users) users a night",
          band: .atMost(0.001))
      ], simulations: 20_000
    ) { random, tallies in
      var groups = weights.map { _ in SimulatedNight.Group(users: 0, sums: []) }
      var failed: Set<String> = []
      for _ in 0..<NightlyLooks.nights {
        var joined = weights.map { _ in 0 }
        for _ in 0..<users { joined[table.draw(&random)] += 1 }
        for group in groups.indices {
          groups[group].users += joined[group]
          groups[group].joined.append(joined[group])
        }
        failed.formUnion(try night.analyze(groups, weights: weights).failedChecks)
      }
      tallies[0].add(failed.contains("sample_ratio_over_time"))
    }
  }

  /// Twenty segments of equal size, each in the groups as the weights say.
  private static func segments(_ weights: [Double]) -> Study {
    let (count, users) = (20, 400)
    let table = AliasTable(weights: weights)
    let night = SimulatedNight([SimulatedNight.Metric("trials", .proportion)], readsOnce: false)
    return Study(
      section: .sampleRatio,
      figures: [
        Figure(
          what: "`sample_ratio_sequential` fails of \(count) segments or everybody in 28 nights, \(words(weights)), "
            + "\(users) users a night",
          band: .atMost(0.002))
      ], simulations: 6_000
    ) { random, tallies in
      var split = weights.map { _ in [Int](repeating: 0, count: count) }
      var failed: Set<String> = []
      for _ in 0..<NightlyLooks.nights {
        for user in 0..<users { split[table.draw(&random)][user % count] += 1 }
        let groups = split.map { own in
          var group = SimulatedNight.Group(users: own.reduce(0, +), sums: [.share(0, of: own.reduce(0, +))])
          group.strata = own.map { [.share(0, of: $0)] }
          return group
        }
        failed.formUnion(try night.analyze(groups, weights: weights).failedChecks)
      }
      tallies[0].add(failed.contains("sample_ratio_sequential"))
    }
  }

  /// Groups alike on every day, whose shares go from 99:1 to 1:1 while conversion falls from 10 to 7 %.
  private static var rampByDay: Study {
    var metric = SimulatedNight.Metric("conversion", .proportion)
    metric.isByDay = true
    let night = SimulatedNight([metric], readsOnce: false)
    let users = 400
    let halves = [(AliasTable.binomial(users, 0.01), 0.10), (AliasTable.binomial(users, 0.5), 0.07)]
    return Study(
      section: .nights,
      figures: [
        Figure(
          what: "called in 28 nights, conversion compared day by day, ramp 99:1 → 1:1 and 10 → 7 %, \(users) users a "
            + "night",
          band: .atMost(0.05))
      ], simulations: 6_000
    ) { random, tallies in
      var groups = (0..<2).map { _ in SimulatedNight.Group(users: 0, sums: [.share(0, of: 0)]) }
      var isCalled = false
      for day in 0..<NightlyLooks.nights {
        let half = halves[day * 2 / NightlyLooks.nights]
        let other = half.0.draw(&random)
        for (position, joined) in [users - other, other].enumerated() {
          let converted = joined == 0 ? 0 : AliasTable.binomial(joined, half.1).draw(&random)
          let own = SufficientStatistics.share(converted, of: joined)
          groups[position].users += joined
          groups[position].joined.append(joined)
          groups[position].days.append([own])
          _ = groups[position].sums[0].merge(own)
        }
        let result = try night.analyze(groups)
        isCalled = isCalled || result.comparisons[0].contains(where: \.isCalled)
      }
      tallies[0].add(isCalled)
    }
  }

  private static func words(_ weights: [Double]) -> String {
    "weights \(weights.map { "\(Int($0))" }.joined(separator: " : "))"
  }
}
