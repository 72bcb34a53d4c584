import Domain
import Jobs
import Measurement
import Statistics

/// Says what an offering's primary metrics come to together, and what to do about it.
///
/// `LeadMetrics` says which metrics those are, `JudgedGroup` what a group's comparisons come to.
struct Verdicts {
  let metrics: [MeasuredMetric]
  let settings: AnalysisSettings
  /// The reporting currency.
  let currency: String
  /// How much tests like these move things.
  let prior: LiftPrior
  /// What the store keeps is told.
  let isCommissionTold: Bool
  /// Where sales are told of.
  let salesPlaces: SalesPlaces

  /// The verdict on one offering; `comparisons`, `checks` and `plans` are its own.
  func verdict(
    on offering: OfferingMeasurement, baseline: Identifier?, comparisons: [ComparisonRow], checks: [Check],
    plans: [PlanRow], usersPerDay: Double?, joining: Joining
  ) -> OfferingVerdict {
    let lead = LeadMetrics.leading(offering, metrics).map { Identifier($0.request.id) }
    let speaking = speakingMetrics(lead: lead)
    let judged = offering.groups.map(\.id).filter { $0 != baseline }.map { group in
      JudgedGroup(
        id: group, speaking: rows(comparisons, of: group, metrics: speaking),
        guardrails: rows(comparisons, of: group, metrics: guardrails.filter { !speaking.contains($0) }),
        pricesDiffer: offering.priceDifference != nil, lead: lead)
    }
    let failed = checks.filter { $0.status == .fail }
    let unpaid = unpaid(offering, judged)
    let best = best(of: judged)
    let ended = joining.isOver ? MetricWindows.ended(in: offering, metrics) : []
    let words = VerdictWords(
      baseline: baseline ?? "", best: best, openGroups: judged.count { $0.decision == .inconclusive },
      ended: ended, metrics: metrics, comparisons: comparisons, plans: plans, joining: joining,
      rule: settings.rule, currency: currency, measuredFrom: offering.measuredFrom)
    let groups = called(judged, best: best, ended: ended).map { group, found in
      let call = unpaid == nil ? found : .wait
      let expected = group.first.flatMap { ExpectedLift($0, prior: prior, alpha: settings.alpha) }
      return OfferingVerdict.GroupVerdict(
        group: group.id, decision: group.decision, call: call, headline: words.headline(call, on: group),
        reason: words.reason(call, of: group, expected: expected),
        metric: group.first?.key.metric,
        measured: group.first.flatMap { row in
          row.lift.map { OfferingVerdict.Measured(lift: $0, interval: row.decidedLiftInterval) }
        },
        expected: expected, worth: worth(of: group.id, comparisons, usersPerDay: usersPerDay, joining: joining))
    }
    let obstacle = obstacle(judged, baseline: baseline, failed: failed) ?? unpaid
    return OfferingVerdict(
      offering: offering.id, baseline: baseline,
      decision: failed.isEmpty ? together(judged.map(\.decision)) : .doNotTrust,
      obstacle: obstacle, lead: speaking.first, groups: groups,
      note: note(offering, lead: lead, speaking: speaking),
      assumedCommission: assumesCommission(speaking) ? salesPlaces.assumedCommission : nil,
      prior: obstacle == nil && groups.contains { $0.expected != nil } ? prior : nil,
      joining: joining, measuredFrom: offering.measuredFrom)
  }

  /// What a reader must know of how the verdict is made; nil where nothing needs to be said.
  private func note(_ offering: OfferingMeasurement, lead: Identifier?, speaking: [Identifier]) -> String? {
    let prices = offering.priceDifference.map { prices in
      lead == nil ? prices.withoutRevenue : "\(prices.sentence), so revenue per user comes first."
    }
    let assumed =
      assumesCommission(speaking) ? "Proceeds assume that \(assumption), for no products table tells it." : nil
    let said = [prices, assumed].compactMap(\.self)
    return said.isEmpty ? nil : said.joined(separator: " ")
  }

