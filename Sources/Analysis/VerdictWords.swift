import Domain
import Jobs
import Measurement
import Statistics

/// Says a group's call so that it can be said aloud and acted on: what to do, and why.
struct VerdictWords {
  let baseline: Identifier
  /// The group to ship; nil where there is none.
  let best: Identifier?
  /// How many groups there are of which nothing is shown.
  let openGroups: Int
  /// The metrics whose sums are final: nobody joins any more, and all windows have ended.
  let ended: Set<Identifier>
  let metrics: [MeasuredMetric]
  /// All of the offering.
  let comparisons: [ComparisonRow]
  let plans: [PlanRow]
  let joining: Joining
  let rule: any DecisionRule
  /// The reporting currency.
  let currency: String
  /// When the first user's time began; nil where nobody is measured.
  let measuredFrom: Instant?
  /// The cut-off.
  let asOf: Instant
  /// How far the plan is; nil without one.
  let progress: PlanProgress?

  // MARK: - What to do

  /// `Ship group_a.`
  func headline(_ call: Call, on group: JudgedGroup) -> String {
    switch call {
    case .ship: return "Ship \(group.id.inWords)."
    case .drop: return "Drop \(group.id.inWords)."
    case .measure: return "Measure revenue before deciding on \(group.id.inWords)."
    case .wait: return "Wait for \(group.id.inWords)."
    case .doNotTrust: return "Do not act on this."
    case .choose: return choice(group)
    case .keep: return keep(group)
    case .end: return "End: \(lowercased(keep(group, isOver: true)))"
    }
  }

  private func choice(_ group: JudgedGroup) -> String {
    if group.isAhead, let failed = group.failing.first {
      return "\(capitalized(noun(failed))) \(movement(failed)): ship \(group.id.inWords) only if that is worth it."
    }
    if group.isAhead, let best, best != group.id { return "\(group.id.inWords) beats \(baseline.inWords), too." }
    if group.isAhead {
      return "Ship \(group.id.inWords) only if its \(Phrase.list(open(group.held).map(noun))) may stay untested."
    }
    return "Choose between \(group.id.inWords) and \(baseline.inWords)."
  }

  private func keep(_ group: JudgedGroup, isOver: Bool = false) -> String {
    if let best, best != group.id {
      let loser = "\(group.id.inWords) is not shown to differ"
      // Of many groups, a line each, the one that won is named once.
      return openGroups > Self.fewGroups ? "\(loser)." : "\(best.inWords) won; \(loser) from \(baseline.inWords)."
    }
    switch group.decision {
    case .equivalent: return "Keep \(baseline.inWords), or take \(group.id.inWords): no difference that matters."
    case .notWorse: return "Keep \(baseline.inWords), or take \(group.id.inWords): it does no harm."
    case _ where isOver:
      return openGroups > 1 ? "Keep \(baseline.inWords) over \(group.id.inWords)." : "Keep \(baseline.inWords)."
    case .tooEarly: return "Keep \(baseline.inWords) over \(group.id.inWords)."
    default:
      return openGroups > 1
        ? "Keep \(baseline.inWords) over \(group.id.inWords) for now." : "Keep \(baseline.inWords) for now."
    }
  }

  /// Of more groups the one that won is not named in every line.
  private static let fewGroups = 3

  // MARK: - Why

