import Jobs
import Statistics

/// How long a test of one metric has to run: the users and nights until a lift is found, and the lift that would
/// be found today.
///
/// A comparison of the baseline with one other group is planned, each at its share of α; variances are the
/// baseline's (a share's moves with its lift), as the formulas of `Statistics.Power` have it.
struct TestPlan: Sendable {
  /// What is known of the baseline, for one user.
  var baseline: Power.Baseline
  /// The lift to find, below 0 for one that goes down; nil asks for the detectable lift alone.
  var lift: Double?
  var rules = Rules()
  var crowd = Crowd()

  /// How it will be decided.
  struct Rules: Sendable {
    var alpha = 0.05
    /// The probability to find the lift if it is there.
    var power = 0.8
    /// The ways to decide it that there are.
    var rules = DecisionCatalog.product
    /// The one of them that decides.
    var rule: any DecisionRule = DecisionCatalog.product.usual
    var parameters = DecisionParameters()
    /// Comparisons that share α.
    var comparisons = 1

    /// The α each comparison gets: that of Holm's strictest step, which is Bonferroni's. Never too little.
    var sharedAlpha: Double { alpha / Double(comparisons) }
  }

  /// Who there is, and who comes.
  struct Crowd: Sendable {
    /// Users of the baseline whose window has ended; nil where nobody asked about today.
    var baselineUsers: Double?
    /// n_B/n_A of the smallest other group.
    var ratio = 1.0
    /// Users of all groups together for each one of the baseline.
    var usersPerBaselineUser = 2.0
    /// Users of all groups who join a day; nil where it is not known.
    var usersPerDay: Double?
    /// Days until the first window that has not ended yet ends.
    var daysUntilFirst = 0.0
    /// Users of all groups who may still be counted before enrolment ends; nil if it does not.
    var usersToCome: Double?
  }

  /// What one way to decide comes to.
  struct Outcome: Sendable {
    var rule: any DecisionRule
    /// Users of the baseline that are needed; nil without a lift, or beyond all numbers of users.
    var baselineUsers: Int?
    /// Users of all groups that are needed.
    var allUsers: Int?
    var wait: Wait?
    /// The probability that the last look, with all users that are needed, finds the lift.
    var powerAtLastLook: Double?
    /// How many looks there are until then.
    var looks = 1
    /// The probability that any of them finds it; nil by a rule that holds at one look.
    var powerAtAnyLook: Double?
    /// The lift found with the power asked for by today's users, up or down.
    var detectableLift: Double?
  }

  /// How long until there are enough users.
  enum Wait: Sendable, Hashable {
    /// So many nights more; 0 if there are enough.
    case nights(Int)
    /// Enrolment ends before.
    case enrolmentEndsBefore
  }
}

extension TestPlan {
  /// The way the test is decided, then the others.
  var outcomes: [Outcome] {
    let others = rules.rules.all.filter { $0.name != rules.rule.name && $0.isOffered(rules.parameters) }
    return ([rules.rule] + others).map { rule in
      var outcome = outcome(rule)
      if let needed = outcome.baselineUsers {
        outcome.looks = rule.looks(nights: nights(users: outcome.allUsers), rules.parameters)
        outcome.powerAtAnyLook = power(rule).powerAtAnyLook(
          baseline: baseline, lift: lift ?? 0, users: Double(needed), looks: outcome.looks)
      }
      return outcome
    }
  }

  /// What deciding in this way takes, without the looks before the last one, which take long to work out.
  func outcome(_ rule: any DecisionRule) -> Outcome {
    let plan = power(rule)
    var outcome = Outcome(rule: rule)
    outcome.detectableLift = crowd.baselineUsers.flatMap { plan.detectableLift(baseline: baseline, users: $0) }
    if let needed = lift.flatMap({ plan.users(baseline: baseline, lift: $0) }) {
      outcome.baselineUsers = needed
      outcome.allUsers = Int(exactly: (Double(needed) * crowd.usersPerBaselineUser).rounded(.up))
      outcome.wait = wait(needed: Double(needed))
      outcome.powerAtLastLook = plan.power(baseline: baseline, lift: lift ?? 0, users: Double(needed))
    }
    return outcome
  }

