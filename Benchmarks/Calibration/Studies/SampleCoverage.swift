import Foundation
import Pipeline
import Statistics

/// Intervals from whole samples: quantiles, survival, bootstrap.
enum SampleCoverage {
  static var studies: [Study] {
    [quantile(0.5, 200), quantile(0.5, 2000), quantile(0.9, 200), quantile(0.9, 2000), quantile(0.99, 2000)]
      + [survival(200), survival(2000)] + [bootstrap(1000, 4000), bootstrap(5000, 4000), bootstrap(20_000, 4000)]
  }

  // MARK: - Quantiles

  /// Log-normal payments, to the cent; the true quantiles are exp(3 + z).
  private static func quantile(_ q: Double, _ users: Int) -> Study {
    let lift = 0.1
    let truth = exp(3 + (Normal.quantile(q) ?? .nan))
    let place = "q = \(q), \(users) users a group"
    return Study(
      section: .samples,
      figures: [
        .coverage("quantile by ranks, \(place)"), .coverage("difference of quantiles, \(place)"),
        .coverage("lift of quantiles (Fieller), \(place)"),
      ], simulations: users > 1000 ? 20_000 : 40_000
    ) { random, tallies in
      let samples = [0, lift].map { lift in
        let values = (0..<users).map { _ in
          let cents = (exp(3 + random.normal()) * (1 + lift) * 100).rounded()
          return (key: Int128(cents), value: 1)
        }
        return ValueCounts(values, unit: 100).flatMap { SampleQuantile($0, q: q) }
      }
      tallies[0].add(samples[0]?.interval.map { $0.contains(truth) })
      guard let a = samples[0]?.frame, let b = samples[1]?.frame else { return }
      let comparison = Comparison(baseline: a, other: b)
      tallies[1].add(comparison.absInterval.map { $0.contains(lift * truth) })
      tallies[2].add(comparison.relInterval.map { $0.contains(lift) })
    }
  }

  // MARK: - Survival

  /// Subscribers of whom 1 % end a day and 0.5 % are last seen a day.
  private static func survival(_ subscribers: Int) -> Study {
    let days = [7, 30, 90]
    let figures = days.map { Figure.coverage("Kaplan–Meier, log-log, day \($0), \(subscribers) subscribers") }
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

  /// Revenue with a lift of 10 %, 10,000 draws each.
  private static func bootstrap(_ users: Int, _ simulations: Int) -> Study {
    let truth = (a: Revenue(share: 0.05), b: Revenue(share: 0.055))
    let crowds = [truth.a.group(of: users), truth.b.group(of: users)]
    let place = "\(users) users a group"
    return Study(
      section: .samples,
      figures: [
        .coverage("bootstrap BCa, difference of revenue, \(place)"),
        .coverage("bootstrap BCa, lift of revenue, \(place)"),
      ], simulations: simulations
    ) { random, tallies in
      let samples = crowds.compactMap { ValueCounts($0.draw(&random).values.map(\.self), unit: 1_000_000) }
      let bootstrap = Bootstrap(baseline: samples[0], other: samples[1], seed: random.next())
      tallies[0].add(bootstrap?.absInterval.map { $0.contains(truth.b.mean - truth.a.mean) })
      tallies[1].add(bootstrap?.relInterval.map { $0.contains(0.1) })
    }
  }
}