  /// `Expect that it earns about 25 % more per user (11 to 40 %); measured were 51 % (31 to 73 %), sure enough to act on.`
  func reason(_ call: Call, of group: JudgedGroup, expected: ExpectedLift?, stop: StopAdvice? = nil) -> String {
    guard !group.rows.isEmpty else { return "It cannot be compared yet." }
    let words =
      switch call {
      case .ship, .drop: [decided(group, expected), others(group), holding(group), progress?.early ?? ""]
      case .choose:
        [
          group.isAhead ? decided(group, expected) : mixed(group), others(group), failing(group), untested(group),
          ahead(group),
        ]
      case .measure: [unmeasured(group)]
      case .wait: [group.isAhead ? decided(group, expected) : "", waited(group), others(group)]
      case .end: [ended(group), others(group), failing(group)]
      case .keep, .doNotTrust: [futile(stop), undecided(group), others(group), failing(group)]
      }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What rules and is shown, the first with what is to be expected of it.
  private func decided(_ group: JudgedGroup, _ expected: ExpectedLift?) -> String {
    let shown = group.ruling.filter { [.better, .worse].contains($0.decision) && $0.lift != nil }
    guard let first = shown.first else { return undecided(group) }
    let opening = expected.map { expected in
      "Expect that it \(clause(first, lift: expected.lift, isAbout: true))\(span(expected.lift, expected.interval)); "
        + "measured were \(size(first))\(range(first)), \(certainty(first))."
    }
    let rest = shown.dropFirst().map { " It also \(change($0))\(range($0))." }.joined()
    return (opening ?? "It \(change(first))\(range(first)), \(certainty(first)).") + chance(first, expected)
      + of(first) + rest
  }

  /// ` Chance that it is better: 99 %.`, and a warning where the prior alone says what to expect.
  private func chance(_ row: ComparisonRow, _ expected: ExpectedLift?) -> String {
    guard let expected else { return "" }
    let isBetter = row.decision == .better
    let chance = isBetter ? expected.chanceToWin : 1 - expected.chanceToWin
    let share = chance >= 0.995 ? "over 99 %" : "\(Int((100 * chance).rounded())) %"
    let outside = row.decidedLiftInterval.map { !$0.contains(expected.lift) } ?? false
    let prior =
      outside
      ? " What is expected lies outside what was measured: if tests like this move more, say so with prior: {sd: 0.5}."
      : ""
    return " Chance that it is \(isBetter ? "better" : "worse"): \(share).\(prior)"
  }

  /// What is gained and what is lost, and what the owner has to weigh.
  private func mixed(_ group: JudgedGroup) -> String {
    let (gains, losses) = (group.gains, group.losses)
    guard let gain = gains.first, let loss = losses.first else { return undecided(group) }
    let all = [gains, losses].map { rows in Phrase.list(rows.map { "\(change($0))\(range($0))" }) }
    return
      "It \(all[0]), but it \(all[1]), both \(sure). Say which counts more: its \(noun(gain)) or its \(noun(loss))."
  }

  /// Other metrics that speak and do not rule: what a price does to them the money counts already.
  private func others(_ group: JudgedGroup) -> String {
    let shown = group.told.filter { [.better, .worse].contains($0.decision) && $0.lift != nil }
    guard !shown.isEmpty else { return "" }
    let words = Phrase.list(shown.map { "\(change($0))\(range($0))" })
    let isOpen = !group.ruling.contains { [.better, .worse].contains($0.decision) }
    return isOpen
      ? "It \(words), but that is not shown to be more money." : "It \(words): the money per user counts that already."
  }

  private func holding(_ group: JudgedGroup) -> String {
    group.held.filter { $0.decision == .notWorse }.map { "Its \(noun($0)) is \(bound($0))." }.joined(separator: " ")
  }

  private func bound(_ row: ComparisonRow) -> String {
    let margin = Phrase.percent(row.margin ?? 0)
    return row.decision == .notWorse
      ? "shown not to be worse by \(margin) or more" : "within \(margin) of \(baseline.inWords)'s"
  }

  /// What must hold and is not shown to.
  private func failing(_ group: JudgedGroup) -> String {
    group.failing.enumerated().map { index, row in
      // Without a margin there is one thing that stands against a group: that harm is shown.
      guard row.margin != nil else {
        return group.isAhead && index == 0
          ? "That is shown to be worse.\(of(row))"
          : "Its \(noun(row)) \(movement(row))\(of(row)): shown to be worse."
      }
      let margin = Phrase.percent(row.margin ?? 0)
      // The headline has told the first one's values.
      return group.isAhead && index == 0
        ? "The job allows less than \(margin) worse, and that is not shown.\(of(row))"
        : "Its \(noun(row)) \(movement(row))\(of(row)): not shown to be worse by less than \(margin)."
    }.joined(separator: " ")
  }

  /// What must hold, and of which there is too little to say.
  private func untested(_ group: JudgedGroup) -> String {
    guard group.isAhead, group.failing.isEmpty else { return "" }
    return group.held.first { $0.margin != nil && $0.decision == .tooEarly }.map { tooEarly($0, group) } ?? ""
  }

  private func ahead(_ group: JudgedGroup) -> String {
    guard group.isAhead, let best, best != group.id else { return "" }
    return "\(best.inWords) is ahead of it; this test does not compare the two."
  }

  private func unmeasured(_ group: JudgedGroup) -> String {
    let shown = group.speaking.filter { [.better, .worse].contains($0.decision) && $0.lift != nil }
    let words = shown.isEmpty ? undecided(group) : "It \(Phrase.list(shown.map { "\(change($0))\(range($0))" }))."
    return "\(words) Where prices differ, more payers may bring less money, and fewer more."
  }

  // MARK: - Where nothing is shown

  private func undecided(_ group: JudgedGroup) -> String {
    let rows = group.ruling.isEmpty ? group.held : group.ruling
    if let early = rows.first(where: { $0.decision == .tooEarly }) { return tooEarly(early, group) }
    if let row = rows.first(where: { $0.decision == .inconclusive || $0.decision == .doNotTrust }) {
      return open(row, group)
    }
    let settled = rows.filter { [.equivalent, .notWorse].contains($0.decision) }
    return settled.isEmpty ? "" : capitalized(Phrase.list(settled.map { "its \(noun($0)) is \(bound($0))" })) + "."
  }

  /// That going on is of no use, where it is.
  private func futile(_ stop: StopAdvice?) -> String {
    guard stop?.word == .futile else { return "" }
    return
      "Going on is of little use: even the best that fits these figures would be shown by the planned end in fewer "
      + "than 1 of 10 cases."
  }

  /// Why a test that is over ends with the baseline.
  private func ended(_ group: JudgedGroup) -> String {
    let rows = group.ruling.isEmpty ? group.held : group.ruling
    guard let row = rows.first(where: { $0.decision == .inconclusive }), group.decision == .inconclusive else {
      return undecided(group)
    }
    let why = progress?.isComplete ?? false ? "The plan is complete" : "The test is over"
    let plan = plans.first { $0.metric == row.key.metric }
    let seen =
      plan?.detectableLift.map { "; anything above \(Phrase.spoken($0)) would very likely have been" } ?? ""
    return "\(why) and no difference was shown\(seen).\(smaller(plan)) \(measured(row, group))"
  }

  /// ` A smaller one would take about 70 more nights.`
  private func smaller(_ plan: PlanRow?) -> String {
    guard let plan, let lift = plan.lift, let nights = plan.nightsMore, nights > 0, !joining.isOver,
      plan.detectableLift ?? 0 > lift.magnitude
    else { return "" }
    return " One of \(Phrase.spoken(lift.magnitude)) would take about \(Phrase.count(nights, "more night"))."
  }

  /// What more data will tell.
  private func waited(_ group: JudgedGroup) -> String {
    let early = (group.ruling + group.held).filter { $0.decision == .tooEarly }
    return early.first { !ended.contains($0.key.metric) }.map { tooEarly($0, group) } ?? undecided(group)
  }

  private func tooEarly(_ row: ComparisonRow, _ group: JudgedGroup) -> String {
    let lack = row.scarcity?.sentence ?? "there is too little data"
    if case .days = row.scarcity { return "Too early: \(lack). People buy otherwise at weekends." }
    // A guardrail is not what the verdict is about, so it has to be named.
    let subject = row.isGuardrail ? " of its \(noun(row))" : ""
    if ended.contains(row.key.metric) {
      return "This test is too small to tell\(subject): \(seen(row, group))\(lack). "
        + "Nobody joins any more, so waiting will not change it."
    }
    guard row.value != nil, row.baselineValue != nil else {
      return "Too early to say: nobody's \(noun(row)) can be counted yet.\(firstFigures(row))"
    }
    return "Too early to say\(subject): \(lack).\(firstFigures(row))"
  }

  /// `it could only have seen a difference of 56 % or more in net revenue per user, and `; of a difference as large as that
  /// the difference itself.
  private func seen(_ row: ComparisonRow, _ group: JudgedGroup) -> String {
    // The plan's figure is the one that stands in the page's picture of how precise the test is.
    let planned = plans.first { $0.metric == row.key.metric }?.detectableLift ?? row.detectableLift
    if let lift = row.lift, lift.magnitude >= planned ?? 0 {
      return lift == 0 ? "" : "\(group.id.inWords)'s \(noun(row)) was measured \(side(row.shown(lift))), but "
    }
    return planned.map { "it could only have seen a difference of \(Phrase.spoken($0)) or more in \(noun(row)), and " }
      ?? ""
  }

  /// ` The first figures come on 3 May 2026, UTC.`: when the first user's window has ended; empty where there are some.
  private func firstFigures(_ row: ComparisonRow) -> String {
    guard row.value == nil || row.baselineValue == nil, let measuredFrom,
      let window = metric(row)?.request.windowMilliseconds
    else { return "" }
    let end = Instant(milliseconds: measuredFrom.milliseconds + window)
    return " The first figures come on \(Phrase.day(CivilDate(day: end.utcDay))), UTC."
  }

  /// `group_a's net revenue per user was measured 6 % lower; in truth it may be 19 % lower or 8.1 % higher. 61 more nights
  /// would show 10 %.`
  private func open(_ row: ComparisonRow, _ group: JudgedGroup) -> String {
    guard let lift = row.lift, let interval = row.decidedLiftInterval else {
      return "What it does to \(noun(row)) cannot be computed; the check not_computable says why."
    }
    return "\(measured(row, group, lift, interval))\(outlook(row))"
  }

  /// The same without what more data would tell.
  private func measured(_ row: ComparisonRow, _ group: JudgedGroup) -> String {
    guard let lift = row.lift, let interval = row.decidedLiftInterval else { return open(row, group) }
    return measured(row, group, lift, interval)
  }

  private func measured(_ row: ComparisonRow, _ group: JudgedGroup, _ lift: Double, _ interval: Interval) -> String {
    let measured = "\(group.id.inWords)'s \(noun(row)) was measured \(side(row.shown(lift)))"
    let ends = [side(row.shown(interval.low)), side(row.shown(interval.high))]
    return "\(measured); in truth it may be as far as \(ends[0]) or \(ends[1])."
  }

  /// ` 61 more nights would show 10 %.`; where another group won nobody waits for that.
  private func outlook(_ row: ComparisonRow) -> String {
    guard best == nil else { return "" }
    return plans.first { $0.metric == row.key.metric }?.outlook?.sentence(joining).map { " \($0)" } ?? ""
  }

  // MARK: - Words

  private func open(_ rows: [ComparisonRow]) -> [ComparisonRow] { rows.filter { $0.decision != .notWorse } }

  private var sure: String { rule.words.sure }

  /// `sure enough to act on`; of what stands since an earlier night `shown on 12 March 2026`.
  private func certainty(_ row: ComparisonRow) -> String {
    guard let since = row.shownSince, since < asOf else { return sure }
    let day = Phrase.day(CivilDate(endingAt: since))
    return row.isOverturned ? "shown on \(day), after the opposite had been" : "shown on \(day)"
  }

  private func metric(_ row: ComparisonRow) -> MeasuredMetric? {
    metrics.first { Identifier($0.request.id) == row.key.metric }
  }

  /// `net revenue per user`.
  private func noun(_ row: ComparisonRow) -> String { metric(row)?.wording.noun ?? row.key.metric.text }

  /// `earns 94 % more per user`.
  private func change(_ row: ComparisonRow) -> String { clause(row, lift: row.shown(row.lift ?? 0)) }

  private func clause(_ row: ComparisonRow, lift: Double, isAbout: Bool = false) -> String {
    metric(row)?.wording.clause(lift: lift, isAbout: isAbout)
      ?? "has a \(row.key.metric) \(isAbout ? "about " : "")\(Phrase.comparative(lift))"
  }

  /// `51 %`.
  private func size(_ row: ComparisonRow) -> String { Phrase.spoken(row.shown(row.lift ?? 0)) }

  /// ` (42 to 174 %)`: the interval that decides, in the direction of the lift; empty where it has the other sign.
  private func range(_ row: ComparisonRow) -> String {
    guard let interval = row.decidedLiftInterval, let lift = row.lift else { return "" }
    return Phrase.spoken(of: lift, from: row.shown(interval.low), to: row.shown(interval.high))
  }

  /// The same of an interval that may hold both directions: ` (4 % lower to 22 % higher)`.
  private func span(_ lift: Double, _ interval: Interval) -> String {
    let told = Phrase.spoken(of: lift, from: interval.low, to: interval.high)
    return told.isEmpty ? " (\(side(interval.low)) to \(side(interval.high)))" : told
  }

  /// `34 % lower`, `56 % higher`.
  private func side(_ lift: Double) -> String {
    lift == 0 ? "the same" : "\(Phrase.spoken(lift.magnitude)) \(lift < 0 ? "lower" : "higher")"
  }

  /// `went from 6.4 % to 20.3 %`.
  private func movement(_ row: ComparisonRow) -> String {
    "went from \(value(row.baselineValue, row)) to \(value(row.value, row))"
  }

  /// ` 15.1 % of its users and 9.9 % of control's; of those who began one 50 % and 66 %.`, of what stands for a ratio; else
  /// empty.
  private func of(_ row: ComparisonRow) -> String {
    guard let standsFor = metric(row)?.standsFor,
      let ratio = comparisons.first(where: {
        $0.key.metric == standsFor.metric && $0.key.group == row.key.group && $0.key.segment == row.key.segment
      })
    else { return "" }
    let users = row.isRate ? " of its users" : " a user"
    return " That is \(value(row.value, row))\(users), \(value(row.baselineValue, row)) of \(baseline.inWords)'s; "
      + "\(standsFor.ofThose) \(value(ratio.value, ratio)) and \(value(ratio.baselineValue, ratio))."
  }

  private func value(_ value: Double?, _ row: ComparisonRow) -> String {
    guard let value else { return "nothing yet" }
    let isShare = row.isRate && value <= 1
    return Phrase.value(value, isShare: isShare, currency: row.isMoney ? currency : nil)
  }

  private func lowercased(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

  private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
