import Domain

/// What a night said to do about a group.
package struct GroupCall: Sendable, Hashable {
  package var offering: Identifier
  package var group: Identifier
  package var call: Call
  /// In a sentence.
  package var headline: String

  package init(offering: Identifier, group: Identifier, call: Call, headline: String) {
    (self.offering, self.group, self.call, self.headline) = (offering, group, call, headline)
  }
}

extension NightResult {
  /// What the night says to do about each group that is held against a baseline.
  package var calls: [GroupCall] {
    verdicts.flatMap { verdict in
      verdict.groups.map { group in
        let isUntrusted = verdict.decision == .doNotTrust
        return GroupCall(
          offering: verdict.offering, group: group.group, call: isUntrusted ? .doNotTrust : group.call,
          headline: isUntrusted ? verdict.headline : group.headline)
      }
    }
  }
}
