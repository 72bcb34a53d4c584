import Domain
import Engine
import Foundation

extension UserExplanation {
  /// The same story for programs: one object, its keys in order.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return PrintableText.escaped(json: String(decoding: try encoder.encode(Story(self)), as: UTF8.self)) + "\n"
  }
}

/// What `--format json` prints.
private struct Story: Encodable {
  let job: String
  let user: String
  let ids: [String]
  let as_of: String
  let state: String?
  let offerings: [Membership]
  let lines: [Line]
  let next: String

  struct Membership: Encodable {
    let offering: String
    let group: String
    let assigned_at: String
    let is_measured: Bool
    let why: String
    /// Index into `lines` of the one that assigns the user.
    let line: Int?
    let attributes: [String: String]
    let values: [Value]
  }

  struct Value: Encodable {
    let metric: String
    let kind: String
    /// In the metric's unit; null while the window has not ended.
    let numerator: Decimal?
    let denominator: Decimal?
    let window_ends: String?
    let words: String
  }

  struct Line: Encodable {
    let input: String
    let file: String
    let line: Int
    let time: String?
    let event_types: [String]
    let says: String
    let fate: String
    let words: String
    /// Index into `lines` of the one it repeats.
    let repeats: Int?
  }

  init(_ explanation: UserExplanation) {
    let (trace, words) = (explanation.trace, UserWords(job: explanation.job, trace: explanation.trace))
    job = explanation.job.name
    user = trace.user.text
    ids = trace.ids.map(\.text)
    as_of = explanation.cutoff.rfc3339
    state = trace.state?.name
    next = explanation.next
    offerings = trace.memberships.map { Membership($0, words) }
    lines = trace.rows.map { Line($0, words) }
  }
}

extension Story.Membership {
  fileprivate init(_ membership: UserTrace.Membership, _ words: UserWords) {
    offering = membership.offering.text
    group = membership.group.text
    assigned_at = membership.assignedAt.rfc3339
    is_measured = membership.isMeasured
    why = words.standing(membership)
    line = membership.row
    attributes = membership.attributes.reduce(into: [:]) { $0[$1.name] = $1.value?.text }
    values = membership.values.map { Story.Value($0, ValueWords(job: words.job)) }
  }
}

extension Story.Value {
  fileprivate init(_ value: UserTrace.Value, _ words: ValueWords) {
    let scale = value.metric.scale
    metric = value.metric.request.id
    kind = value.metric.kind.rawValue
    numerator = value.y.flatMap { Decimal(string: ValueWords.decimal($0, scale: scale)) }
    denominator = value.metric.kind == .ratio && value.y != nil ? Decimal(string: "\(value.x)") : nil
    window_ends = value.windowEnd?.rfc3339
    self.words = words.value(value)
  }
}

extension Story.Line {
  fileprivate init(_ row: UserTrace.Row, _ words: UserWords) {
    input = row.input
    file = row.file
    line = row.line
    time = row.time?.rfc3339
    event_types = row.events.map(\.type.text)
    says = words.says(row)
    fate = row.outcome.name
    self.words = ([words.outcome(row)] + words.effects(row)).joined(separator: " ")
    if case .duplicate(let twin) = row.outcome { repeats = twin } else { repeats = nil }
  }
}

extension UserTrace.Outcome {
  /// `used`, or why not, as `inputs.csv` names it.
  fileprivate var name: String {
    switch self {
    case .used: "used"
    case .duplicate: SetAsideReason.duplicate.rawValue
    case .setAside(let reason, _): reason.rawValue
    case .repeatsGroup: "repeats_group"
    case .namesOtherGroup: "names_other_group"
    case .orphan: "orphan_refund"
    case .ofAnotherUser: "other_user"
    case .leadsNowhere: "leads_nowhere"
    }
  }
}
