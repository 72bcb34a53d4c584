import Domain
import Foundation
import Jobs
import Measurement
import Statistics

/// The looks at every comparison of tests whose end is planned: one a night since the first assignment, and tonight's; of
/// those that are decided at a few looks the nights of these.
///
/// They follow from tonight's data alone, as it would have stood at the end of each day: whoever has published no night
/// before, or every one, comes to the same.
struct PlannedNights: Sendable {
  private var offerings: [Identifier: OfferingLooks] = [:]

  /// None: without a plan.
  init() {}

  /// - Throws: as `DailyHistory.forEachNight`.
  init(of measurement: RunMeasurement, metrics decided: DecidedMetrics, job: Job, asOf: Instant) throws {
    guard let plan = job.plan else { return }
    let baselines = BaselineRule(job: job)
    let count = { @Sendable (offering: OfferingMeasurement) in NightUsers(decided.measured(offering), decided.metrics) }
    var nights: [(asOf: Instant, users: [NightUsers])] = []
    try measurement.daily.forEachNight(making: { $0 < asOf ? count($1) : nil }) { night, users in
      if night < asOf { nights.append((night, users.compactMap(\.self))) }
    }
    nights.append((asOf, measurement.offerings.map(count)))
    for offering in measurement.offerings {
      guard let first = offering.measuredFrom, let baseline = baselines.baseline(measuredIn: offering) else { continue }
      let own = nights.compactMap { night in
        night.users.first { $0.offering == offering.id }.map { (asOf: night.asOf, users: $0) }
      }
      let calendar = PlanCalendar(plan: plan, first: first, timezone: job.timezone)
      offerings[offering.id] = OfferingLooks(own, baseline: baseline, calendar: calendar, schedule: job.looks)
    }
  }

  /// Those of one offering at the end of a night.
  func at(_ asOf: Instant, offering: Identifier) -> AtNight {
    guard let looks = offerings[offering] else { return AtNight() }
    return AtNight(looks: looks, nights: looks.nights.count { $0 <= asOf })
  }

  /// The looks of one offering at one night.
  struct AtNight: Sendable {
    fileprivate var looks: OfferingLooks?
    fileprivate var nights = 0

    /// Nil without a plan; between looks one that is none of them.
    func look(of key: CellKey) -> Look? {
      guard let looks, nights > 0 else { return nil }
      let pair = OfferingLooks.Pair(metric: key.metric, group: key.group)
      return looks.byPair[pair].map { Look(number: looks.numbers[nights - 1], of: $0) }
    }
  }
}

/// How much of a plan is over by a night.
package struct PlanCalendar: Sendable {
  package let plan: PlannedTest
  /// The local day of the first assignment.
  private let firstDay: Int64
  private let timezone: TimeZone

  package init(plan: PlannedTest, first: Instant, timezone: TimeZone) {
    (self.plan, self.timezone) = (plan, timezone)
    firstDay = first.day(in: timezone)
  }

  /// Nights from the first one on, that one among them.
  package func nights(by asOf: Instant) -> Int { Int(lastDay(by: asOf) - firstDay + 1) }

  /// The local day of a cut-off's last instant.
  private func lastDay(by asOf: Instant) -> Int64 {
    Instant(milliseconds: asOf.milliseconds - 1).day(in: timezone)
  }

  /// The part of the plan that is over: 1 from its last night on.
  package func time(by asOf: Instant, users: Int) -> Double {
    switch plan.end {
    case .nights(let nights): min(1, max(0, Double(self.nights(by: asOf)) / Double(nights)))
    case .users(let all): min(1, Double(users) / Double(all))
    }
  }

  /// How many of a test's planned looks have come by the end of a night, the plan's end among them.
  func looks(of schedule: LookSchedule, by asOf: Instant, users: Int) -> Int {
    let (time, day) = (time(by: asOf, users: users), lastDay(by: asOf))
    let over = schedule.times.count { look in
      switch look {
      case .share(let share): time >= share
      case .day(let last): day >= last
      }
    }
    return over + (time >= 1 ? 1 : 0)
  }

  /// The day of the first look that has not come by the end of a night; nil of one that users bring, and behind all.
  func nextLook(of schedule: LookSchedule, by asOf: Instant) -> CivilDate? {
    let today = lastDay(by: asOf)
    let days = (schedule.times + [.share(1)]).compactMap { look -> Int64? in
      switch look {
      case .share(let share): plan.nights.map { firstDay + Int64((share * Double($0)).rounded(.up)) - 1 }
      case .day(let day): day
      }
    }
    return days.filter { $0 > today }.min().map { CivilDate(day: $0) }
  }

  /// The last day of a plan of nights.
  package var lastDay: CivilDate? { plan.nights.map { CivilDate(day: firstDay + Int64($0) - 1) } }
}

/// How many users each metric of each group had at the end of a night.
private struct NightUsers: Sendable {
  let offering: Identifier
  /// Measured users of all groups.
  let measured: Int
  let users: [OfferingLooks.Pair: Double]

  init(_ offering: OfferingMeasurement, _ metrics: [MeasuredMetric]) {
    self.offering = offering.id
    measured = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    var users: [OfferingLooks.Pair: Double] = [:]
    for group in offering.groups {
      guard let everybody = group.segments.first(where: { $0.id == CellKey.everybody }) else { continue }
      for (metric, measured) in zip(metrics, everybody.metrics) {
        let pair = OfferingLooks.Pair(metric: Identifier(metric.request.id), group: group.id)
        users[pair] = measured.map { Double($0.statistics.n) }
      }
    }
    self.users = users
  }
}

private final class OfferingLooks: Sendable {
  struct Pair: Hashable {
    let metric: Identifier
    let group: Identifier
  }

  let nights: [Instant]
  /// Which look each night is, from 1; 0 where it is none.
  let numbers: [Int]
  let byPair: [Pair: PlannedLooks]

  init(
    _ nights: [(asOf: Instant, users: NightUsers)], baseline: Identifier, calendar: PlanCalendar,
    schedule: LookSchedule?
  ) {
    self.nights = nights.map(\.asOf)
    let times = nights.map { calendar.time(by: $0.asOf, users: $0.users.measured) }
    // Behind the planned end there are no looks of the plan any more.
    let count = (times.firstIndex(of: 1).map { $0 + 1 }) ?? times.count
    var (numbers, over, last) = ([Int](), 0, 0)
    for (index, night) in nights.enumerated() {
      let come = schedule.map { calendar.looks(of: $0, by: night.asOf, users: night.users.measured) } ?? over + 1
      let isLook = come > over && index < count
      last += isLook ? 1 : 0
      numbers.append(isLook ? last : 0)
      over = come
    }
    self.numbers = numbers
    var byPair: [Pair: PlannedLooks] = [:]
    for pair in nights.last?.users.users.keys.map({ $0 }) ?? [] where pair.group != baseline {
      var information = 0.0
      let points = zip(nights, zip(times, numbers)).prefix(count).compactMap { night, look -> PlannedLooks.Point? in
        let (a, b) = (night.users.users[Pair(metric: pair.metric, group: baseline)] ?? 0, night.users.users[pair] ?? 0)
        // What a difference of means is known by: 1/SE² at one variance a user, whatever sums turn out to be.
        if a > 0, b > 0 { information = max(information, a * b / (a + b)) }
        return look.1 > 0 ? PlannedLooks.Point(time: look.0, information: information) : nil
      }
      byPair[pair] = .shared(points, spending: schedule?.spending ?? .oBrienFleming)
    }
    self.byPair = byPair
  }
}
