import Simulation
import Statistics

/// Groups that differ in whom a ratio is of, and in nothing that counts.
enum Denominators {
  static var studies: [Study] { [curiousTrials(300), halvedPrices(300)] }

  private static let beside = "beside it: any sequential p < 5 % of the ratio itself"

  /// The other group wins twice the trials; who comes on top never pays.
  private static func curiousTrials(_ users: Int) -> Study {
    let payers = AliasTable.binomial(users, 0.03)
    let triers = [AliasTable.binomial(users, 0.07), .binomial(users, 0.17)]
    var ratio = SimulatedNight.Metric("trial to paid", .ratio)
    ratio.perUser = .proportion
    let night = SimulatedNight([.init("payers", .proportion), ratio], readsOnce: false, adjust: .holm)
    return study("payers and trial to paid, 10 and 20 % begin a trial, 3 % pay", night, users) { group, random in
      let paying = payers.draw(&random)
      let trying = min(users - paying, triers[group].draw(&random))
      var sums = SufficientStatistics()
      _ = sums.add(y: 1, x: 1, count: Int128(paying))
      _ = sums.add(y: 0, x: 1, count: Int128(trying))
      _ = sums.add(y: 0, x: 0, count: Int128(users - paying - trying))
      return [.share(paying, of: users), sums]
    }
  }

  /// Twice as many of the other group pay half as much.
  private static func halvedPrices(_ users: Int) -> Study {
    let revenues = [Revenue(share: 0.05), Revenue(share: 0.1)]
    let payers = revenues.map { AliasTable.binomial(users, $0.share) }
    let night = SimulatedNight([FalseAlarms.metrics[2]], readsOnce: false, adjust: .holm)
    return study("revenue per payer, 5 % pay and 10 % pay half as much", night, users) { group, random in
      let paying = payers[group].draw(&random)
      var sums = SufficientStatistics()
      for _ in 0..<paying {
        _ = sums.add(y: revenues[group].payment(&random) / (group == 0 ? 1 : 2), x: 1)
      }
      _ = sums.add(y: 0, x: 0, count: Int128(users - paying))
      return [sums]
    }
  }

  /// - Parameter join: the sums of a night's users of a group, the ratio last.
  private static func study(
    _ what: String, _ night: SimulatedNight, _ users: Int,
    join: @escaping @Sendable (_ group: Int, _ random: inout RandomStream) -> [SufficientStatistics]
  ) -> Study {
    let position = "\(what), \(Sizes.words([users, users])) a night"
    return Study(
      section: .denominators,
      figures: [
        Figure(what: "anything called, \(position)", band: .atMost(0.05)),
        Figure(what: "\(beside), \(position)", band: .none),
      ], simulations: 10_000
    ) { random, tallies in
      var sums: [[SufficientStatistics]] = [[], []]
      var (isCalled, isApart) = (false, false)
      for _ in 0..<NightlyLooks.nights {
        for group in sums.indices {
          let joined = join(group, &random)
          if sums[group].isEmpty { sums[group] = joined.map { _ in SufficientStatistics() } }
          for metric in joined.indices { _ = sums[group][metric].merge(joined[metric]) }
        }
        let result = try night.analyze(sums.map { SimulatedNight.Group(users: Int($0[0].n), sums: $0) })
        isCalled = isCalled || result.isAnythingCalled
        isApart = isApart || (result.comparisons.last?.first?.sequentialPValue ?? 1) < 0.05
      }
      tallies[0].add(isCalled)
      tallies[1].add(isApart)
    }
  }
}
