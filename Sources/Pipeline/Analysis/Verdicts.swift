/// Says in words what an offering's primary metrics come to together.
///
/// The metrics that speak are the primary ones; without any, the job's first. Where groups sell at different
/// prices, revenue per assigned user speaks first, primary or not: a cheaper product converts better and may
/// still earn less. A group is `better` only if nothing of it is `worse`.
struct Verdicts {
  let metrics: [MeasuredMetric]
  let settings: AnalysisSettings
  let currency: String

  /// The verdict on one offering; `comparisons` and `checks` are its own.
  func verdict(
    on offering: OfferingMeasurement, baseline: Identifier?, comparisons: [ComparisonRow], checks: [Check]
  ) -> OfferingVerdict {
    let speaking = speakingMetrics(pricesDiffer: offering.pricesDiffer)
    let others = offering.groups.map(\.id).filter { $0 != baseline }
    let groups = others.map { group in
      groupVerdict(group, rows: rows(comparisons, of: group, metrics: speaking))
    }
    var verdict = OfferingVerdict(
      offering: offering.id, decision: .inconclusive, sentence: "", groups: groups)
    verdict.decision = together(groups.map(\.decision))
    let failed = checks.filter { $0.status == .fail }
    if !failed.isEmpty { verdict.decision = .doNotTrust }
    verdict.sentence = sentence(verdict, offering: offering, baseline: baseline, failed: failed)
    return verdict
  }

  /// Ids of the metrics that make the verdict, the leading one first.
  func speakingMetrics(pricesDiffer: Bool) -> [Identifier] {
    let primary = metrics.filter(\.request.primary)
    var speaking = (primary.isEmpty ? Array(metrics.prefix(1)) : primary).map(\.request.id)
    if pricesDiffer, let lead = revenue(among: primary) ?? revenue(among: metrics) {
      speaking.removeAll { $0 == lead }
      speaking.insert(lead, at: 0)
    }
    return speaking.map { Identifier($0) }
  }

  /// Revenue per assigned user: the first mean of money.
  private func revenue(among metrics: [MeasuredMetric]) -> String? {
    metrics.first { $0.kind == .mean && $0.isMoney }?.request.id
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

  private func groupVerdict(_ group: Identifier, rows: [ComparisonRow]) -> OfferingVerdict.GroupVerdict {
    let decisions = rows.map(\.decision)
    let firstThatHolds = [Decision.doNotTrust, .worse, .better, .tooEarly].first(where: decisions.contains)
    return OfferingVerdict.GroupVerdict(
      group: group, decision: firstThatHolds ?? .inconclusive, sentence: sentence(group, rows: rows))
  }

  /// The offering's word: a group to choose, else the worst that is known, else that it is open or early.
  private func together(_ decisions: [Decision]) -> Decision {
    if decisions.contains(.better) { return .better }
    if decisions.contains(.worse), !decisions.contains(.inconclusive), !decisions.contains(.tooEarly) {
      return .worse
    }
    if decisions.contains(.inconclusive) || decisions.isEmpty { return .inconclusive }
    return .tooEarly
  }

  private func sentence(
    _ verdict: OfferingVerdict, offering: OfferingMeasurement, baseline: Identifier?, failed: [Check]
  ) -> String {
    guard let baseline else { return "Nobody is measured yet." }
    guard !verdict.groups.isEmpty else {
      return "\(baseline) is the only group with users: nothing to compare."
    }
    if !failed.isEmpty {
      let names = Words.list(Array(Set(failed.map(\.name))).sorted())
      return "Do not trust the figures: \(names) failed. \(failed[0].message)"
    }
    let opening = offering.pricesDiffer ? "Groups sell at different prices, so revenue comes first. " : ""
    return opening + "Against \(baseline): " + verdict.groups.map(\.sentence).joined(separator: "; ") + "."
  }

  /// `group_b is better: revenue_net_30d 12.3 % higher (95 % interval +4.1 % to +21 %, adjusted p = 0.003)`.
  private func sentence(_ group: Identifier, rows: [ComparisonRow]) -> String {
    guard !rows.isEmpty else { return "\(group) cannot be compared yet" }
    let parts = rows.map(clause)
    let decisions = rows.map(\.decision)
    let isMixed = decisions.contains(.better) && decisions.contains(.worse)
    let word =
      isMixed
      ? "is better in one metric, but worse in another"
      : decisions.contains(.worse)
        ? "is worse" : decisions.contains(.better) ? "is better" : opening(decisions)
    return "\(group) \(word): \(Words.list(parts))"
  }

  private func opening(_ decisions: [Decision]) -> String {
    decisions.contains(.tooEarly) ? "has too little data yet" : "shows no clear difference"
  }

  private func clause(_ row: ComparisonRow) -> String {
    guard let lift = row.lift else { return "\(row.key.metric) has no lift to tell" }
    var details: [String] = []
    if let interval = row.decidingLiftInterval(settings.decideBy) {
      let confidence = Words.percent(settings.confidence)
      details.append(
        "\(confidence) interval \(Words.change(interval.low)) to \(Words.change(interval.high))")
    }
    if let pValue = row.adjustedPValue { details.append("adjusted \(Words.pValue(pValue))") }
    let ending = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(row.key.metric) \(Words.comparative(lift))\(ending)\(aside(row))"
  }

  /// What the number alone does not say.
  private func aside(_ row: ComparisonRow) -> String {
    switch row.decision {
    case .tooEarly: ", too early to say"
    case .worse: ", worse"
    case .better: ", better"
    case .inconclusive: ", inconclusive"
    case .doNotTrust: ""
    }
  }
}
