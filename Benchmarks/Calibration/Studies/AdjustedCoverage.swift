import Simulation
import Statistics

/// Intervals of adjusted means: by a covariate, by strata.
enum AdjustedCoverage {
  static var studies: [Study] { [cuped(1000), cuped(5000), cuped(20_000), strata(2000), strata(10_000)] }

  // MARK: - CUPED

  /// Users by what they paid before and after, in micros; what came before foretells what comes after.
  private struct Joint {
    private(set) var cells: [(c: Int128, y: Int128, weight: Double)] = []

    /// - Parameter lift: how many more of those who had not paid before pay.
    init(lift: Double) {
      for (c, weight, share) in [(Int128(0), 0.8, 0.06 * (1 + lift)), (7_990_000, 0.12, 0.45), (49_990_000, 0.08, 0.7)]
      {
        cells.append((c, 0, weight * (1 - share)))
        // Who paid much pays much.
        let prices: [(Int128, Double)] =
          c < 20_000_000
          ? [(7_990_000, 0.6), (15_980_000, 0.3), (49_990_000, 0.1)] : [(7_990_000, 0.1), (49_990_000, 0.9)]
        for (y, part) in prices { cells.append((c, y, weight * share * part)) }
      }
    }

    var mean: Double { cells.reduce(0) { $0 + $1.weight * Double($1.y) / 1e6 } }
    var payers: Double { cells.reduce(0) { $0 + ($1.y > 0 ? $1.weight : 0) } }
  }

  private static func cuped(_ users: Int) -> Study {
    let joints = [Joint(lift: 0), Joint(lift: 0.2)]
    let tables = joints.map { AliasTable(weights: $0.cells.map(\.weight)) }
    var (mean, ratio) = (FalseAlarms.metrics[1], FalseAlarms.metrics[2])
    (mean.hasCovariate, ratio.hasCovariate) = (true, true)
    mean.name = "adjusted revenue"
    let night = SimulatedNight([mean, ratio, FalseAlarms.metrics[1]])
    let position = "\(users) users a group"
    let truth = joints.map { ($0.mean, $0.mean / $0.payers) }
    return Study(
      section: .adjusted,
      figures: [
        .coverage("CUPED, difference of revenue, \(position)"),
        .coverage("CUPED, lift of revenue (Fieller), \(position)"),
        .coverage("CUPED, difference of revenue per payer, \(position)", note: "few payers"),
        Figure(what: "CUPED narrower than the plain interval, \(position)", band: .atLeast(0.99)),
      ], simulations: 30_000
    ) { random, tallies in
      let groups = zip(joints, tables).map { joint, table in
        var counts = [Int](repeating: 0, count: joint.cells.count)
        for _ in 0..<users { counts[table.draw(&random)] += 1 }
        return group(joint, counts, users)
      }
      let rows = try night.analyze(groups).comparisons.map { $0[0] }
      tallies[0].add(rows[0].difference.map { $0.contains(truth[1].0 - truth[0].0) })
      tallies[1].add(rows[0].lift.map { $0.contains(truth[1].0 / truth[0].0 - 1) })
      tallies[2].add(rows[1].difference.map { $0.contains(truth[1].1 - truth[0].1) })
      tallies[3].add(rows[0].difference.flatMap { own in rows[2].difference.map { own.width < $0.width } })
    }
  }

  private static func group(_ joint: Joint, _ counts: [Int], _ users: Int) -> SimulatedNight.Group {
    var (mean, ratio, plain) = (SufficientStatistics(), SufficientStatistics(), SufficientStatistics())
    for (cell, count) in zip(joint.cells, counts) {
      _ = mean.add(y: cell.y, c: cell.c, count: Int128(count))
      _ = ratio.add(y: cell.y, x: cell.y > 0 ? 1 : 0, c: cell.c, count: Int128(count))
      _ = plain.add(y: cell.y, count: Int128(count))
    }
    return SimulatedNight.Group(users: users, sums: [mean, ratio, plain])
  }

  // MARK: - Strata

  /// Three countries that convert differently, each by two points more in group B.
  private static func strata(_ users: Int) -> Study {
    let shares = [0.02, 0.10, 0.30]
    let sizes = AliasTable(weights: [0.5, 0.3, 0.2])
    let position = "\(users) users a group"
    var stratified = FalseAlarms.metrics[0]
    (stratified.name, stratified.isStratified) = ("stratified", true)
    let night = SimulatedNight([stratified, FalseAlarms.metrics[0]])
    let truth = [0.0, 0.02].map { lift in zip([0.5, 0.3, 0.2], shares).reduce(0) { $0 + $1.0 * ($1.1 + lift) } }
    return Study(
      section: .adjusted,
      figures: [
        .coverage("post-stratified, difference of conversion, \(position)"),
        Figure(what: "post-stratified narrower than the plain interval, \(position)", band: .atLeast(0.99)),
      ], simulations: 30_000
    ) { random, tallies in
      let groups = [0.0, 0.02].map { lift in
        var sums = shares.map { _ in SufficientStatistics() }
        for _ in 0..<users {
          let stratum = sizes.draw(&random)
          _ = sums[stratum].add(y: random.uniform() < shares[stratum] + lift ? 1 : 0)
        }
        let all = sums.reduce(into: SufficientStatistics()) { _ = $0.merge($1) }
        var group = SimulatedNight.Group(users: users, sums: [all, all])
        group.strata = sums.map { [$0, $0] }
        return group
      }
      let rows = try night.analyze(groups).comparisons.map { $0[0] }
      tallies[0].add(rows[0].difference.map { $0.contains(truth[1] - truth[0]) })
      tallies[1].add(rows[0].difference.flatMap { own in rows[1].difference.map { own.width < $0.width } })
    }
  }
}

extension Interval {
  var width: Double { high - low }
}
