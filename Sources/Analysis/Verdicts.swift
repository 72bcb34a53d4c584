import Domain
import Foundation
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
  let isCommissionReported: Bool
  /// Where sales are told of.
  let salesLocations: SalesLocations
  /// The cut-off.
  let asOf: Instant
  /// That the plan was made after nights had been read; nil where it was not.
  let planned: String?
  /// The calls that earlier nights made.
  let made: [MadeCall]
  /// Whom the night counts: `users who saw the paywall`.
  let users: String
  /// The job's.
  let timezone: TimeZone

  /// The verdict on one offering; `comparisons`, `checks` and `plans` are its own.
  func verdict(
    on offering: OfferingMeasurement, baseline: Identifier?, comparisons: [ComparisonRow], checks: [Check],
    plans: [PlanRow], usersPerDay: Double?, joining: Joining, progress: PlanProgress?
  ) -> OfferingVerdict {
    let lead = LeadMetrics.leading(offering, metrics).map { Identifier($0.request.id) }
    let speaking = speakingMetrics(lead: lead)
    let judged = offering.groups.map(\.id).filter { $0 != baseline }.map { group in
      JudgedGroup(
        id: group, speaking: rows(comparisons, of: group, metrics: speakingMetrics(of: group, offering, lead: lead)),
        guardrails: rows(comparisons, of: group, metrics: guardrails.filter { !speaking.contains($0) }),
        pricesDiffer: offering.priceDifference(of: group) != nil,
        lead: offering.priceDifference(of: group) == nil ? nil : lead, money: money(comparisons, of: group))
    }
    let failed = checks.filter { $0.status == .fail }
    let unpaid = unpaid(offering, judged)
    let best = best(of: judged)
    let ended = joining.isOver ? MetricWindows.ended(in: offering, metrics) : []
    let isComplete = progress?.isComplete ?? false || !speaking.isEmpty && speaking.allSatisfy(ended.contains)
    let words = CallWords(
      baseline: baseline ?? "", best: best, ended: ended, metrics: metrics, comparisons: comparisons, plans: plans,
      joining: joining, currency: currency, users: users, measuredFrom: offering.measuredFrom, asOf: asOf,
      progress: progress)
    let said = called(judged, best: best, isComplete: isComplete, ended: ended).map { group, found in
      let call = unpaid == nil ? found : .wait
      let prior = prior.atPrices(ratio: prices(offering, group.id, baseline))
      let expected = group.first.flatMap { ExpectedLift($0, prior: prior, alpha: settings.alpha) }
      let stop = group.first.flatMap { row in
        StopAdvice(
          row, expected: expected, call: call, progress: progress, usersPerDay: usersPerDay,
          level: settings.alpha * share(of: row, among: comparisons), rule: settings.rule,
          parameters: settings.parameters)
      }
      let facts = CallWords.Facts(
        expected: expected,
        worth: worth(of: group.id, comparisons, prior: prior, usersPerDay: usersPerDay, joining: joining), stop: stop,
        reversal: reversal(call, of: group, in: offering.id))
      let sentences = words.sentences(call, on: group, facts)
      return (
        CallWords.CalledGroup(group: group, call: call, facts: facts, sentences: sentences),
        expected == nil ? nil : prior
      )
    }
    let groups = said.map { called, prior in
      let (group, facts) = (called.group, called.facts)
      return OfferingVerdict.GroupVerdict(
        group: group.id, decision: group.decision, call: called.call, headline: called.sentences.headline,
        reason: called.sentences.reasons.joined(separator: " "), metric: group.first?.key.metric,
        measured: group.first.flatMap { row in
          row.lift.map { OfferingVerdict.Measured(lift: $0, interval: row.decidedLiftInterval) }
        },
        shownSince: group.first?.shownSince, expected: facts.expected, worth: facts.worth, stop: facts.stop,
        prior: prior)
    }
    let dates = TestDates(from: offering.measuredFrom, asOf: asOf, timezone: timezone)
    let obstacle = obstacle(judged, baseline: baseline, failed: failed) ?? unpaid
    return OfferingVerdict(
      offering: offering.id, name: offering.name, baseline: baseline,
      decision: failed.isEmpty ? together(judged.map(\.decision)) : .doNotTrust,
      obstacle: obstacle, lead: speaking.first, groups: groups, calls: words.shared(said.map(\.0)),
      note: note(offering, lead: lead, speaking: speaking),
      dates: dates.map { dates in
        let planned =
          obstacle == nil ? plan(progress, plans.first { $0.metric == speaking.first }, calls: groups.map(\.call)) : nil
        return [dates.sentence, planned].compactMap(\.self).joined(separator: " ")
      },
      reversedFrom: failed.isEmpty ? nil : judged.flatMap(\.rows).compactMap(\.distrustedSince).min(),
      nights: dates?.nights,
      assumedCommission: assumesCommission(speaking) ? salesLocations.assumedCommission : nil,
      prior: obstacle == nil ? groups.first { $0.expected != nil }?.prior : nil,
      joining: joining, progress: progress, alternative: plans.first { $0.metric == speaking.first }?.alternative,
      measuredFrom: offering.measuredFrom)
  }

  /// Why the call that an earlier night made of a group no longer stands.
  private func reversal(_ call: Call, of group: JudgedGroup, in offering: Identifier) -> String? {
    made.first { $0.offering == offering && $0.group == group.id }?.reversal(
      by: call, isOverturned: group.rows.contains { $0.oppositeShown != nil })
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

  /// When the test ends, and what that means for what is called before; without a plan what one would bring.
  private func plan(_ progress: PlanProgress?, _ row: PlanRow?, calls: [Call]) -> String? {
    let isOpen = calls.allSatisfy { [.keep, .wait].contains($0) }
    guard let progress else { return isOpen ? row?.alternative?.sentence : nil }
    let early = calls.contains { [.ship, .drop].contains($0) } ? progress.early : nil
    let said = [early ?? progress.sentence(detectable: row?.detectableAtEnd), planned].compactMap(\.self)
    return said.isEmpty ? nil : said.joined(separator: " ")
  }

  /// What is kept of a price where nothing tells it.
  private var assumption: String {
    let retained = Phrase.percent(salesLocations.assumedCommission)
    return switch salesLocations {
    case .stores: "the store keeps \(retained)"
    case .web: "nobody keeps a part of sales on the web"
    case .both: "the stores keep \(retained) and nobody a part of sales on the web"
    }
  }

  /// Whether what speaks rests on a commission that nothing tells.
  private func assumesCommission(_ speaking: [Identifier]) -> Bool {
    !isCommissionReported && metrics.contains { speaking.contains(Identifier($0.request.id)) && $0.needsCommission }
  }

  /// The metrics that make the verdict, the leading one first.
  private func speakingMetrics(lead: Identifier?) -> [Identifier] {
    [lead].compactMap(\.self) + LeadMetrics.speaking(metrics.map(\.request)).filter { $0 != lead }
  }

  /// Of a pair that sells alike the lead of others is none.
  private func speakingMetrics(of group: Identifier, _ offering: OfferingMeasurement, lead: Identifier?) -> [Identifier]
  {
    speakingMetrics(lead: offering.priceDifference(of: group) == nil ? nil : lead)
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
    _ groups: [JudgedGroup], best: Identifier?, isComplete: Bool, ended: Set<Identifier>
  ) -> [(group: JudgedGroup, call: Call)] {
    groups.map { group in (group, group.call(best: best, isComplete: isComplete) { ended.contains($0.key.metric) }) }
      .sorted { left, right in
        if left.call != right.call { return left.call.rank < right.call.rank }
        let gains = (left.group.gain ?? -.infinity, right.group.gain ?? -.infinity)
        return gains.0 != gains.1 ? gains.0 > gains.1 : left.group.id < right.group.id
      }
  }

  /// Of the groups that are ahead the one that was shown to be first, as whoever shipped it must not read otherwise later;
  /// of those of one night the one whose first metric had gained most then, by that metric's goal; ties by id.
  private func best(of groups: [JudgedGroup]) -> Identifier? {
    groups.filter(\.isAhead).min { left, right in
      let (one, other) = (left.shownSince, right.shownSince)
      if let one, let other, one != other { return one < other }
      let gains = (left.gainWhenShown ?? 0, right.gainWhenShown ?? 0)
      return gains.0 != gains.1 ? gains.0 > gains.1 : left.id < right.id
    }?.id
  }

  /// A first charge's mean price over the baseline's, where the groups sell at different ones.
  private func prices(_ offering: OfferingMeasurement, _ group: Identifier, _ baseline: Identifier?) -> Double? {
    guard offering.priceDifference(of: group) != nil else { return nil }
    func price(_ id: Identifier?) -> Double? {
      offering.groups.first { $0.id == id }.flatMap { SoldPrices($0, unitCost: 0).price?.mean }
    }
    guard let own = price(group), let other = price(baseline), own > 0, other > 0 else { return nil }
    return own / other
  }

  /// What a comparison has of α: as Holm's strictest step leaves it among the primary ones.
  private func share(of row: ComparisonRow, among comparisons: [ComparisonRow]) -> Double {
    guard settings.adjust != .none, row.primary else { return 1 }
    return 1 / Double(max(1, comparisons.count { $0.primary && $0.key.segment == CellKey.everybody }))
  }

  /// Money per user, of every metric that counts it.
  private func money(_ comparisons: [ComparisonRow], of group: Identifier) -> [ComparisonRow] {
    comparisons.filter {
      $0.key.group == group && $0.key.segment == CellKey.everybody && $0.isMoney && $0.kind == .mean
        && !$0.isGuardrail && $0.goal == .increase
    }
  }

  /// What taking the group would bring in money, where revenue per user is shown to differ.
  private func worth(
    of group: Identifier, _ comparisons: [ComparisonRow], prior: LiftPrior, usersPerDay: Double?, joining: Joining
  ) -> Worth? {
    guard let revenue = LeadMetrics.revenue(metrics) else { return nil }
    let row = rows(comparisons, of: group, metrics: [Identifier(revenue.request.id)]).first
    return row.flatMap { row in
      ExpectedLift(row, prior: prior, alpha: settings.alpha).flatMap {
        Worth(row, expected: $0, currency: currency, usersPerDay: usersPerDay, joining: joining, users: users)
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
      let since = groups.flatMap(\.rows).compactMap(\.distrustedSince).min()
      let call = since.map {
        " What was shown on \(Phrase.day(CivilDate(endingAt: $0))) is taken back while that is so."
      }
      return "\(first.message)\(rest)\(call ?? "")"
    }
    guard let baseline else {
      return groups.isEmpty ? "Nobody is measured yet." : "Nobody of the baseline is measured yet: nothing to compare."
    }
    return groups.isEmpty ? "\(baseline.inWords) is the only group with users: nothing to compare." : nil
  }
}
