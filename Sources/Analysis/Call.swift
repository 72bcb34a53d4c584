/// What to do about a group: what its decisions come to, and nothing else.
package enum Call: String, Sendable, CaseIterable {
  /// Take the group.
  case ship
  /// Stay with the baseline.
  case keep
  /// Stay with the baseline: the test is over, and no difference was shown.
  case end
  /// Leave the group.
  case drop
  /// What is gained and what is lost have to be weighed by whoever owns the product.
  case choose
  /// More data will come.
  case wait
  /// What would decide is not measured: revenue, where prices differ.
  case measure
  /// A check failed.
  case doNotTrust = "do_not_trust"

  /// Of several the one that is to be seen first: what is wrong, then what is to be done, then what is open.
  package static func foremost(of calls: some Collection<Call>) -> Call? { calls.min { $0.rank < $1.rank } }

  /// From 0, the one that is to be seen first.
  package var rank: Int { Self.order.firstIndex(of: self) ?? Self.order.count }

  private static let order: [Call] = [.doNotTrust, .ship, .choose, .measure, .drop, .end, .wait, .keep]

  /// When a group is called so, in a few words.
  package var meaning: String {
    switch self {
    case .ship: "take the group: it is better in what decides, and nothing is worse"
    case .keep: "stay with the baseline: nothing is shown yet, and the test goes on, or another group won"
    case .end:
      "keep the baseline: the plan is complete, or nobody joins and all windows are over, and nothing was shown"
    case .drop: "leave the group: it is worse in what decides"
    case .choose: "it gains here and loses there, and what counts more is for the owner to say"
    case .wait: "too early, and more data will come"
    case .measure: "prices differ and no revenue is measured"
    case .doNotTrust: "a check failed"
    }
  }
}
