import Analysis
import Domain
import Measurement
import Statistics

/// An offering's verdict with the rows it rests on: those over everybody.
struct OfferingEvidence {
  let verdict: OfferingVerdict
  let values: [GroupMetricRow]
  let comparisons: [ComparisonRow]
  let plans: [PlanRow]
  let restated: [RestatedRow]
  let checks: [Check]

  /// One for each offering, by id.
  static func all(in night: NightResult) -> [OfferingEvidence] {
    let values = Dictionary(grouping: night.groupMetrics.filter { $0.key.segment == CellKey.everybody }) {
      $0.key.offering
    }
    let comparisons = Dictionary(grouping: night.comparisons.filter { $0.key.segment == CellKey.everybody }) {
      $0.key.offering
    }
    let plans = Dictionary(grouping: night.plans, by: \.offering)
    let restated = Dictionary(grouping: night.restated, by: \.key.offering)
    let checks = Dictionary(grouping: night.checks, by: \.offering)
    return night.verdicts.map { verdict in
      OfferingEvidence(
        verdict: verdict,
        values: (values[verdict.offering] ?? []).sorted {
          ($0.key.group, $0.key.metric) < ($1.key.group, $1.key.metric)
        },
        comparisons: (comparisons[verdict.offering] ?? []).sorted { $0.key.metric < $1.key.metric },
        plans: (plans[verdict.offering] ?? []).sorted { $0.metric < $1.metric },
        restated: restated[verdict.offering] ?? [],
        checks: CheckMembers.sorted(checks[verdict.offering] ?? []))
    }
  }

  /// Each group that is held against the baseline, those to act on first.
  private var groups: [GroupEvidence] {
    verdict.rows.filter { $0.group != nil }.map { row in
      GroupEvidence(row: row, comparisons: comparisons.filter { $0.key.group == row.group?.group })
    }
  }

  private typealias Member = DocumentMembers<OfferingEvidence>.Member

  static var members: DocumentMembers<OfferingEvidence> {
    let reported: [Member] = [
      Member("offering_id", "the offering, as the assignments name it", .text) { .text($0.verdict.offering.text) },
      Member("offering_name", "what the catalog calls it; null where it has no name but its id", .text.orNull) {
        .text(orNull: $0.verdict.name)
      },
      Member("call", "of its groups' calls the one to be seen first", VerdictFile.callSchema) {
        .text($0.verdict.foremost.rawValue)
      },
      Member("decision", "what its groups' decisions come to together", VerdictFile.decisionSchema) {
        .text($0.verdict.decision.rawValue)
      },
      Member("headline", "what to do, alone", .text) { .text($0.verdict.headline) },
      Member("sentence", "the whole verdict", .text) { .text($0.verdict.sentence) },
      Member("obstacle", "why nothing can be said of any group; null where something can", .text.orNull) {
        .text(orNull: $0.verdict.obstacle)
      },
      .list("calls", "what to do, those to act on first; groups of which the same is said share one", of: calls) {
        $0.verdict.calls
      },
      Member("dates", "since when the test runs and until when", .text.orNull) { .text(orNull: $0.verdict.dates) },
      Member("taken_back_from", "the UTC day whose end showed first what a failed check takes back", .date.orNull) {
        .text(orNull: $0.verdict.reversedFrom.map { CivilDate(endingAt: $0).description })
      },
      Member("nights", "nights of data so far", .whole.orNull) { .whole(orNull: $0.verdict.nights) },
      Member("note", "what must be known of how the verdict is made", .text.orNull) { .text(orNull: $0.verdict.note) },
      Member("assumed_commission", "the share that the note says the store keeps", .number.orNull) {
        .real($0.verdict.assumedCommission)
      },
      Member("expectation", "how the expected lifts came about", .text.orNull) {
        .text(orNull: $0.verdict.expectation)
      },
      Member("baseline_group_id", "the group that the others are held against", .text.orNull) {
        .text(orNull: $0.verdict.baseline?.text)
      },
      Member("lead_metric", "the metric that speaks first", .text.orNull) { .text(orNull: $0.verdict.lead?.text) },
      Member("measured_from", "when the first user's time began, UTC", .instant.orNull) {
        .text(orNull: $0.verdict.measuredFrom?.rfc3339)
      },
    ]
    let held: [Member] = [
      Member(
        "prior", "how much tests like this one are taken to move things; null where no lift is expected",
        prior.schema.orNull
      ) { evidence in evidence.verdict.prior.map(prior.object) ?? .null },
      Member("plan_ends", "the last day of a plan of nights", .date.orNull) {
        .text(orNull: $0.verdict.progress?.lastDay?.description)
      },
      Member("plan_nights_left", "nights until then", .whole.orNull) {
        .whole(orNull: $0.verdict.progress?.nightsLeft)
      },
      Member("plan_users_left", "users until a plan of users is complete", .whole.orNull) {
        .whole(orNull: $0.verdict.progress?.usersLeft)
      },
      Member("alternative_nights", "nights of a plan that would find more than none does", .whole.orNull) {
        .whole(orNull: $0.verdict.alternative?.nights)
      },
      Member("alternative_lift", "the lift that it would find in 8 of 10 cases", .number.orNull) {
        .real($0.verdict.alternative?.planned)
      },
      Member("alternative_without", "and what is found by then without it", .number.orNull) {
        .real($0.verdict.alternative?.unplanned)
      },
      .object("joining", "whether users still join", joining) { $0.verdict.joining },
      .list(
        "groups", "each group that is held against the baseline, those to act on first",
        of: GroupEvidence.members
      ) { $0.groups },
      .list("values", "what each metric came to in each group", of: values) { $0.values },
      .list("plans", "how long until the metrics that make the verdict show a lift", of: plans) { $0.plans },
      .list(
        "restated", "what the night before would publish today, where that is another than it published",
        of: Self.restated
      ) { $0.restated },
      .list("checks", "whether the offering's figures may be believed", of: CheckMembers.all) { $0.checks },
    ]
    return DocumentMembers(reported + held)
  }

