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
  /// One for each group held against the baseline, the one to ship first.
  private(set) var groups: [GroupVerdict]

  /// What one group comes to.
  struct GroupVerdict {
    let group: Identifier
    let decision: Decision
    /// What to do: `Ship group_a.`
    let call: String
    /// Why.
    let reason: String
    /// What taking the group would bring in money; nil where it is not shown to.
    let worth: String?

    var kind: CallKind { CallKind(call: call, decision: decision) }
  }

  /// A check failed: nothing of it may be acted on.
  var isUntrusted: Bool { decision == .doNotTrust }

  /// Of many groups those after the one to act on by how much they gain in the metric that leads.
  ///
  /// - Parameter gains: by group, a part of the baseline's value, above 0 where that is good.
  func ordered(by gains: [Identifier: Double]) -> Verdict {
    guard groups.count > Lift.inNamesOrder else { return self }
    var verdict = self
    let first = groups.prefix { $0.kind == .ship }
    verdict.groups =
      Array(first)
      + groups.dropFirst(first.count).enumerated().sorted { left, right in
        let (a, b) = (gains[left.element.group] ?? -.infinity, gains[right.element.group] ?? -.infinity)
        return a != b ? a > b : left.offset < right.offset
      }.map(\.element)
    return verdict
  }

  init(_ verdict: StoryHead.Verdict) {
    decision = Decision(named: verdict.decision)
    sentence = verdict.sentence
    let said = (verdict.groups ?? []).compactMap(GroupVerdict.init)
    // Older folders tell no groups' calls: their one sentence stands for all.
    groups = decision == .doNotTrust || verdict.obstacle != nil ? [] : said
    obstacle = verdict.obstacle ?? (said.isEmpty ? verdict.sentence : nil)
    note = verdict.note
  }
}

extension Verdict.GroupVerdict {
  fileprivate init?(_ verdict: StoryHead.GroupVerdict) {
    guard let call = verdict.call, let reason = verdict.reason else { return nil }
    group = Identifier(verdict.groupId)
    decision = Decision(named: verdict.decision)
    self.call = call
    self.reason = reason
    worth = verdict.worth
  }
}
