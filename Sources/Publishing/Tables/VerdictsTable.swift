import Analysis
import Domain
import Statistics

/// `verdicts.csv`: what to do about each group, in the words of the report; of an offering without groups to compare one
/// row without a group.
///
/// `offering_decision` is the offering's, `decision` the group's. Lifts are those of `metric`, the one that the call names first.
/// `worth` and `worth_per_month` are in the reporting currency, below 0 for a loss, and empty where revenue is not shown
/// to differ.
struct VerdictsTable: ResultTable {
  typealias Record = VerdictRow
  let name = "verdicts"
  let meaning = "What to do about each group, in the report's words."
  let records = Records<Record>.held(\.verdictRows)

  let offering = Name.offering(\.offering)
  let group = Text("test_group_id", "the group; empty where there is none to compare", isKey: true) {
    $0.group?.group.text
  }
  let offeringDecision = Text(
    "offering_decision", "what the offering comes to: do_not_trust, better …", \.offeringDecision.rawValue)
  let decision = Text("decision", "what the group comes to") { $0.decision?.rawValue }
  let call = Text("call", "what to do: ship, keep, end, drop, choose, wait, measure, do_not_trust", \.call.rawValue)
  let headline = Text("headline", "the call in a sentence", \.headline)
  let reason = Text("reason", "why", \.reason)
  let metric = Text("metric", "the metric that the call names first") { $0.group?.metric?.text }
  let measuredLift = Real("measured_lift", "its lift as it was measured", in: .lift) { $0.group?.measured?.lift }
  let measuredInterval = Bounds(
    Real("measured_ci_low", "lower end of the interval that decides", in: .lift) { $0.group?.measured?.interval?.low },
    Real("measured_ci_high", "upper end of it", in: .lift) { $0.group?.measured?.interval?.high })
  let expectedLift = Real("expected_lift", "what will come of it once shipped: the posterior mean", in: .lift) {
    $0.group?.expected?.lift
  }
  let expectedInterval = Bounds(
    Real("expected_ci_low", "lower end of the posterior's interval", in: .lift) { $0.group?.expected?.interval.low },
    Real("expected_ci_high", "upper end of it", in: .lift) { $0.group?.expected?.interval.high })
  let chanceToWin = Real(
    "chance_to_win", "the probability that the group is better, by the same posterior", in: .probability
  ) {
    $0.group?.expected?.chanceToWin
  }
  let shownOn = Text("shown_on", "the UTC day whose end showed the decision first; it stands since then", as: .date) {
    $0.group?.shownSince.map { CivilDate(endingAt: $0).description }
  }
  let stop = Text("stop", "whether to go on: ship, futile or wait") { $0.group?.stop?.word.rawValue }
  let stopChance = Real("stop_chance", "the chance to show what is expected by the planned end", in: .probability) {
    $0.group?.stop?.chance
  }
  let stopNights = Integer("stop_nights", "more nights until what is expected is decided", in: .nights) {
    $0.group?.stop?.nights
  }
  let stopFewest = Integer("stop_nights_low", "the same if the better end of what is expected is true", in: .nights) {
    $0.group?.stop?.fewestNights
  }
  let stopMost = Integer(
    "stop_nights_high", "the same if the worse end is; empty where it is never decided", in: .nights
  ) {
    $0.group?.stop?.mostNights
  }
  let stopLoss = Real("stop_loss", "the lift that choosing by tonight's figures loses on average", in: .lift) {
    $0.group?.stop?.lossNow
  }
  let stopValue = Real("stop_value", "by how much one more night makes that less", in: .lift) {
    $0.group?.stop?.valueOfNight
  }
  let currency = Text.currency
  let worth = Real(
    "worth", "money that taking the group is expected to bring for every 1,000 users; below 0 for a loss",
    in: .currency
  ) {
    $0.group?.worth?.perThousandUsers
  }
  let worthInterval = Bounds(
    Real("worth_ci_low", "lower end of what it may be", in: .currency) { $0.group?.worth?.range.low },
    Real("worth_ci_high", "upper end of it", in: .currency) { $0.group?.worth?.range.high })
  let worthPerMonth = Real("worth_per_month", "the same for 30 days of all users who join", in: .currency) {
    $0.group?.worth?.perMonth
  }
}

/// One group's verdict with its offering's.
struct VerdictRow {
  var offering: Identifier
  var offeringDecision: Decision
  /// Nil where there is none to compare.
  var group: OfferingVerdict.GroupVerdict?
  /// Nil where there is no group.
  var decision: Decision?
  var call: Call
  var headline: String
  var reason: String
}

extension NightResult {
  fileprivate var verdictRows: [VerdictRow] { verdicts.flatMap(\.rows) }
}

extension OfferingVerdict {
  /// A row for each group; where a check failed each says so, and nothing else.
  var rows: [VerdictRow] {
    let isUntrusted = decision == .doNotTrust
    guard let obstacle else {
      return groups.map { group in
        VerdictRow(
          offering: offering, offeringDecision: decision, group: group, decision: group.decision,
          call: group.call, headline: group.headline, reason: group.reason)
      }
    }
    let untold = VerdictRow(
      offering: offering, offeringDecision: decision, call: isUntrusted ? .doNotTrust : .wait,
      headline: isUntrusted ? "Do not act on this." : "", reason: obstacle)
    guard isUntrusted, !groups.isEmpty else { return [untold] }
    return groups.map { group in
      var (row, group) = (untold, group)
      (group.metric, group.measured, group.expected, group.worth) = (nil, nil, nil, nil)
      (group.shownSince, group.stop) = (nil, nil)
      (row.group, row.decision) = (group, .doNotTrust)
      return row
    }
  }
}
