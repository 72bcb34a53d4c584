import Analysis
import Domain
import Statistics

/// What to do about one group, and the comparisons over everybody that say so.
struct GroupEvidence {
  /// As `verdicts.csv` has it.
  let row: VerdictRow
  let comparisons: [ComparisonRow]

  private typealias Member = DocumentMembers<GroupEvidence>.Member

  static func members(_ scope: TableScope) -> DocumentMembers<GroupEvidence> {
    let words = ["decision": Decision.allCases.map(\.rawValue), "call": Call.allCases.map(\.rawValue)]
    let row = VerdictsTable().members(
      ["test_group_id", "call", "decision", "headline", "reason"] + figures, words: words,
      needed: ["call", "decision", "headline", "reason"], scope: scope)
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

  private static let figures = [
    "metric", "measured_lift", "measured_ci_low", "measured_ci_high", "expected_lift", "expected_ci_low",
    "expected_ci_high", "chance_to_win", "shown_on", "stop", "stop_chance", "stop_nights", "stop_nights_low",
    "stop_nights_high", "stop_loss", "stop_value", "worth", "worth_ci_low", "worth_ci_high", "worth_per_month",
  ]

  /// Of `comparisons.csv` what a call can rest on.
  private static var compared: DocumentMembers<ComparisonRow> {
    typealias Member = DocumentMembers<ComparisonRow>.Member
    let table = ComparisonsTable()
    let words = [
      "kind": ResultKind.allCases.map(\.rawValue), "goal": Goal.allCases.map(\.rawValue),
      "decision": Decision.allCases.map(\.rawValue) + ["higher", "lower"],
    ]
    let compared = table.compared.members(
      [
        "metric", "kind", "primary", "goal", "baseline_value", "value", "abs_diff", "rel_lift", "decided_ci_low",
        "decided_ci_high", "p_value", "p_value_adjusted", "test", "chance_to_win", "mde_rel",
      ], words: words, needed: ["kind", "primary", "goal"])
    let own = table.members(
      ["decision", "shown_on", "guardrail", "margin", "margin_p_value", "descriptive"], words: words,
      needed: ["decision", "guardrail", "descriptive"])
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
    let members = ChecksTable().members(
      ["check", "subject", "status", "observed", "expected", "p_value", "message"],
      words: ["status": Check.Status.allCases.map(\.rawValue)], needed: ["status", "message"])
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
