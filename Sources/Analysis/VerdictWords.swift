import Domain
import Engine
import Jobs
import Statistics

/// Says a group's decision so that it can be acted on: what to do, and why.
struct VerdictWords {
  let baseline: Identifier
  /// The group to ship; nil where there is none.
  let best: Identifier?
  /// How many groups there are of which nothing is shown.
  let openGroups: Int
  /// The metrics whose sums are final: nobody joins any more, and all windows have ended.
  let ended: Set<Identifier>
  /// Prices differ, and no revenue is measured that could speak first.
  let lacksRevenue: Bool
  let metrics: [MeasuredMetric]
  let plans: [PlanRow]
  let joining: Joining
  let decideBy: DecidingTest

  /// `Ship group_a.`
  func call(on group: Verdicts.Judged) -> String {
    guard !group.rows.isEmpty else { return "Wait for \(group.id)." }
    switch group.decision {
    case .better:
      if lacksRevenue { return "Measure revenue before shipping \(group.id)." }
      return group.id == best ? "Ship \(group.id)." : "\(group.id) beats \(baseline), too."
    case .worse: return isMixed(group) ? "Do not ship \(group.id)." : "Drop \(group.id)."
    case .equivalent: return "\(group.id) or \(baseline): it makes no difference that matters."
    case .notWorse: return "\(group.id) does no harm."
    case .maybeWorse: return "Hold \(group.id)."
    case .tooEarly: return isOver(group) ? "Do not ship \(group.id)." : "Wait for \(group.id)."
    case .inconclusive, .doNotTrust:
      if best != nil { return "Do not ship \(group.id)." }
      return openGroups > 1 ? "Keep \(baseline) over \(group.id) for now." : "Keep \(baseline) for now."
    }
  }

  /// `It earns 94 % more per user (42 to 174 %), sure enough to act on however often you look.`
  func reason(of group: Verdicts.Judged) -> String {
    guard !group.rows.isEmpty else { return "It cannot be compared yet." }
    switch group.decision {
    case .better: return better(group)
    case .worse: return worse(group)
    case .equivalent: return settled(group, by: .equivalent)
    case .notWorse: return settled(group, by: .notWorse)
    case .maybeWorse: return maybeWorse(group)
    case .tooEarly: return tooEarly(group)
    case .inconclusive, .doNotTrust: return open(group)
    }
  }

  // MARK: - By decision

  private func better(_ group: Verdicts.Judged) -> String {
    let gains = rows(of: group, .better)
    guard let first = gains.first else { return open(group) }
    let rest = gains.dropFirst().map { " It also \(change($0))\(range($0))." }.joined()
    let ahead = group.id == best ? "" : " \(best?.text ?? "") is ahead of it; this test does not compare the two."
    let holding = rows(of: group, .notWorse).map { " Its \(noun($0)) is \(bound($0))." }.joined()
    return "It \(change(first))\(range(first)), \(sure).\(rest)\(holding)\(ahead)"
  }

  private func worse(_ group: Verdicts.Judged) -> String {
    guard let loss = rows(of: group, .worse).first else { return open(group) }
    let lost = "\(change(loss))\(range(loss)), \(sure)."
    guard let gain = rows(of: group, .better).first else { return "It \(lost)" }
    return "It \(change(gain)), but it \(lost)"
  }

  private func settled(_ group: Verdicts.Judged, by decision: Decision) -> String {
    let names = rows(of: group, decision).map { "its \(noun($0)) is \(bound($0))" }
    return capitalized(Phrase.list(names)) + "."
  }

  private func bound(_ row: ComparisonRow) -> String {
    let margin = Phrase.percent(row.margin ?? 0)
    return row.decision == .notWorse
      ? "shown not to be worse by \(margin) or more" : "within \(margin) of \(baseline)'s"
  }

  private func maybeWorse(_ group: Verdicts.Judged) -> String {
    let names = rows(of: group, .maybeWorse).map {
      "its \(noun($0)) may be worse by \(Phrase.percent($0.margin ?? 0)) or more"
    }
    let harm = Phrase.list(names)
    guard let gain = rows(of: group, .better).first else { return capitalized(harm) + "." }
    return "It \(change(gain)), but \(harm)."
  }

  private func tooEarly(_ group: Verdicts.Judged) -> String {
    guard let row = rows(of: group, .tooEarly).first else { return open(group) }
    guard row.value != nil, row.baselineValue != nil else {
      return "Too early to say: nobody's \(noun(row)) can be counted yet."
    }
    // A guardrail is not what the verdict is about, so it has to be named.
    let subject = row.isGuardrail ? " of its \(noun(row))" : ""
    let lack = "\(subject): \(row.scarcity?.sentence ?? "there is too little data")."
    return isOver(group)
      ? "Nothing can be said\(lack) Nobody joins any more, so waiting will not change it." : "Too early to say\(lack)"
  }

  /// Whether what it is too early for will never come.
  private func isOver(_ group: Verdicts.Judged) -> Bool {
    rows(of: group, .tooEarly).first.map { ended.contains($0.key.metric) } ?? false
  }

  private func open(_ group: Verdicts.Judged) -> String {
    guard let row = rows(of: group, .inconclusive).first ?? group.rows.first else {
      return "It cannot be compared yet."
    }
    let gains = rows(of: group, .better).map { " It \(change($0)), but that is not yet more money." }.joined()
    guard let interval = row.decidedLiftInterval else {
      return "What it does to \(noun(row)) cannot be told yet.\(outlook(row))\(gains)"
    }
    let (low, high) = (row.shown(interval.low), interval.high)
    let span = "anywhere from \(distance(low)) to \(distance(high)) \(baseline)'s"
    return "\(group.id)'s \(noun(row)) may lie \(span): less than this test can see.\(outlook(row))\(gains)"
  }

  /// ` 61 more nights would show 10 %.`
  private func outlook(_ row: ComparisonRow) -> String {
    plans.first { $0.metric == row.key.metric }?.outlook?.sentence(joining).map { " \($0)" } ?? ""
  }

  // MARK: - Words

  private func rows(of group: Verdicts.Judged, _ decision: Decision) -> [ComparisonRow] {
    group.rows.filter { $0.decision == decision && ($0.lift != nil || decision == .tooEarly) }
  }

  private func isMixed(_ group: Verdicts.Judged) -> Bool { group.rows.contains { $0.decision == .better } }

  private var sure: String {
    decideBy == .sequential ? "sure enough to act on however often you look" : "sure enough for the one look planned"
  }

  private func wording(_ row: ComparisonRow) -> MetricWording? {
    metrics.first { Identifier($0.request.id) == row.key.metric }?.wording
  }

  /// `net revenue per user`.
  private func noun(_ row: ComparisonRow) -> String { wording(row)?.noun ?? row.key.metric.text }

  /// `earns 94 % more per user`.
  private func change(_ row: ComparisonRow) -> String {
    let lift = row.shown(row.lift ?? 0)
    return wording(row)?.clause(lift: lift) ?? "has a \(row.key.metric) \(Phrase.comparative(lift))"
  }

  /// ` (42 to 174 %)`: the interval that decides, in the direction of the lift; empty where it has the other sign.
  private func range(_ row: ComparisonRow) -> String {
    guard let interval = row.decidedLiftInterval, let lift = row.lift else { return "" }
    return Phrase.spoken(of: lift, from: row.shown(interval.low), to: row.shown(interval.high))
  }

  /// `34 % below`, `56 % above`.
  private func distance(_ lift: Double) -> String {
    "\(Phrase.spoken(lift.magnitude)) \(lift < 0 ? "below" : "above")"
  }

  private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
