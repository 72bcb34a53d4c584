import Analysis
import Domain

/// How long until a metric that makes the verdict shows a lift, by the way the job decides.
struct Plan {
  let metric: StoryMetric
  /// The lift to find, 0.1 for 10 %, below 0 where less is better; nil where nothing can be planned.
  let lift: Double?
  /// Users of all groups whose window has ended.
  let usersNow: Int?
  /// Users of all groups that it takes to find the lift; nil too where no number does.
  let usersNeeded: Int?
  /// Nights until they are there; 0 if they are.
  let nightsMore: Int?
  /// Enrolment ends before so many users have come.
  let endsBefore: Bool
  /// The lift, up or down, that today's users would show with 80 % power.
  let detectableLift: Double?
  /// Measured users of all groups who come a day.
  let usersPerDay: Double?
  /// The job has a plan.
  let isPlanned: Bool
}

extension Plan {
  /// By metric, primary ones first.
  static func all(in source: OfferingSource) -> [Plan] {
    source.ownRows(of: PlansTable()).map { row in
      Plan(
        metric: source.metric(row.metric), lift: row.lift, usersNow: row.usersNow, usersNeeded: row.usersNeeded,
        nightsMore: row.nightsMore, endsBefore: row.enrolmentEndsBefore ?? false, detectableLift: row.detectableLift,
        usersPerDay: row.usersPerDay, isPlanned: !row.plan.isEmpty)
    }
    .sorted { $0.metric < $1.metric }
  }
}
