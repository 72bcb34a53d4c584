import Analysis
import Domain

extension ResultTable {
  /// `verdicts.csv`: what to do about each group, in the words of the report; of an offering of which nothing can be said
  /// one row without a group.
  ///
  /// `offering_decision` is the offering's, `decision` the group's. `worth_per_1000_users` and `worth_per_month` are in
  /// the reporting currency, below 0 for a loss, and empty where revenue is not shown to differ.
  static var verdicts: ResultTable {
    ResultTable(
      "verdicts", "What to do about each group, in the report's words.", of: \.verdictRows,
      columns: [
        .offering(\.offering),
        .keyText("test_group_id", "the group; empty where nothing can be said of any") { $0.group?.group.text },
        .text("offering_decision", "what the offering comes to: do_not_trust, better …", \.offeringDecision.rawValue),
        .text("decision", "what the group comes to") { $0.group?.decision.rawValue },
        .text("call", "what to do") { $0.call },
        .text("reason", "why") { $0.reason },
        .currency,
        .real("worth_per_1000_users", "money that taking the group brings for every 1,000 users; below 0 for a loss") {
          $0.group?.worth?.perThousandUsers
        },
        .real("worth_per_month", "the same for 30 days of all users who join") { $0.group?.worth?.perMonth },
      ])
  }
}

/// One group's verdict with its offering's.
struct VerdictRow {
  var offering: Identifier
  var offeringDecision: Decision
  /// Nil where nothing can be said of any group.
  var group: OfferingVerdict.GroupVerdict?
  var call: String
  var reason: String
}

extension NightResult {
  fileprivate var verdictRows: [VerdictRow] {
    verdicts.flatMap { verdict -> [VerdictRow] in
      guard let obstacle = verdict.obstacle else {
        return verdict.groups.map { group in
          VerdictRow(
            offering: verdict.offering, offeringDecision: verdict.decision, group: group, call: group.call,
            reason: group.reason)
        }
      }
      let call = verdict.decision == .doNotTrust ? "Do not act on this." : ""
      return [
        VerdictRow(offering: verdict.offering, offeringDecision: verdict.decision, call: call, reason: obstacle)
      ]
    }
  }
}
