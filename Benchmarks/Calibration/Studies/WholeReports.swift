import Simulation

/// Reports as owners of a paywall set them up, eight primary metrics, where no group differs: is anything ever called?
enum WholeReports {
  static var studies: [Study] {
    [false, true].flatMap { hasWhales in
      [0.05, 0.02].flatMap { share in
        [[300, 300], [900, 100], [1000, 50, 50, 50, 50]].map { study($0, share, hasWhales: hasWhales) }
      }
    }
  }

  private static let note = "the report's own check `whales` says so beside such a call"

  /// - Parameters:
  ///   - users: users who join each group a night.
  ///   - share: how many of them pay.
  private static func study(_ users: [Int], _ share: Double, hasWhales: Bool) -> Study {
    let revenue = Revenue(share: share, hasWhales: hasWhales)
    let paywalls = users.map { Paywall(revenue, users: $0) }
    let night = SimulatedNight(Paywall.metrics, readsOnce: false, adjust: .holm)
    let position = "\(Percent.text(share)) pay, \(Sizes.words(users)) a night\(hasWhales ? ", whales" : "")"
    let called = Figure(
      what: "anything called, eight primary metrics, Holm, \(position)", band: .atMost(0.05),
      note: hasWhales ? note : "")
    let warned = Figure(what: "beside it: of those called, `whales` warned that night, \(position)", band: .none)
    let warnedAtLast = Figure(
      what: "beside it: of the others, `whales` warned after the last night, \(position)", band: .none)
    let figures = hasWhales ? [called, warned, warnedAtLast] : [called]
    return Study(section: .reports, figures: figures, simulations: hasWhales ? 3000 : 2000) { random, tallies in
      var groups = users.map { _ in Paywall.Users() }
      var hasWarned = false
      let isCalled = try NightlyLooks.isEverCalled { _ in
        for group in users.indices { paywalls[group].join(&groups[group], &random) }
        let result = try night.analyze(groups.map(\.group), weights: Sizes.weights(users))
        hasWarned = result.warnedChecks.contains("whales")
        return result
      }
      tallies[0].add(isCalled)
      guard hasWhales else { return }
      if isCalled { tallies[1].add(hasWarned) } else { tallies[2].add(hasWarned) }
    }
  }
}
