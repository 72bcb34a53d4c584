import Domain
import Engine
import Jobs

/// Says in words what an offering's primary metrics come to together.
///
/// `LeadMetrics` says which metrics those are. A group is `better` only if nothing of it is `worse` and every guardrail,
/// primary or not, is shown to hold. Where revenue leads, nothing is `better` without it.
struct Verdicts {
  let metrics: [MeasuredMetric]
  let settings: AnalysisSettings

  /// The verdict on one offering; `comparisons` and `checks` are its own.
  func verdict(
    on offering: OfferingMeasurement, baseline: Identifier?, comparisons: [ComparisonRow], checks: [Check]
  ) -> OfferingVerdict {
    let lead = offering.pricesDiffer ? LeadMetrics.revenue(metrics).map { Identifier($0.request.id) } : nil
    let speaking = speakingMetrics(lead: lead)
    let groups = offering.groups.map(\.id).filter { $0 != baseline }.map { group in
      groupVerdict(
        group, rows: rows(comparisons, of: group, metrics: speaking),
        guardrails: rows(comparisons, of: group, metrics: guardrails.filter { !speaking.contains($0) }),
        lead: lead)
    }
    let failed = checks.filter { $0.status == .fail }
    let decision = failed.isEmpty ? together(groups.map(\.decision)) : .doNotTrust
    return OfferingVerdict(
      offering: offering.id, decision: decision,
      sentence: sentence(groups, baseline: baseline, failed: failed, lead: lead), groups: groups)
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

  private func groupVerdict(
    _ group: Identifier, rows: [ComparisonRow], guardrails: [ComparisonRow], lead: Identifier?
  ) -> OfferingVerdict.GroupVerdict {
    var decision = strongest(of: rows) ?? .inconclusive
    if decision == .better, let leading = rows.first(where: { $0.key.metric == lead }) {
      decision = leading.decision
    }
    let open = (rows + guardrails).filter { $0.isGuardrail && $0.decision != .notWorse }
    if [.better, .equivalent, .notWorse].contains(decision), let word = strongest(of: open) { decision = word }
    return OfferingVerdict.GroupVerdict(
      group: group, decision: decision, sentence: sentence(group, decision, rows: rows + guardrails))
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

  private func sentence(
    _ groups: [OfferingVerdict.GroupVerdict], baseline: Identifier?, failed: [Check], lead: Identifier?
  ) -> String {
    if let first = failed.first {
      let names = Phrase.list(Set(failed.map(\.name)).sorted())
      return "Do not trust the figures: \(names) failed. \(first.message)"
    }
    guard let baseline else {
      return groups.isEmpty ? "Nobody is measured yet." : "Nobody of the baseline is measured yet: nothing to compare."
    }
    guard !groups.isEmpty else { return "\(baseline) is the only group with users: nothing to compare." }
    let opening = lead == nil ? "" : "Groups sell at different prices, so revenue per user comes first. "
    return opening + "Against \(baseline): " + groups.map(\.sentence).joined(separator: ". ") + "."
  }

  /// `group_b is better: revenue_net_30d 12.3 % higher (interval +4.1 % to +21 %, adjusted p = 0.003)`.
  private func sentence(_ group: Identifier, _ decision: Decision, rows: [ComparisonRow]) -> String {
    guard !rows.isEmpty else { return "\(group) cannot be compared yet" }
    let isMixed = rows.contains { $0.decision == .better }
    let words =
      switch decision {
      case .worse: isMixed ? "is better in one metric, but worse in another" : "is worse"
      case .better: "is better"
      case .equivalent: "makes no difference that matters"
      case .notWorse: "is not worse"
      case .maybeWorse: "\(isMixed ? "is better, but " : "")may be worse in \(unproven(rows))"
      case .tooEarly: "has too little data yet"
      case .inconclusive, .doNotTrust: "shows no clear difference"
      }
    return "\(group) \(words): " + rows.map(clause).joined(separator: "; ")
  }

  /// The guardrails that are not shown to hold, by name.
  private func unproven(_ rows: [ComparisonRow]) -> String {
    let names = rows.filter { $0.decision == .maybeWorse }.map { "the guardrail \($0.key.metric)" }
    return Phrase.list(names)
  }

  private func clause(_ row: ComparisonRow) -> String {
    guard row.value != nil, row.baselineValue != nil else { return "\(row.key.metric) nothing yet" }
    guard let lift = row.lift else { return "\(row.key.metric) has no lift to tell" }
    var details: [String] = []
    if let interval = row.decidedLiftInterval {
      details.append("interval \(Phrase.lift(interval.low)) to \(Phrase.lift(interval.high))")
    }
    if let pValue = row.adjustedPValue { details.append("adjusted \(Phrase.pValue(pValue))") }
    let ending = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(row.key.metric) \(Phrase.comparative(max(-1, lift)))\(ending)\(aside(row))"
  }

  /// What the number alone does not say.
  private func aside(_ row: ComparisonRow) -> String {
    switch row.decision {
    case .tooEarly: ", too early to say"
    case .worse: ", worse"
    case .better: ", better"
    case .equivalent: ", within the margin of \(Phrase.percent(row.margin ?? 0))"
    case .notWorse: ", not worse by \(Phrase.percent(row.margin ?? 0))"
    case .maybeWorse: ", maybe worse by \(Phrase.percent(row.margin ?? 0))"
    case .inconclusive: ", inconclusive"
    case .doNotTrust: ""
    }
  }
}
