/// Users who fall into groups as the weights say, looked at every night: how often does a check fail?
enum SampleRatioLooks {
  static var studies: [Study] { [study([1, 1]), study([2, 1, 1])] }

  private static func study(_ weights: [Double]) -> Study {
    let table = AliasTable(weights: weights)
    let night = SimulatedNight([], readsOnce: false)
    let place = "weights \(weights.map { "\(Int($0))" }.joined(separator: " : ")), 400 users a night"
    return Study(
      section: .sampleRatio,
      figures: [
        Figure(what: "`sample_ratio_sequential` fails in 28 nights, \(place)", band: .atMost(0.001)),
        Figure(what: "beside it: `sample_ratio` (χ², for one look, only warns) in 28 nights, \(place)", band: .none),
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
}
