import Domain
import Jobs
import Measurement
import Statistics

/// Says a group's call in the field's plain words: what to do, what was seen, what to expect of it, and how sure that is.
///
/// Every face (page, summary, last line, index, verdict.json, notices) shows these sentences and makes none of its own.
struct CallWords {
  let baseline: Identifier
  /// The group to ship; nil where there is none.
  let best: Identifier?
  /// The metrics whose sums are final: nobody joins any more, and all windows have ended.
  let ended: Set<Identifier>
  let metrics: [MeasuredMetric]
  /// All of the offering.
  let comparisons: [ComparisonRow]
  let plans: [PlanRow]
  let joining: Joining
  /// The reporting currency.
  let currency: String
  /// Whom the night counts: `users who saw the paywall`.
  let users: String
  /// When the first user's time began; nil where nobody is measured.
  let measuredFrom: Instant?
  /// The cut-off.
  let asOf: Instant
  /// How far the plan is; nil without one.
  let progress: PlanProgress?

  /// What is known of a group beside its comparisons.
  struct Facts {
    var expected: ExpectedLift?
    var worth: Worth?
    var stop: StopAdvice?
    /// Why the call that an earlier night made no longer stands; nil where none did, or it does.
    var reversal: String?
  }

  /// A call in sentences.
  struct Sentences {
    /// `Ship group_a.`
    var headline: String
    /// Why, in at most three sentences.
    var reasons: [String]
    /// What else is known, for those who ask.
    var details: [String]
  }

  func sentences(_ call: Call, on group: JudgedGroup, _ facts: Facts) -> Sentences {
    let details = (call == .ship || call == .drop || group.isAhead ? self.details(group, facts) : [])
      .filter { !$0.isEmpty }
    return Sentences(
      headline: headline(call, on: group), reasons: reasons(call, of: group, facts, behind: facts.reversal),
      details: details)
  }

  // MARK: - What to do

  private func headline(_ call: Call, on group: JudgedGroup) -> String {
    switch call {
    case .ship: "Ship \(group.id.inWords)."
    case .drop: "Drop \(group.id.inWords)."
    case .measure: "Measure revenue before deciding on \(group.id.inWords)."
    case .wait: "Wait for \(group.id.inWords)."
    case .doNotTrust: "Do not act on this."
    case .choose: choice(group)
    case .keep: retain(group)
    case .end: "End: keep \(baseline.inWords)."
    }
  }

  private func choice(_ group: JudgedGroup) -> String {
    guard group.isAhead else { return "Choose between \(group.id.inWords) and \(baseline.inWords)." }
    if let failed = group.failing.first {
      return "\(capitalized(noun(failed))) \(movement(failed)): ship \(group.id.inWords) only if that is worth it."
    }
    if let best, best != group.id { return "\(group.id.inWords) beats \(baseline.inWords), too." }
    let untested = group.held.filter { $0.decision != .notWorse }.map(noun)
    return "Ship \(group.id.inWords) only if its \(Phrase.list(untested)) may stay untested."
  }

  private func retain(_ group: JudgedGroup) -> String {
    if let best, best != group.id {
      return "\(best.inWords) won; \(group.id.inWords) is not shown to differ from \(baseline.inWords)."
    }
    return switch group.decision {
    case .equivalent: "Keep \(baseline.inWords), or take \(group.id.inWords): no difference that matters."
    case .notWorse: "Keep \(baseline.inWords), or take \(group.id.inWords): it does no harm."
    default: "Keep \(baseline.inWords) for now."
    }
  }

  // MARK: - Why

  /// At most three, the last of them why an earlier call no longer stands.
  private func reasons(_ call: Call, of group: JudgedGroup, _ facts: Facts, behind last: String?) -> [String] {
    let reasons = self.reasons(call, of: group, facts).filter { !$0.isEmpty }
    return last.map { Array(reasons.prefix(2)) + [$0] } ?? reasons
  }