  private static var calls: DocumentMembers<SharedCall> {
    typealias Member = DocumentMembers<SharedCall>.Member
    return DocumentMembers([
      Member("call", "what to do", VerdictFile.callSchema) { .text($0.call.rawValue) },
      Member("test_group_ids", "about which groups, the one that gained most first", .list(of: .text)) {
        .list($0.groups.map { .text($0.text) })
      },
      Member("headline", "the call in a sentence", .text) { .text($0.headline) },
      Member("reason", "why, in at most three sentences", .text) { .text($0.reason) },
      Member("details", "what else is known; may be empty", .text) { .text($0.details) },
    ])
  }

  private static var prior: DocumentMembers<LiftPrior> {
    typealias Member = DocumentMembers<LiftPrior>.Member
    return DocumentMembers([
      Member("sd", "the standard deviation of their true lifts, 0.1 for 10 %", .number) { .real($0.deviation) },
      Member(
        "source", "who says so: the job's prior:, its ended tests, what its prices differ by, or nobody",
        .words(["job", "ended_tests", "prices", "usual"])
      ) { .text($0.sourceName) },
      Member("ended_tests", "how many ended tests say so", .whole.orNull) { .whole(orNull: $0.endedTests) },
      Member("fewest_ended_tests", "from how many on they do", .whole) { _ in .whole(LiftPrior.fewestTests) },
    ])
  }

  private static var joining: DocumentMembers<Joining> {
    typealias Member = DocumentMembers<Joining>.Member
    return DocumentMembers([
      Member("users", "measured users of all groups", .whole(from: 0)) { .whole($0.users) },
      Member("last_day", "the last day, UTC, on which one began", .date.orNull) {
        .text(orNull: $0.lastDay?.description)
      },
      Member("is_over", "nobody has joined for a week", .flag) { .flag($0.isOver) },
    ])
  }

  private static var values: DocumentMembers<GroupMetricRow> {
    let table = GroupMetricsTable()
    let members: [DocumentMembers<GroupMetricRow>.Member] = [
      table.group.members(),
      table.isBaseline.members(isNeeded: true),
      table.metric.members(),
      table.kind.members(ResultKind.allCases.map(\.rawValue), isNeeded: true),
      table.windowDays.members(),
      table.users.members(isNeeded: true),
      table.immature.members(isNeeded: true),
      table.numerator.members(isNeeded: true),
      table.denominator.members(isNeeded: true),
      table.value.members(),
      table.interval.members(),
      table.zeroUsers.members(),
    ].flatMap(\.self)
    return DocumentMembers(members)
  }

  private static var restated: DocumentMembers<RestatedRow> {
    let table = RestatedTable()
    let calls = Call.allCases.map(\.rawValue)
    let members: [DocumentMembers<RestatedRow>.Member] = [
      table.previousNight.members(isNeeded: true),
      table.previousAsOf.members(isNeeded: true),
      table.group.members(),
      table.metric.members(),
      table.cause.members(RestatedRow.Cause.allCases.map(\.rawValue)),
      table.kind.members(ResultKind.allCases.map(\.rawValue), isNeeded: true),
      table.publishedValue.members(),
      table.restatedValue.members(),
      table.publishedLift.members(),
      table.publishedInterval.members(),
      table.restatedLift.members(),
      table.restatedInterval.members(),
      table.publishedCall.members(calls),
      table.publishedHeadline.members(),
      table.restatedCall.members(calls),
      table.restatedHeadline.members(),
      table.call.members(calls),
      table.publishedVersion.members(),
      table.restatedVersion.members(),
    ].flatMap(\.self)
    return DocumentMembers(members)
  }

  private static var plans: DocumentMembers<PlanRow> {
    let table = PlansTable()
    let members: [DocumentMembers<PlanRow>.Member] = [
      table.metric.members(),
      table.lift.members(),
      table.usersNow.members(),
      table.usersNeeded.members(),
      table.nightsMore.members(),
      table.enrolmentEndsBefore.members(isNeeded: true),
      table.detectableLift.members(),
      table.plan.members(),
      table.detectableAtEnd.members(),
      table.usersPerDay.members(),
    ].flatMap(\.self)
    return DocumentMembers(members)
  }
}

extension VerdictFile {
  /// Which decisions there are, with their meanings.
  static var decisionSchema: JSONSchema { .words(meaning: Decision.allCases.map { ($0.rawValue, $0.meaning) }) }
}

extension LiftPrior {
  fileprivate var sourceName: String {
    switch source {
    case .job: "job"
    case .endedTests: "ended_tests"
    case .prices: "prices"
    case .usual: "usual"
    }
  }

  fileprivate var endedTests: Int? { if case .endedTests(let count) = source { count } else { nil } }
}
