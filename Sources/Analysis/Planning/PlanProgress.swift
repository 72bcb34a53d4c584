import Domain
import Jobs
import Measurement

/// How far the plan of an offering's test is by a night.
package struct PlanProgress: Sendable, Hashable {
  package let plan: PlannedTest
  /// Nights from the first assignment to this one, both among them.
  package let nights: Int
  /// Measured users of all groups.
  package let users: Int
  /// The last day of a plan of nights.
  package let lastDay: CivilDate?
  /// Its last night has come.
  package let isComplete: Bool
  /// It is decided at a few looks only, and when the next one is, where a date says so.
  private let isOfLooks: Bool
  private let nextLook: CivilDate?

  /// Nil without a plan, and where nobody is measured.
  init?(_ offering: OfferingMeasurement, job: Job, asOf: Instant) {
    guard let plan = job.plan, let first = offering.measuredFrom else { return nil }
    let calendar = PlanCalendar(plan: plan, first: first, timezone: job.timezone)
    self.plan = plan
    nights = calendar.nights(by: asOf)
    users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    lastDay = calendar.lastDay
    isComplete = calendar.time(by: asOf, users: users) >= 1
    isOfLooks = job.looks != nil
    nextLook = job.looks.flatMap { calendar.nextLook(of: $0, by: asOf) }
  }

  /// Nights until the planned last one; nil of a plan that users end.
  package var nightsLeft: Int? { plan.nights.map { max(0, $0 - nights) } }

  /// Users until a plan of users is complete; nil of a plan that nights end.
  package var usersLeft: Int? { plan.users.map { max(0, $0 - users) } }

  /// `Planned until 28 May 2026, 11 nights to go. …`
  ///
  /// - Parameter detectable: what is found on the planned last night in 8 of 10 cases.
  func sentence(detectable: Double?) -> String? {
    if isComplete {
      if let users = plan.users { return "The plan's \(Phrase.count(users, "user")) have joined." }
      guard let last = plan.nights, nights > last, let lastDay else { return "The plan ends tonight." }
      return "The plan ended on \(Phrase.day(lastDay)). Later nights count only if they are very clear."
    }
    let found = detectable.map { "; then this test finds \(Phrase.spoken($0)) or more in 8 of 10 cases" } ?? ""
    if isOfLooks {
      let next = nextLook.map { ", the next on \(Phrase.day($0))" } ?? ""
      return "\(until) It is decided at its planned looks only\(next)\(found)."
    }
    return "\(until) Only a very clear difference is called before then\(found)."
  }

  private var until: String {
    switch plan.end {
    case .nights:
      let left = Phrase.count(nightsLeft ?? 0, "night")
      return "Planned until \(lastDay.map { Phrase.day($0) } ?? "its last night"), \(left) to go."
    case .users(let all):
      return "Planned until \(Phrase.count(all, "user")) have joined, \(Phrase.count(all - users)) to go."
    }
  }

  /// `Clear enough to stop 9 nights before the plan.`; nil behind its end.
  var early: String? {
    guard !isComplete else { return nil }
    switch plan.end {
    case .nights: return "Clear enough to stop \(Phrase.count(nightsLeft ?? 0, "night")) before the plan."
    case .users(let all): return "Clear enough to stop \(Phrase.count(all - users, "user")) before the plan."
    }
  }
}

/// What a planned end would bring a test that has none.
package struct PlannedAlternative: Sendable, Hashable {
  package let nights: Int
  /// The lift found on the last night in 8 of 10 cases, with the plan and without it.
  package let planned: Double
  package let unplanned: Double

  var sentence: String {
    "No end is planned, so only a very clear difference is called. With `plan: {nights: \(nights)}` this test would find "
      + "\(Phrase.spoken(planned)) instead of \(Phrase.spoken(unplanned))."
  }
}
