import Domain
import Engine
import Jobs

/// Says what an offering's primary metrics come to together, and what to do about it.
///
/// `LeadMetrics` says which metrics those are. A group is `better` only if nothing of it is `worse` and every guardrail,
/// primary or not, is shown to hold. Where revenue leads, nothing is `better` without it.
struct Verdicts {
  let metrics: [MeasuredMetric]
  let settings: AnalysisSettings
  /// The reporting currency.
  let currency: String

  /// The verdict on one offering; `comparisons`, `checks` and `plans` are its own.
  func verdict(
    on offering: OfferingMeasurement, baseline: Identifier?, comparisons: [ComparisonRow], checks: [Check],
    plans: [PlanRow], usersPerDay: Double?, joining: Joining
  ) -> OfferingVerdict {
    let lead = LeadMetrics.leading(offering, metrics).map { Identifier($0.request.id) }
    let speaking = speakingMetrics(lead: lead)
    let judged = offering.groups.map(\.id).filter { $0 != baseline }.map { group in
      judge(
        group, rows: rows(comparisons, of: group, metrics: speaking),
        guardrails: rows(comparisons, of: group, metrics: guardrails.filter { !speaking.contains($0) }),
        lead: lead)
    }
    let failed = checks.filter { $0.status == .fail }
    let best = best(of: judged)
    let words = VerdictWords(
      baseline: baseline ?? "", best: best, openGroups: judged.count { $0.decision == .inconclusive },
      ended: joining.isOver ? MetricWindows.ended(in: offering, metrics) : [],
      lacksRevenue: offering.priceDifference != nil && lead == nil, metrics: metrics, plans: plans, joining: joining,
      decideBy: settings.decideBy)
    let groups = judged.map { group in
      OfferingVerdict.GroupVerdict(
        group: group.id, decision: group.decision, call: words.call(on: group), reason: words.reason(of: group),
        worth: worth(of: group.id, comparisons, usersPerDay: usersPerDay, joining: joining))
    }
    let ordered = groups.filter { $0.group == best } + groups.filter { $0.group != best }
    return OfferingVerdict(
      offering: offering.id, decision: failed.isEmpty ? together(judged.map(\.decision)) : .doNotTrust,
      obstacle: obstacle(judged, baseline: baseline, failed: failed), lead: speaking.first,
      groups: ordered,
      note: offering.priceDifference.map { prices in
        lead == nil ? prices.withoutRevenue : "\(prices.sentence), so revenue per user comes first."
      })
  }

  /// A group with its decision and the rows the decision rests on.
  struct Judged {
    var id: Identifier
    var decision: Decision
    /// The metrics that make the verdict, the leading one first, then the other guardrails.
    var rows: [ComparisonRow]
  }

  /// The metrics that make the verdict, the leading one first.
  private func speakingMetrics(lead: Identifier?) -> [Identifier] {
    [lead].compactMap(\.self) + LeadMetrics.speaking(metrics.map(\.request)).filter { $0 != lead }
  }

  /// The metrics that must hold whatever the others say.
  private var guardrails: [Identifier] {
    metrics.filter(\.request.guardrail).map { Identifier($0.request.id) }
  }

  private func rows(
    _ comparisons: [ComparisonRow], of group: Identifier, metrics: [Identifier]
  ) -> [ComparisonRow] {
    metrics.compactMap { metric in
      comparisons.first {
        $0.key.group == group && $0.key.metric == metric && $0.key.segment == CellKey.everybody
      }
    }
  }

  private func judge(
    _ group: Identifier, rows: [ComparisonRow], guardrails: [ComparisonRow], lead: Identifier?
  ) -> Judged {
    var decision = strongest(of: rows) ?? .inconclusive
    if decision == .better, let leading = rows.first(where: { $0.key.metric == lead }) {
      decision = leading.decision
    }
    let open = (rows + guardrails).filter { $0.isGuardrail && $0.decision != .notWorse }
    if [.better, .equivalent, .notWorse].contains(decision), let word = strongest(of: open) { decision = word }
    return Judged(id: group, decision: decision, rows: rows + guardrails)
  }

  /// The decision that stands for all rows of a group: what is bad before what is good, what is open before what
  /// is settled.
  private func strongest(of rows: [ComparisonRow]) -> Decision? {
    let order: [Decision] = [
      .doNotTrust, .worse, .maybeWorse, .better, .tooEarly, .inconclusive, .equivalent, .notWorse,
    ]
    return order.first { word in rows.contains { $0.decision == word } }
  }

  /// The offering's decision: there is a group to choose, else one to drop, else it is open, else early.
  private func together(_ decisions: [Decision]) -> Decision {
    let order: [Decision] = [
      .doNotTrust, .better, .worse, .maybeWorse, .inconclusive, .equivalent, .notWorse, .tooEarly,
    ]
    return order.first(where: decisions.contains) ?? .inconclusive
  }

  /// Of the better groups the one whose first metric gained most, by that metric's goal; ties by id.
  private func best(of groups: [Judged]) -> Identifier? {
    let gains = groups.filter { $0.decision == .better }.map { group in
      (group.id, group.rows.first.flatMap { row in row.lift.map { row.goal == .increase ? $0 : -$0 } } ?? 0)
    }
    return gains.max { ($0.1, $1.0) < ($1.1, $0.0) }?.0
  }

  /// What taking the group would bring in money, where revenue per user is shown to differ.
  private func worth(
    of group: Identifier, _ comparisons: [ComparisonRow], usersPerDay: Double?, joining: Joining
  ) -> Worth? {
    guard let revenue = LeadMetrics.revenue(metrics) else { return nil }
    let row = rows(comparisons, of: group, metrics: [Identifier(revenue.request.id)]).first
    return row.flatMap { Worth($0, currency: currency, usersPerDay: usersPerDay, joining: joining) }
  }

  /// Why nothing can be said of any group; nil where something can.
  private func obstacle(_ groups: [Judged], baseline: Identifier?, failed: [Check]) -> String? {
    if let first = failed.first {
      let others = Set(failed.map(\.name)).subtracting([first.name]).sorted()
      let rest = others.isEmpty ? "" : " \(Phrase.list(others)) failed, too."
      return "\(first.message)\(rest)"
    }
    guard let baseline else {
      return groups.isEmpty ? "Nobody is measured yet." : "Nobody of the baseline is measured yet: nothing to compare."
    }
    return groups.isEmpty ? "\(baseline) is the only group with users: nothing to compare." : nil
  }
}
