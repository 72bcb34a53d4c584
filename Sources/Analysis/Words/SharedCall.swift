import Domain

/// A call of one group, or of several that are called alike: what a reader sees as one box.
package struct SharedCall: Sendable, Hashable {
  package var call: Call
  /// Those it is about, the one that gained most first.
  package var groups: [Identifier]
  /// What to do: `Ship group_a.`
  package var headline: String
  /// Why, in at most three sentences.
  package var reason: String
  /// What else is known; may be empty.
  package var details: String

  /// All of it but the details.
  package var sentence: String { reason.isEmpty ? headline : "\(headline) \(reason)" }
}

extension CallWords {
  /// A group with its call, and that in sentences.
  struct CalledGroup {
    let group: JudgedGroup
    let call: Call
    let facts: Facts
    let sentences: Sentences
  }

  /// One for each group, but those of which the same is said share one; in the order given.
  func shared(_ called: [CalledGroup]) -> [SharedCall] {
    var boxes: [[CalledGroup]] = []
    for one in called {
      if let position = boxes.firstIndex(where: { isAlike($0[0], one) }) {
        boxes[position].append(one)
      } else {
        boxes.append([one])
      }
    }
    return boxes.map { box in
      let said = box.count == 1 ? box[0].sentences : together(box)
      return SharedCall(
        call: box[0].call, groups: box.map(\.group.id), headline: said.headline,
        reason: said.reasons.joined(separator: " "), details: said.details.joined(separator: " "))
    }
  }

  /// Nothing else is said of one than of the other, but for its figures.
  private func isAlike(_ one: CalledGroup, _ other: CalledGroup) -> Bool {
    guard one.facts.reversal == nil, other.facts.reversal == nil, one.call == other.call else { return false }
    let isOpen = [one, other].allSatisfy { [.inconclusive, .tooEarly].contains($0.group.decision) }
    switch one.call {
    case .wait, .drop: return true
    case .end: return isOpen
    case .keep: return isOpen && one.group.decision == other.group.decision
    case .ship, .choose, .measure, .doNotTrust: return false
    }
  }

  private func together(_ box: [CalledGroup]) -> Sentences {
    let names = Phrase.list(box.map(\.group.id.inWords), most: Self.namedGroups)
    let first = box[0]
    switch first.call {
    case .drop:
      let seen = box.prefix(2).map { "\($0.group.id.inWords): \(lowercased($0.sentences.reasons.first ?? ""))" }
      return Sentences(headline: "Drop \(names).", reasons: seen, details: [])
    case .wait:
      return Sentences(headline: "Wait for \(names).", reasons: first.sentences.reasons, details: [])
    case .end:
      let ending = first.group.first.map { [self.ending($0)] } ?? []
      return Sentences(
        headline: "End: keep \(baseline.inWords).",
        reasons: ending + [leading(box), chance(first.group.first, first.facts)],
        details: [])
    default:
      if let best, !box.contains(where: { $0.group.id == best }) {
        let headline = "\(best.inWords) won; \(names) are not shown to differ from \(baseline.inWords)."
        return Sentences(headline: headline, reasons: [leading(box)], details: [])
      }
      let none = "none of \(box.count) groups is shown to be better"
      let rest = Array(first.sentences.reasons.dropFirst())
      return Sentences(
        headline: "Keep \(baseline.inWords): \(none).", reasons: [leading(box)] + rest, details: [])
    }
  }

  /// `The best so far is short_page: in 7 days users brought 1.51 USD instead of 1.00 (+51 %, −4 to +143 %).`
  private func leading(_ box: [CalledGroup]) -> String {
    let first = box.first { $0.group.gain != nil } ?? box[0]
    guard let row = first.group.first, first.group.gain != nil else { return first.sentences.reasons.first ?? "" }
    let seen = self.seen(row)
    return seen.isEmpty ? "" : "The best so far is \(first.group.id.inWords): \(lowercased(seen))"
  }

  /// More are counted.
  private static var namedGroups: Int { 3 }
}
