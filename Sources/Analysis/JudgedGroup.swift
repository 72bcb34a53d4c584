import Domain

/// A group with the comparisons its call rests on, and what they come to.
///
/// Where prices differ money per user leads: a conversion that falls as the price rises is what a price does, and the money
/// counts it already. Else a primary metric that is worse is never hidden by another that is better. A guardrail that is
/// not shown to hold stands against shipping, whatever it is the guardrail of.
struct JudgedGroup {
  let id: Identifier
  /// The metrics that make the verdict, the leading one first.
  let speaking: [ComparisonRow]
  /// The other metrics that must hold.
  let guardrails: [ComparisonRow]
  /// Groups sell at different prices.
  let pricesDiffer: Bool
  /// Money leads; nil where it does not, or is not measured.
  let lead: Identifier?
  /// Every comparison of money per user, primary or not.
  var money: [ComparisonRow] = []

  /// The comparison that the call names first: the first shown one that decides, else the first primary one.
  var first: ComparisonRow? {
    ruling.first { [.better, .worse].contains($0.decision) && $0.lift != nil } ?? speaking.first
  }

  /// The comparisons that decide, without guardrails: money alone where prices differ, else all primary metrics.
  var ruling: [ComparisonRow] {
    guard lead != nil else { return hoped(speaking) }
    return hoped(speaking).filter { $0.key.metric == lead || $0.isMoney && $0.kind == .mean }
  }

  /// The other primary comparisons: they are reported and do not decide.
  var reported: [ComparisonRow] {
    let ids = ruling.map(\.key.metric)
    return hoped(speaking).filter { !ids.contains($0.key.metric) }
  }

  /// The lift of the first deciding comparison, positive where that is an improvement; nil where it cannot be computed.
  var gain: Double? {
    ruling.first.flatMap { row in row.lift.map { row.goal == .increase ? $0 : -$0 } }
  }

  /// The same on the night from which on the first that is shown stands.
  var gainWhenShown: Double? {
    first.flatMap { row in (row.liftWhenShown ?? row.lift).map { row.goal == .increase ? $0 : -$0 } }
  }

  /// Everything that must hold, and is not shown to; without a margin what is shown to be worse.
  var failing: [ComparisonRow] { held.filter { [.maybeWorse, .worse].contains($0.decision) } }

  /// What must hold and does, as far as it is asked: what has no margin stands against a group only where harm is shown.
  private func holds(_ row: ComparisonRow) -> Bool {
    row.margin == nil ? ![.worse, .doNotTrust].contains(row.decision) : row.decision == .notWorse
  }

  /// Everything that must hold.
  var held: [ComparisonRow] { speaking.filter(\.isGuardrail) + guardrails }

  /// Every comparison of it.
  var rows: [ComparisonRow] { speaking + guardrails }

  private func hoped(_ rows: [ComparisonRow]) -> [ComparisonRow] { rows.filter { !$0.isGuardrail } }

  // MARK: - What they come to

  /// The group's decision: what is bad before what is good, what is open before what is settled.
  var decision: Decision {
    let own = strongest(of: ruling) ?? strongest(of: held) ?? .inconclusive
    if own == .better, losesMoney { return .worse }
    guard [.better, .equivalent, .notWorse].contains(own) else { return own }
    return strongest(of: held.filter { !holds($0) }) ?? own
  }

  private func strongest(of rows: [ComparisonRow]) -> Decision? {
    let order: [Decision] = [
      .doNotTrust, .worse, .maybeWorse, .better, .tooEarly, .inconclusive, .equivalent, .notWorse,
    ]
    return order.first { word in rows.contains { $0.decision == word } }
  }

  /// Something of what rules is better, and nothing is worse, nor the money per user.
  var isAhead: Bool { has(.better) && !has(.worse) && !losesMoney }

  /// Money per user is shown to fall, whether it speaks or not: no page says Ship beside that.
  private var losesMoney: Bool { money.contains { $0.decision == .worse } }

  /// Money per user is shown to rise: no page says Drop beside that.
  private var gainsMoney: Bool { money.contains { $0.decision == .better } }

  /// What is shown for the group, and what against it, money per user among it.
  var gains: [ComparisonRow] { shown(.better) }
  var losses: [ComparisonRow] { shown(.worse) }

  private func shown(_ decision: Decision) -> [ComparisonRow] {
    let ids = Set(ruling.map(\.key.metric))
    return (ruling + money.filter { !ids.contains($0.key.metric) }).filter { $0.decision == decision }
  }

  /// When the decision that its call rests on was shown first; nil where nothing is shown.
  var shownSince: Instant? { first.flatMap(\.shownSince) }

  private func has(_ decision: Decision) -> Bool { ruling.contains { $0.decision == decision } }

  /// What to do about it.
  ///
  /// - Parameters:
  ///   - best: the group to ship, if there is any.
  ///   - isComplete: the test is over: its plan is, or nobody joins and all windows have ended.
  ///   - isOver: whether no more data can come to a comparison.
  func call(best: Identifier?, isComplete: Bool, isOver: (ComparisonRow) -> Bool) -> Call {
    guard !rows.isEmpty else { return .wait }
    if rows.contains(where: { $0.decision == .doNotTrust }) { return .doNotTrust }
    if pricesDiffer, lead == nil { return .measure }
    if has(.better), has(.worse) || losesMoney { return .choose }
    if has(.worse) { return gainsMoney ? .choose : .drop }
    if has(.better) {
      if held.contains(where: { $0.margin != nil && $0.decision == .tooEarly && !isOver($0) }) { return .wait }
      return held.allSatisfy(holds) && id == best ? .ship : .choose
    }
    let early = (ruling.isEmpty ? held : ruling).filter { $0.decision == .tooEarly }
    if early.contains(where: { !isOver($0) }) { return .wait }
    return isComplete && best == nil ? .end : .keep
  }
}
