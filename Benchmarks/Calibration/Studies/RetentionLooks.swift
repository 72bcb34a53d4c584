import Measurement
import Simulation
import Statistics

/// Subscribers of groups that do not differ, counted every night as far as their weeks have come.
enum RetentionLooks {
  static var studies: [Study] {
    [
      study([900, 100], .renewals(1), "past the first renewal"), study([900, 100], .day(14), "for 14 days"),
      study([300, 300], .renewals(1), "past the first renewal"),
    ]
  }

  /// Of those who subscribe, how many pay for one week, two, three, four, and for more than is watched.
  private static let weeks = AliasTable(weights: [0.4, 0.12, 0.096, 0.0768, 0.3072], offset: 1)
  private static let share = 0.1

  private static func study(_ users: [Int], _ reading: SurvivalReading, _ words: String) -> Study {
    var retention = SimulatedNight.Metric("retention", .mean)
    (retention.reading, retention.perUser) = (reading, .proportion)
    let night = SimulatedNight([retention], readsOnce: false)
    let tables = users.map { AliasTable.binomial($0, share) }
    return Study(
      section: .reports,
      figures: [
        Figure(
          what: "anything called, users who subscribe and stay \(words), \(Sizes.words(users)) a night",
          band: .atMost(0.05)),
        Figure(what: "beside it: any sequential p < 5 % of the curves themselves", band: .none),
      ], simulations: 5000
    ) { random, tallies in
      var cohorts = users.map { _ in [[Int: Int]]() }
      var (isCalled, isApart) = (false, false)
      for day in 1...NightlyLooks.nights {
        for group in users.indices {
          var paid: [Int: Int] = [:]
          for _ in 0..<tables[group].draw(&random) { paid[weeks.draw(&random), default: 0] += 1 }
          cohorts[group].append(paid)
        }
        let groups = users.indices.map { group(cohorts[$0], users: users[$0] * day) }
        let result = try night.analyze(groups, weights: Sizes.weights(users))
        isCalled = isCalled || result.isAnythingCalled
        isApart = isApart || (result.comparisons[0].first?.sequentialPValue ?? 1) < 0.05
      }
      tallies[0].add(isCalled)
      tallies[1].add(isApart)
    }
  }

  /// - Parameter cohorts: by day of joining, how many pay for how many weeks; the last joined a day ago.
  private static func group(_ cohorts: [[Int: Int]], users: Int) -> SimulatedNight.Group {
    var courses: [Survival: Int] = [:]
    for (day, paid) in cohorts.enumerated() {
      let age = cohorts.count - day
      for (weeks, count) in paid {
        let isOver = age >= 7 * weeks
        let course = Survival(
          days: Int64(isOver ? 7 * weeks : age), isEnded: isOver, renewals: Int64(min(weeks - 1, age / 7)),
          isRenewalMissed: isOver)
        courses[course, default: 0] += count
      }
    }
    var sums = SufficientStatistics()
    for (course, count) in courses {
      let value = ValueCount(course, users: count)
      _ = sums.add(y: value.y, x: value.x, count: Int128(value.users))
    }
    _ = sums.add(y: 0, x: 0, count: Int128(users) - sums.n)
    var group = SimulatedNight.Group(users: users, sums: [sums])
    group.courses = [courses]
    return group
  }
}