  private func reasons(_ call: Call, of group: JudgedGroup, _ facts: Facts) -> [String] {
    guard !group.rows.isEmpty else { return ["It cannot be compared yet."] }
    switch call {
    case .ship, .drop: return shown(group, facts)
    case .choose: return choose(group, facts)
    case .measure:
      let shown = group.speaking.filter(\.isShown).map { seen($0) }
      return Array((shown.isEmpty ? open(group, facts) : shown).prefix(2))
        + ["Where prices differ, more payers may bring less money, and fewer more."]
    case .wait:
      return (group.isAhead ? [seen(group.ruling.first(where: \.isShown))] : []) + [waited(group)]
    case .end: return over(group, facts)
    case .keep, .doNotTrust: return open(group, facts) + [failing(group)]
    }
  }

  /// What rules and is shown: its figures, what to expect of it, how sure that is.
  private func shown(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    guard let first = group.ruling.first(where: \.isShown) else { return open(group, facts) }
    return [seen(first, beside: others(group)), expected(first, facts), chance(first, facts)]
  }

  private func choose(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    guard group.isAhead else { return mixed(group, facts) }
    let shown = self.shown(group, facts)
    if group.failing.isEmpty, let best, best != group.id {
      return [shown[0], "\(best.inWords) is ahead of it; this test does not compare the two.", shown.last ?? ""]
    }
    let untested = group.failing.isEmpty ? group.held.first { $0.margin != nil && $0.decision == .tooEarly } : nil
    guard let untested else { return shown }
    return [shown[0], tooEarly(untested, group), shown.last ?? ""]
  }

  /// What is gained and what is lost, and what the owner has to weigh.
  private func mixed(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    guard let gain = group.gains.first, let loss = group.losses.first else { return open(group, facts) }
    return [
      seen(gain), "But \(lowercased(seen(loss)))", "Say which counts more: its \(noun(gain)) or its \(noun(loss)).",
    ]
  }

  /// Other metrics that speak and do not rule: what a price does to them the money counts already.
  func others(_ group: JudgedGroup) -> ComparisonRow? { group.reported.first(where: \.isShown) }

  // MARK: - What else is known

  private func details(_ group: JudgedGroup, _ facts: Facts) -> [String] {
    let shown = group.ruling.filter(\.isShown)
    let first = shown.first
    let rest = (shown.dropFirst() + group.reported.filter(\.isShown)).map { seen($0) }
    let held = group.held.filter { $0.decision == .notWorse }.map { "Its \(noun($0)) is \(bound($0))." }
    return [ratio(first), failing(group)] + rest + held + [worth(facts), prior(first, facts)]
  }

  private func worth(_ facts: Facts) -> String { facts.worth?.sentence ?? "" }

  /// That the prior alone moves what is expected out of what was measured.
  private func prior(_ row: ComparisonRow?, _ facts: Facts) -> String {
    guard let expected = facts.expected, let interval = row?.decidedLiftInterval, !interval.contains(expected.lift)
    else { return "" }
    return "What is expected lies outside what was measured: if tests like this move more, add prior: {sd: 0.5}."
  }

  func bound(_ row: ComparisonRow) -> String {
    let margin = Phrase.percent(row.margin ?? 0)
    return row.decision == .notWorse
      ? "shown not to be worse by \(margin) or more" : "within \(margin) of \(baseline.inWords)'s"
  }

  /// What must hold and is not shown to.
  private func failing(_ group: JudgedGroup) -> String {
    group.failing.enumerated().map { index, row in
      // The headline has the first one's values.
      let subject = group.isAhead && index == 0 ? "That" : "Its \(noun(row)) \(movement(row)): that"
      guard let margin = row.margin.map(Phrase.percent) else { return "\(subject) is shown to be worse." }
      return "\(subject) is not shown to be worse by less than \(margin), as the job asks."
    }.joined(separator: " ")
  }

  /// `15.8 % of its users pay after a trial, 11.9 % of control's; of those whose trial is over 23.8 and 18 %.`, of what
  /// stands for a ratio; else empty.
  private func ratio(_ row: ComparisonRow?) -> String {
    guard let row, let standsFor = metric(row)?.standsFor,
      let ratio = comparisons.first(where: {
        $0.key.metric == standsFor.metric && $0.key.group == row.key.group && $0.key.segment == row.key.segment
      })
    else { return "" }
    let values = self.values(ratio)
    return values.map { "\(capitalized(standsFor.ofThose)): \($0.value) instead of \($0.baseline)." } ?? ""
  }
}

extension ComparisonRow {
  /// It is shown to differ, by so much.
  var isShown: Bool { [.better, .worse].contains(decision) && lift != nil }
}