  /// What the planned last night finds with the power asked for; nil where nobody knows how many users there will be.
  func detectableLift(atEndOf progress: PlanProgress) -> Double? {
    switch progress.plan.end {
    case .nights: users(in: progress.nightsLeft ?? 0).flatMap { detectableLift(rules.rule, users: $0) }
    case .users(let all):
      detectableLift(rules.rule, users: max(crowd.baselineUsers ?? 0, Double(all) / crowd.usersPerBaselineUser))
    }
  }

  /// What a plan of four weeks would find, and what is found by then without one; nil where they are over.
  func alternative(nightsSoFar: Int) -> PlannedAlternative? {
    let nights = Planned.usualNights
    guard nightsSoFar < nights, let planned = try? rules.rules.rule(named: DecisionVocabulary.planned),
      let users = users(in: nights - nightsSoFar), let lift = detectableLift(planned, users: users),
      let without = detectableLift(rules.rule, users: users), lift < without
    else { return nil }
    return PlannedAlternative(nights: nights, planned: lift, unplanned: without)
  }

  /// How many of 100 tests with as many users as there are would find the lift at any of so many nightly looks.
  func foundOf100(_ rule: any DecisionRule, nights: Int) -> Int? {
    guard let lift, let users = crowd.baselineUsers else { return nil }
    return power(rule).powerAtAnyLook(baseline: baseline, lift: lift, users: users, looks: nights).map {
      Int((100 * $0).rounded())
    }
  }

  private func detectableLift(_ rule: any DecisionRule, users: Double) -> Double? {
    power(rule).detectableLift(baseline: baseline, users: users)
  }

  /// Users of the baseline so many nights from now, at the rate at which users join.
  private func users(in nights: Int) -> Double? {
    guard let now = crowd.baselineUsers, let perDay = crowd.usersPerDay else { return nil }
    let days = max(0, Double(nights) - crowd.daysUntilFirst)
    let more = min(days * perDay, crowd.usersToCome ?? .infinity)
    return now + more / crowd.usersPerBaselineUser
  }

  /// The baseline's value.
  var baselineValue: Double {
    switch baseline {
    case .proportion(let share): share
    case .mean(let mean, _): mean
    }
  }

  /// Users of all groups whose window has ended; nil where nobody asked about today.
  var usersNow: Int? {
    crowd.baselineUsers.flatMap { Int(exactly: ($0 * crowd.usersPerBaselineUser).rounded()) }
  }

  /// Nights until there are so many users: one for each day's users, four weeks where nobody knows how many
  /// come. More than a year of looks finds hardly more than a year's.
  private func nights(users: Int?) -> Int {
    guard let users, let perDay = crowd.usersPerDay, perDay > 0 else { return Self.usualLooks }
    return Int(min(Double(Self.mostLooks), max(1, (Double(users) / perDay).rounded(.up))))
  }

  static let mostLooks = 365
  private static let usualLooks = 28

  private func power(_ rule: any DecisionRule) -> Power {
    rule.plan(alpha: rules.sharedAlpha, power: rules.power, ratio: crowd.ratio, rules.parameters)
  }

  /// Users whose windows end come at the rate at which users joined, a window earlier.
  private func wait(needed: Double) -> Wait? {
    let missing = (needed - (crowd.baselineUsers ?? 0)) * crowd.usersPerBaselineUser
    guard missing > 0 else { return .nights(0) }
    if let left = crowd.usersToCome, left < missing { return .enrolmentEndsBefore }
    guard let perDay = crowd.usersPerDay, perDay > 0 else { return nil }
    return Int(exactly: (crowd.daysUntilFirst + missing / perDay).rounded(.up)).map(Wait.nights)
  }
}
