import Domain
import Statistics

/// What the sample-ratio checks say.
struct SampleRatioWords {
  let shares: GroupShares
  let fit: GroupShares.Fit
  let pValue: Double
  let subject: String

  var pass: String { "Users fell into the groups as weighted\(position): \(listing); \(Phrase.pValue(pValue))." }

  /// Of the test that is for a single look.
  var suspicion: String {
    "Users seem not to have fallen into the groups as weighted\(position): \(listing); \(Phrase.pValue(pValue)). This test is "
      + "meant for a single look: among many nights one may look so by chance. sample_ratio_sequential may be read every "
      + "night."
  }

  /// Where the shares changed with time, and every metric is compared day by day.
  var changed: String {
    "Users did not fall into the groups as weighted\(position): \(listing); \(Phrase.pValue(pValue)). The groups' shares "
      + "changed over time (see sample_ratio_over_time), and the metrics are compared day by day; give the weights with "
      + "their dates to have each time held against its own."
  }

  /// `2,341 users in control and 2,019 in group_a, where 1:1 was planned; p < 0.0001. Look for …`
  var failure: String {
    let (users, weights) = (fit.worst?.users ?? fit.users, fit.worst?.phase.weights ?? shares.phases[0].weights)
    let counts = shares.groups.indices.map { index in
      "\(Phrase.count(users[index]))\(index == 0 ? " users" : "") in \(shares.groups[index].inWords)"
    }
    let since = fit.worst.map { $0.phase.since.isEmpty ? "" : " of those assigned from \($0.phase.since) on" } ?? ""
    return "\(Phrase.list(counts))\(position)\(since), where \(Self.ratio(weights)) was planned; "
      + "\(Phrase.pValue(pValue)). "
      + (SimilarNames.groups(shares.groups).isEmpty
        ? "Look for lost assignments, bots or a broken variant before believing any figure."
        : "Some of them look like one group written in several ways: see similar_groups.")
  }

  var tooFew: String {
    "Too few users to tell whether they fell into the groups as weighted\(position): "
      + "\(listing). Every group needs 5 expected users."
  }

  /// Each group's users, how many were expected and its weight, and of the phase that is furthest off its own.
  var figures: [String: Double] {
    let weights = fit.worst?.phase.weights ?? shares.phases.first?.weights ?? []
    let whole = weights.filter { $0 > 0 }.min() ?? 1
    return shares.groups.indices.reduce(into: [:]) { figures, index in
      let group = shares.groups[index]
      figures["users of \(group)"] = Double(fit.users[index])
      figures["expected of \(group)"] = fit.ratio.expected[index]
      if let worst = fit.worst { figures["users of \(group) in the worst phase"] = Double(worst.users[index]) }
      if weights.indices.contains(index) { figures["weight of \(group)"] = weights[index] / whole }
    }
  }

  private var position: String { subject.isEmpty ? "" : " (\(subject))" }

  private var listing: String {
    Phrase.list(
      shares.groups.indices.map { index in
        let expected = Phrase.decimal(fit.ratio.expected[index], decimals: 1)
        return "\(shares.groups[index].inWords) \(Phrase.count(fit.users[index])) (expected \(expected))"
      })
  }

  /// Weights as a ratio of small whole numbers where they are one, `4:3:3`; else as shares.
  static func ratio(_ weights: [Double]) -> String {
    let smallest = weights.filter { $0 > 0 }.min() ?? 1
    for factor in 1...20 {
      let parts = weights.map { $0 / smallest * Double(factor) }
      if parts.allSatisfy({ abs($0 - $0.rounded()) < 1e-6 * max(1, $0) }) {
        return parts.map { Phrase.decimal($0.rounded(), decimals: 0) }.joined(separator: ":")
      }
    }
    let total = weights.reduce(0, +)
    return weights.map { Phrase.percent($0 / total) }.joined(separator: " : ")
  }
}
