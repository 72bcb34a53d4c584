import Analysis
import Domain

/// What an offering's metrics come to together, and what to do about it.
struct Verdict {
  let decision: Decision
  /// All of it in sentences.
  let sentence: String
  /// Why nothing can be said of any group; nil where something can.
  let obstacle: String?
  /// What a reader must know of how it is made; nil where nothing needs to be said.
  let note: String?
  /// How the lifts that are expected came about; nil where nothing tells.
  let expectation: String?
  /// One for each group held against the baseline, those to act on first.
  let groups: [GroupVerdict]

  /// What one group comes to.
  struct GroupVerdict {
    let group: Identifier
    let decision: Decision
    let call: Call
    /// The call in a sentence: `Ship group_a.`
    let headline: String
    /// Why.
    let reason: String
    /// What taking the group would bring in money; nil where it is not shown to.
    let worth: String?
  }

  /// A check failed: nothing of it may be acted on.
  var isUntrusted: Bool { decision == .doNotTrust }

  /// The call of its groups that is to be seen first.
  var foremost: Call { isUntrusted ? .doNotTrust : Call.foremost(of: groups.map(\.call)) ?? .wait }

  /// In a line: why nothing can be said, or its groups' calls, those to act on first.
  var line: String {
    if let obstacle { return isUntrusted ? "Do not act on this: \(obstacle)" : obstacle }
    let rest = groups.count - Self.groupsInALine
    let said = groups.prefix(Self.groupsInALine).map(\.headline)
    return (said + (rest > 0 ? ["\(Phrase.count(rest, "more group"))."] : [])).joined(separator: " ")
  }

  private static let groupsInALine = 2

  init(_ verdict: StoryHead.Verdict) {
    decision = Decision(named: verdict.decision)
    sentence = verdict.sentence
    let said = (verdict.groups ?? []).compactMap(GroupVerdict.init)
    // Older folders tell no groups' calls: their one sentence stands for all.
    groups = decision == .doNotTrust || verdict.obstacle != nil ? [] : said
    obstacle = verdict.obstacle ?? (said.isEmpty ? verdict.sentence : nil)
    note = verdict.note
    expectation = verdict.expectation
  }
}

extension Verdict.GroupVerdict {
  fileprivate init?(_ verdict: StoryHead.GroupVerdict) {
    guard let call = verdict.call, let reason = verdict.reason else { return nil }
    group = Identifier(verdict.groupId)
    decision = Decision(named: verdict.decision)
    self.call = Call(named: call, decision: decision)
    headline = verdict.headline ?? call
    self.reason = reason
    worth = verdict.worth
  }
}
