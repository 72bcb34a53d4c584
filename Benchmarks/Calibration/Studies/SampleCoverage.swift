import Foundation
import Simulation
import Statistics

/// Intervals from whole samples: quantiles, survival, bootstrap.
enum SampleCoverage {
  static var studies: [Study] {
    [quantile(0.5, 200), quantile(0.5, 2000), quantile(0.9, 200), quantile(0.9, 2000), quantile(0.99, 2000)]
      + [survival(200), survival(2000)] + [bootstrap(1000), bootstrap(10_000)]
  }

  // MARK: - Quantiles

  private static let ranks =
    "ranks are whole, and the normal range of ranks is rough where few users lie beyond the quantile"
  /// Log-normal payments, to the cent; the true quantiles are exp(3 + z).
  private static func quantile(_ q: Double, _ users: Int) -> Study {
    let lift = 0.1
    let truth = exp(3 + (Normal.quantile(q) ?? .nan))
    let position = "q = \(q), \(users) users a group"
    var metric = FalseAlarms.metrics[1]
    metric.quantile = q
    let night = SimulatedNight([metric])
    return Study(
      section: .samples,
      figures: [
        .coverage("quantile by ranks, \(position)", note: ranks),
        Figure(what: "difference of quantiles, \(position)", band: .atLeast(0.95)),
        Figure(what: "lift of quantiles, \(position)", band: .atLeast(0.95)),
      ], simulations: users > 1000 ? 15_000 : 40_000
    ) { random, tallies in
      let groups = [0, lift].map { lift in
        var group = SimulatedNight.Group(users: users, sums: [SufficientStatistics()])
        var counts: [Int128: Int] = [:]
        for _ in 0..<users {
          let micros = Int128((exp(3 + random.normal()) * (1 + lift) * 100).rounded()) * 10_000
          _ = group.sums[0].add(y: micros)
          counts[micros, default: 0] += 1
        }
        group.values = [counts]
        return group
      }
      let result = try night.analyze(groups)
      let row = result.comparisons[0][0]
      tallies[0].add(result.values[0][0].interval.map { $0.contains(truth) })
      tallies[1].add(row.difference.map { $0.contains(lift * truth) })
      tallies[2].add(row.lift.map { $0.contains(lift) })
    }
  }

  // MARK: - Survival

  /// Subscribers of whom 1 % end a day and 0.5 % are last seen a day.
  private static func survival(_ subscribers: Int) -> Study {
    let days = [7, 30, 90]
    let figures = days.map {
      Figure.coverage(
        "Kaplan–Meier, log-log, day \($0), \(subscribers) subscribers",
        note: "thirteen have ended by then, and with so few the log-log interval errs on the safe side")
    }
    return Study(section: .samples, figures: figures, simulations: 40_000) { random, tallies in
      var rows = (0..<100).map { SurvivalCount(time: $0 + 1, ended: 0, censored: 0) }
      for _ in 0..<subscribers {
        // Days until the end and until last seen, geometric by inversion; ends come before losses of one day.
        let end = Int(log(random.uniform()) / log1p(-0.01))
        let loss = min(99, Int(log(random.uniform()) / log1p(-0.005)))
        if end <= loss { rows[end].ended += 1 } else { rows[loss].censored += 1 }
      }
      let curve = SurvivalCurve(rows)
      for (index, day) in days.enumerated() {
        tallies[index].add(curve?.point(at: day)?.interval.map { $0.contains(pow(0.99, Double(day))) })
      }
    }
  }

  // MARK: - Bootstrap

  private static let resampled =
    "a resample knows of no payer dearer than those it has seen; BCa written anew in NumPy falls as short"

  /// Revenue with a lift of 10 %, 10,000 draws each.
  private static func bootstrap(_ users: Int) -> Study {
    var metric = FalseAlarms.metrics[1]
    metric.isRobust = true
    let night = SimulatedNight([metric])
    let truth = (a: Revenue(share: 0.05), b: Revenue(share: 0.055))
    let crowds = [truth.a.group(of: users), truth.b.group(of: users)]
    let position = "\(users) users a group"
    return Study(
      section: .samples,
      figures: [
        .coverage("bootstrap BCa, difference of revenue, \(position)", note: resampled),
        .coverage("bootstrap BCa, lift of revenue, \(position)", note: resampled),
      ], simulations: 8000
    ) { random, tallies in
      let groups = crowds.map { crowd in
        let spending = crowd.draw(&random)
        var group = SimulatedNight.Group(users: users, sums: [spending.revenue])
        group.values = [spending.values]
        return group
      }
      let row = try night.analyze(groups).comparisons[0][0]
      tallies[0].add(row.bootstrapDifference.map { $0.contains(truth.b.mean - truth.a.mean) })
      tallies[1].add(row.bootstrapLift.map { $0.contains(0.1) })
    }
  }
}
