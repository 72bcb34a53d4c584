import Analysis
import Domain

/// What an offering's metrics come to together, and what to do about it.
struct Verdict {
  /// What the catalog calls the offering; nil where it has no name but its id.
  let name: String?
  let decision: Decision
  /// Why nothing can be said of any group; nil where something can.
  let obstacle: String?
  /// Since when the test runs and until when; nil where nothing says.
  let dates: String?
  /// What a reader must know of how it is made; nil where nothing needs to be said.
  let note: String?
  /// How the lifts that are expected came about; nil where nothing says.
  let expectation: String?
  /// What to do, those to act on first; groups of which the same is said share one.
  let calls: [GroupsCall]

  /// What to do about one group, or several.
  struct GroupsCall {
    let groups: [Identifier]
    let call: Call
    /// The call in a sentence: `Ship group_a.`
    let headline: String
    /// Why.
    let reason: String
    /// What else is known; may be empty.
    let details: String
  }

  /// A check failed: nothing of it may be acted on.
  var isUntrusted: Bool { decision == .doNotTrust }

  /// The call of its groups that is to be seen first.
  var foremost: Call { isUntrusted ? .doNotTrust : Call.foremost(of: calls.map(\.call)) ?? .wait }

  /// In a line: why nothing can be said, or its calls, those to act on first.
  var line: String {
    if let obstacle { return isUntrusted ? "Do not act on this: \(obstacle)" : obstacle }
    let rest = calls.dropFirst(Self.callsInALine).reduce(0) { $0 + $1.groups.count }
    let said = calls.prefix(Self.callsInALine).map(\.headline)
    return (said + (rest > 0 ? ["\(Phrase.count(rest, "more group"))."] : [])).joined(separator: " ")
  }

  private static let callsInALine = 2

  init(_ verdict: StoryHead.Verdict) {
    name = verdict.offeringName
    decision = Decision(named: verdict.decision)
    // Folders of earlier versions have a call for each group; the oldest have one sentence for all.
    let said =
      verdict.calls.map { $0.map { GroupsCall($0) } } ?? (verdict.groups ?? []).compactMap { GroupsCall($0) }
    calls = decision == .doNotTrust || verdict.obstacle != nil ? [] : said
    obstacle = verdict.obstacle ?? (said.isEmpty ? verdict.sentence : nil)
    dates = verdict.dates
    note = verdict.note
    expectation = verdict.expectation
  }
}

extension Verdict.GroupsCall {
  fileprivate init(_ shared: StoryHead.SharedCall) {
    groups = shared.groupIds.map { Identifier($0) }
    call = Call(named: shared.call, decision: .inconclusive)
    (headline, reason, details) = (shared.headline, shared.reason, shared.details)
  }

  fileprivate init?(_ verdict: StoryHead.GroupVerdict) {
    guard let name = verdict.call, let reason = verdict.reason else { return nil }
    groups = [Identifier(verdict.groupId)]
    call = Call(named: name, decision: Decision(named: verdict.decision))
    headline = verdict.headline ?? name
    self.reason = [reason, verdict.worth].compactMap(\.self).joined(separator: " ")
    details = ""
  }
}