  /// What is kept of a price where nothing tells it.
  private var assumption: String {
    let kept = Phrase.percent(salesPlaces.assumedCommission)
    return switch salesPlaces {
    case .stores: "the store keeps \(kept)"
    case .web: "nobody keeps a part of sales on the web"
    case .both: "the stores keep \(kept) and nobody a part of sales on the web"
    }
  }

  /// Whether what speaks rests on a commission that nothing tells.
  private func assumesCommission(_ speaking: [Identifier]) -> Bool {
    !isCommissionTold && metrics.contains { speaking.contains(Identifier($0.request.id)) && $0.needsCommission }
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

  /// The offering's decision: there is a group to choose, else one to drop, else it is open, else early.
  private func together(_ decisions: [Decision]) -> Decision {
    let order: [Decision] = [
      .doNotTrust, .better, .worse, .maybeWorse, .inconclusive, .equivalent, .notWorse, .tooEarly,
    ]
    return order.first(where: decisions.contains) ?? .inconclusive
  }

  /// Each group with its call: those to act on first, of groups called alike those that gain most, ties by id.
  private func called(
    _ groups: [JudgedGroup], best: Identifier?, ended: Set<Identifier>
  ) -> [(group: JudgedGroup, call: Call)] {
    groups.map { group in (group, group.call(best: best) { ended.contains($0.key.metric) }) }
      .sorted { left, right in
        if left.call != right.call { return left.call.rank < right.call.rank }
        let gains = (left.group.gain ?? -.infinity, right.group.gain ?? -.infinity)
        return gains.0 != gains.1 ? gains.0 > gains.1 : left.group.id < right.group.id
      }
  }

  /// Of the groups that are ahead the one whose first metric gained most, by that metric's goal; ties by id.
  private func best(of groups: [JudgedGroup]) -> Identifier? {
    let gains = groups.filter(\.isAhead).map { ($0.id, $0.gain ?? 0) }
    return gains.max { ($0.1, $1.0) < ($1.1, $0.0) }?.0
  }

  /// What taking the group would bring in money, where revenue per user is shown to differ.
  private func worth(
    of group: Identifier, _ comparisons: [ComparisonRow], usersPerDay: Double?, joining: Joining
  ) -> Worth? {
    guard let revenue = LeadMetrics.revenue(metrics) else { return nil }
    let row = rows(comparisons, of: group, metrics: [Identifier(revenue.request.id)]).first
    return row.flatMap { row in
      ExpectedLift(row, prior: prior, alpha: settings.alpha).flatMap {
        Worth(row, expected: $0, currency: currency, usersPerDay: usersPerDay, joining: joining)
      }
    }
  }

  /// That nobody has paid, where metrics of charges alone make the verdict: nothing to keep and nothing to ship; nil
  /// otherwise.
  private func unpaid(_ offering: OfferingMeasurement, _ groups: [JudgedGroup]) -> String? {
    let rows = groups.flatMap(\.speaking)
    let paid = Set(metrics.filter(\.request.isOfCharges).map { Identifier($0.request.id) })
    guard !rows.isEmpty, offering.groups.allSatisfy({ $0.purchases.after == 0 }),
      rows.allSatisfy({ paid.contains($0.key.metric) && $0.value == 0 && $0.baselineValue == 0 })
    else { return nil }
    let measured = Set(rows.map(\.key.metric))
    let nouns = metrics.filter { measured.contains(Identifier($0.request.id)) }.map(\.wording.noun)
    return "Nobody of any group has paid since the assignment, so there is nothing to compare: \(Phrase.list(nouns)) "
      + "\(nouns.count == 1 ? "stands" : "stand") at 0."
  }

  /// Why nothing can be said of any group; nil where something can.
  private func obstacle(_ groups: [JudgedGroup], baseline: Identifier?, failed: [Check]) -> String? {
    if let first = failed.first {
      let others = Set(failed.map(\.name)).subtracting([first.name]).sorted()
      let rest = others.isEmpty ? "" : " \(Phrase.list(others)) failed, too."
      return "\(first.message)\(rest)"
    }
    guard let baseline else {
      return groups.isEmpty ? "Nobody is measured yet." : "Nobody of the baseline is measured yet: nothing to compare."
    }
    return groups.isEmpty ? "\(baseline.inWords) is the only group with users: nothing to compare." : nil
  }
}
