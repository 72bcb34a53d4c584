import Analysis

/// What a call says to do, which is what colours it: to be better by some metric is not yet to be shipped.
enum CallKind: String {
  case ship, keep, drop, choose, wait, measure
  case doNotTrust = "do_not_trust"

  /// - Parameters:
  ///   - call: in words, `Ship group_a.`
  ///   - decision: what the group comes to.
  init(call: String, decision: Decision) {
    self =
      switch (call.prefix { $0 != " " }, decision) {
      case (_, .doNotTrust): .doNotTrust
      case ("Ship", .better), ("Ship", .notWorse), ("Ship", .equivalent): .ship
      case ("Measure", _): .measure
      case ("Keep", _): .keep
      case ("Wait", _), ("Hold", _): .wait
      case ("Drop", _): .drop
      case (_, .worse), (_, .maybeWorse): .choose
      case (_, .better), (_, .equivalent), (_, .notWorse), (_, .inconclusive), (_, .tooEarly): .keep
      }
  }

  /// Of several the one that is to be seen first: what is wrong, then what is to be done, then what is open.
  static func foremost(of kinds: some Collection<CallKind>) -> CallKind? { kinds.min { rank(of: $0) < rank(of: $1) } }

  /// From 0, the one that is to be seen first.
  static func rank(of kind: CallKind) -> Int { order.firstIndex(of: kind) ?? order.count }

  private static let order: [CallKind] = [.doNotTrust, .ship, .choose, .measure, .drop, .wait, .keep]

  /// `do not trust`.
  var words: String { StoryWords.plain(rawValue) }
}
