import Domain
import Measurement
import Statistics

/// What is said where nothing is shown: too early, over, or open.
extension CallWords {
  /// What a group comes to that is neither better nor worse.
  func open(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    let rows = rows(group)
    if let early = rows.first(where: { $0.decision == .tooEarly }) { return [tooEarly(early, group)] }
    if let row = rows.first(where: { [.inconclusive, .doNotTrust].contains($0.decision) }) {
      let seen = measured(row, beside: others(group))
      return best == nil ? [seen, futile(facts) ?? outlook(row), chance(row, facts)] : [seen]
    }
    let settled = rows.filter { [.equivalent, .notWorse].contains($0.decision) }
    return settled.isEmpty ? [] : [capitalized(Phrase.list(settled.map { "its \(noun($0)) is \(bound($0))" })) + "."]
  }

  private func rows(_ group: JudgedGroup) -> [ComparisonRow] { group.ruling.isEmpty ? group.held : group.ruling }

  private func measured(_ row: ComparisonRow, beside other: ComparisonRow? = nil) -> String {
    row.decidedLiftInterval == nil
      ? "\(capitalized(noun(row))) cannot be compared; the check not_computable says why."
      : seen(row, beside: other)
  }

  /// That going on is of no use, where it is.
  private func futile(_ facts: Facts) -> String? {
    guard let stop = facts.stop, stop.word == .futile else { return nil }
    if stop.isBelowBound {
      return "Going on is of little use: a difference of the size planned for would have shown more by this look."
    }
    return "Going on is of little use: by the planned end it would be shown in fewer than 1 of 10 cases."
  }

  /// What today's users can show; what more it takes only where the job asks for a size.
  private func outlook(_ row: ComparisonRow) -> String {
    guard let plan = plans.first(where: { $0.metric == row.key.metric }) else { return "" }
    return plan.outlook(isAsked: progress != nil || row.margin != nil)?.sentence(joining) ?? ""
  }

  // MARK: - Over

  /// Why a test that is over ends with the baseline.
  func over(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    guard let row = rows(group).first(where: { $0.decision == .inconclusive }), group.decision == .inconclusive else {
      return open(group, Facts())
    }
    return [ending(row), measured(row, beside: others(group)), chance(row, facts)]
  }

  /// `The plan is complete and no difference was shown; anything above 12 % would very likely have been.`
  func ending(_ row: ComparisonRow) -> String {
    let plan = plans.first { $0.metric == row.key.metric }
    guard progress?.isComplete ?? false else {
      let seen = plan?.detectableLift.map { ": it could only have seen \(Phrase.spoken($0)) or more" } ?? ""
      return "The test is over and was too small\(seen)."
    }
    let seen = plan?.detectableLift.map { "; anything above \(Phrase.spoken($0)) would very likely have been" } ?? ""
    return "The plan is complete and no difference was shown\(seen).\(smaller(plan))"
  }

  /// ` A smaller one would take about 70 more nights.`
  private func smaller(_ plan: PlanRow?) -> String {
    guard let plan, let lift = plan.lift, let nights = plan.nightsMore, nights > 0, !joining.isOver,
      plan.detectableLift ?? 0 > lift.magnitude
    else { return "" }
    return " One of \(Phrase.spoken(lift.magnitude)) would take about \(Phrase.count(nights, "more night"))."
  }

  // MARK: - Too early

  /// What more data will show.
  func waited(_ group: JudgedGroup) -> String {
    let early = (group.ruling + group.held).filter { $0.decision == .tooEarly }
    return early.first { !ended.contains($0.key.metric) }.map { tooEarly($0, group) }
      ?? open(group, Facts()).joined(separator: " ")
  }

  func tooEarly(_ row: ComparisonRow, _ group: JudgedGroup) -> String {
    let lack = row.scarcity?.sentence ?? "there is too little data"
    if case .days = row.scarcity { return "Too early: \(lack). People buy otherwise at weekends." }
    // A guardrail is not what the verdict is about, so it has to be named.
    let subject = row.isGuardrail ? " for its \(noun(row))" : ""
    if ended.contains(row.key.metric) {
      return "The test is over and was too small\(subject)\(only(row)) \(capitalized(lack))."
    }
    guard row.value != nil, row.baselineValue != nil else { return firstFigures(row) }
    return "Too early\(subject): \(lack)."
  }

  /// `: it could only have seen 56 % or more.`; of a difference as large as that nothing.
  private func only(_ row: ComparisonRow) -> String {
    // The plan's figure is the one that stands in the page's picture of how precise the test is.
    let least = plans.first { $0.metric == row.key.metric }?.detectableLift ?? row.detectableLift
    guard let least, row.lift?.magnitude ?? 0 < least else { return "." }
    return ": it could only have seen \(Phrase.spoken(least)) or more."
  }

  /// `Too early: nobody's 7 days are over. The first figures come on 3 May 2026, UTC.`
  private func firstFigures(_ row: ComparisonRow) -> String {
    guard let measuredFrom, let window = metric(row)?.request.windowMilliseconds else {
      return "Too early: no \(noun(row)) can be counted yet."
    }
    let end = Instant(milliseconds: measuredFrom.milliseconds + window)
    return "Too early: nobody's \(Phrase.duration(milliseconds: window)) are over. "
      + "The first figures come on \(Phrase.day(CivilDate(day: end.utcDay))), UTC."
  }
}
