import Analysis
import Domain
import Statistics

/// What to do about one group, and the comparisons over everybody that say so.
struct GroupEvidence {
  /// As `verdicts.csv` has it.
  let row: VerdictRow
  let comparisons: [ComparisonRow]

  private typealias Member = DocumentMembers<GroupEvidence>.Member

  static var members: DocumentMembers<GroupEvidence> {
    let table = VerdictsTable()
    let row: [DocumentMembers<VerdictRow>.Member] = [
      table.group.members(),
      table.call.members(Call.allCases.map(\.rawValue), isNeeded: true),
      table.decision.members(Decision.allCases.map(\.rawValue), isNeeded: true),
      table.headline.members(isNeeded: true),
      table.reason.members(isNeeded: true),
      table.metric.members(),
      table.measuredLift.members(),
      table.measuredInterval.members(),
      table.expectedLift.members(),
      table.expectedInterval.members(),
      table.chanceToWin.members(),
      table.shownOn.members(),
      table.stop.members(),
      table.stopChance.members(),
      table.stopNights.members(),
      table.stopFewest.members(),
      table.stopMost.members(),
      table.stopLoss.members(),
      table.stopValue.members(),
      table.worth.members(),
      table.worthInterval.members(),
      table.worthPerMonth.members(),
    ].flatMap(\.self)
    let worth: [Member] = [
      Member("worth_sentence", "the money in a sentence", .text.orNull) { .text(orNull: $0.worth?.sentence) },
      Member("worth_users_per_day", "how many new users a day the month's money is of", .number.orNull) {
        .real($0.worth?.usersPerDay)
      },
      Member("worth_is_over", "nobody joins any more, so that there is no month's money", .flag) {
        .flag($0.worth?.isOver ?? false)
      },
    ]
    return DocumentMembers(
      row.map { $0.of(\.row) } + worth + [
        .list("comparisons", "the group held against the baseline, a metric each", of: compared) { $0.comparisons }
      ])
  }

  private var worth: Worth? { row.group?.worth }

  /// Of `comparisons.csv` what a call can rest on.
  private static var compared: DocumentMembers<ComparisonRow> {
    typealias Member = DocumentMembers<ComparisonRow>.Member
    let table = ComparisonsTable()
    let compared: [Member] = [
      table.compared.metric.members(),
      table.compared.kind.members(ResultKind.allCases.map(\.rawValue), isNeeded: true),
      table.compared.isPrimary.members(isNeeded: true),
      table.compared.goal.members(Goal.allCases.map(\.rawValue), isNeeded: true),
      table.compared.baselineValue.members(),
      table.compared.value.members(),
      table.compared.difference.members(),
      table.compared.lift.members(),
      table.compared.decidedInterval.members(),
      table.compared.pValue.members(),
      table.compared.adjustedPValue.members(),
      table.compared.test.members(),
      table.compared.chanceToWin.members(),
      table.compared.detectableLift.members(),
    ].flatMap(\.self)
    let own: [Member] = [
      table.decision.members(Decision.allCases.map(\.rawValue) + ["higher", "lower"], isNeeded: true),
      table.shownOn.members(),
      table.isGuardrail.members(isNeeded: true),
      table.margin.members(),
      table.marginPValue.members(),
      table.isDescriptive.members(isNeeded: true),
    ].flatMap(\.self)
    let lack: [Member] = [
      Member(
        "lack", "what there is too little of for a decision: as much as there is; null if there is enough",
        .number.orNull
      ) { .real($0.lack?.observed) },
      Member("lack_needed", "and as much as it takes", .number.orNull) { .real($0.lack?.needed) },
    ]
    return DocumentMembers(compared + own + lack)
  }
}

/// What checks found, as `checks.csv` has it.
enum CheckMembers {
  static var all: DocumentMembers<Check> {
    let table = ChecksTable()
    let members: [DocumentMembers<Check>.Member] = [
      table.check.members(),
      table.subject.members(),
      table.status.members(Check.Status.allCases.map(\.rawValue), isNeeded: true),
      table.observed.members(),
      table.expected.members(),
      table.pValue.members(),
      table.message.members(isNeeded: true),
    ].flatMap(\.self)
    let remark = DocumentMembers<Check>.Member(
      "remark", "it warns of the test's design or the data's shape: nobody has to mend anything", .flag
    ) { .flag(CheckFinding.Weight($0.status, check: $0.name) == .remark) }
    let figures = DocumentMembers<Check>.Member(
      "figures", "the further numbers that the message tells, by what they are", .object(ofNames: .number)
    ) { check in
      let finite = check.figures.filter(\.value.isFinite)
      return .object(
        finite.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
          JSON.Member($0.key, .real($0.value))
        })
    }
    return DocumentMembers(members + [figures, remark])
  }

  /// By name and subject.
  static func sorted(_ checks: [Check]) -> [Check] {
    checks.sorted { left, right in
      left.name != right.name
        ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        : left.subject.utf8.lexicographicallyPrecedes(right.subject.utf8)
    }
  }
}
