import Domain
import Statistics

/// The plan of a test that is known by a few figures alone.
enum PlanFigures {
  /// - Throws: `OfferliftError` 64 for figures that no test can have, saying what to type instead.
  static func plan(_ arguments: PowerArguments) throws -> TestPlan {
    let baseline = try baseline(arguments)
    let lift = try arguments.checkedLift()
    guard lift != nil || arguments.users != nil else {
      throw arguments.usage(
        "Say what to plan for: --lift 0.1 for the users it takes, --users 20000 for what they find.")
    }
    if case .proportion(let share) = baseline, let lift, share * (1 + lift) > 1 {
      throw arguments.usage(
        "A lift of \(Phrase.change(lift)) on \(Phrase.percent(share)) would be more than 100 %; "
          + "type at most --lift \(Phrase.decimal((1 / share - 1) * 0.99, decimals: 3)).")
    }
    let groups = try groups(arguments)
    let rules = try arguments.rules(over: TestPlan.Rules(comparisons: groups - 1), adjust: .holm)
    return TestPlan(baseline: baseline, lift: lift, rules: rules, crowd: try crowd(arguments, groups: groups))
  }

  /// How the sentences call the baseline.
  static func value(_ baseline: Power.Baseline) -> String {
    switch baseline {
    case .proportion(let share): Phrase.percent(share)
    case .mean(let mean, _): Phrase.value(mean, isShare: false, currency: nil)
    }
  }

  private static func baseline(_ arguments: PowerArguments) throws -> Power.Baseline {
    if let share = arguments.baseline {
      guard arguments.mean == nil, arguments.deviation == nil else {
        throw arguments.usage("--baseline is a share. For a mean give --mean and --sd instead.")
      }
      guard share > 0, share < 1 else {
        throw arguments.usage("--baseline \(share) is not a share; type 0.03 for 3 %, or a mean as --mean 4.2 --sd 25.")
      }
      return .proportion(share)
    }
    guard let mean = arguments.mean, let deviation = arguments.deviation else {
      throw arguments.usage("Give a job file, or a share as --baseline 0.03, or a mean as --mean 4.2 --sd 25.")
    }
    guard mean != 0, mean.isFinite else {
      throw arguments.usage("--mean \(mean) has no lift: a lift is a part of the baseline's mean. Type 4.2, say.")
    }
    guard deviation > 0, deviation.isFinite else {
      throw arguments.usage(
        "--sd \(deviation) is no standard deviation; type one above 0: of all users, non-payers as 0.")
    }
    return .mean(mean, standardDeviation: deviation)
  }

  private static func groups(_ arguments: PowerArguments) throws -> Int {
    let groups = arguments.groups ?? 2
    guard (2...1000).contains(groups) else {
      throw arguments.usage("--groups \(groups) is no test; type 2 or more, the baseline among them.")
    }
    return groups
  }

  private static func crowd(_ arguments: PowerArguments, groups: Int) throws -> TestPlan.Crowd {
    var crowd = TestPlan.Crowd()
    crowd.ratio = try arguments.checked(arguments.ratio, "--ratio", "1") { $0 >= 1e-6 && $0 <= 1e6 } ?? 1
    crowd.usersPerBaselineUser = 1 + Double(groups - 1) * crowd.ratio
    crowd.usersPerDay = try arguments.checked(arguments.usersPerDay, "--per-day", "4000") { $0 > 0 }
    if let users = arguments.users {
      let inBaseline = Double(users) / crowd.usersPerBaselineUser
      guard users <= 1_000_000_000_000_000 else {
        throw arguments.usage("--users \(users) is more than anybody has; type those of all groups together.")
      }
      guard inBaseline >= 2, inBaseline * crowd.ratio >= 2 else {
        throw arguments.usage(
          "--users \(users) leaves a group with fewer than 2 users; type those of all groups together.")
      }
      crowd.baselineUsers = inBaseline
    }
    if let window = arguments.window {
      guard let length = JobDuration.milliseconds(window) else {
        throw arguments.usage("--window \"\(window)\" is not a length; type 7d, 24h or 2w.")
      }
      crowd.daysUntilFirst = Double(length) / Double(Instant.millisecondsPerDay)
    }
    return crowd
  }
}
