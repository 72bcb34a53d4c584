import Analysis

/// `plans.csv`: how long until the metrics that make an offering's verdict show a lift, by the way the job decides.
///
/// A comparison is planned at its share of α, as `offerlift power` plans it.
struct PlansTable: ResultTable {
  typealias Record = PlanRow
  let name = "plans"
  let meaning = "How long until the verdict's metrics show a lift; empty is what is not known or cannot be planned."
  let records = Records<Record>.held(\.plans)

  let offering = Name.offering(\.offering)
  let metric = Name.metric(\.metric)
  let lift = Real(
    "lift", "the lift to find, 0.1 for 10 %: the metric's margin, else 10 %; below 0 where less is better", in: .lift,
    \.lift
  )
  let usersNow = Integer("users_now", "users of all groups whose window has ended", \.usersNow)
  let usersNeeded = Integer("users_needed", "users of all groups who show the lift with 80 % power", \.usersNeeded)
  let nightsMore = Integer("nights_more", "nights until they are there, 0 if they are", in: .nights, \.nightsMore)
  let enrolmentEndsBefore = Flag(
    "enrolment_ends_before", "whether enrolment ends before so many have come", \.enrolmentEndsBefore)
  let detectableLift = Real(
    "detectable_lift", "the lift, up or down, that today's users show with 80 % power", in: .lift, \.detectableLift)
  let plan = Text(
    "plan",
    "when the test is to end: `28 nights` or `40000 users`, and its looks if it has few; empty where nothing says",
    \.plan)
  let detectableAtEnd = Real(
    "detectable_at_end", "the same by the users there will be on the planned last night; empty without a plan",
    in: .lift,
    \.detectableAtEnd)
  let usersPerDay = Real(
    "users_per_day", "measured users of all groups who come on a whole day; 0 where nobody has joined for a week",
    in: .count,
    \.usersPerDay)
}
