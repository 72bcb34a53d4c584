import Domain

/// What an offering's primary metrics come to together, in words that can be said aloud and acted on.
package struct OfferingVerdict: Sendable {
  package var offering: Identifier
  package var decision: Decision
  /// Why nothing can be said of any group: what the first failed check found, or who is missing; nil where something
  /// can be said.
  package var obstacle: String?
  /// The metric that speaks first.
  package var lead: Identifier?
  /// One for each group held against the baseline: the one to ship first, the others by id.
  package var groups: [GroupVerdict]
  /// What a reader must know of how the verdict is made; nil where nothing needs to be said.
  package var note: String?

  package struct GroupVerdict: Sendable {
    package var group: Identifier
    package var decision: Decision
    /// What to do: `Ship group_a.`
    package var call: String
    /// Why, in a sentence or two.
    package var reason: String
    /// What taking the group would bring; nil where revenue is not shown to differ, or is not measured.
    package var worth: Worth?
  }

  /// All of it: a failed check instead of the groups.
  package var sentence: String {
    if let obstacle { return decision == .doNotTrust ? "Do not act on this: \(obstacle)" : obstacle }
    let words: [String?] = groups.flatMap { group in
      [group.call, group.reason, group.decision == .better ? group.worth?.sentence : nil]
    }
    return (words + [note]).compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
