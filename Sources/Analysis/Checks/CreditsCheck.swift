import Domain
import Jobs
import Measurement

/// `credits_balance`: does the server say what we count as left of its users' credits?
///
/// Its last answer on each user is held against the balance at that moment. An account that had a history before the test
/// is not compared: what it had then no log here tells.
struct CreditsCheck: HealthCheck {
  let terms = CheckTerms(
    "credits_balance",
    "users whose credits the server says are another number than `credits_balance` counts; from one in ten it fails where "
      + "a metric of credits decides",
    warnsFrom: 0.01)

  /// From this share of the users compared it fails.
  private static let failLevel = 0.1

  /// One row an offering; none where no user can be compared.
  func checks(of checked: CheckedOffering) -> [Check] {
    let credits = checked.offering.groups.reduce(into: CreditComparison()) { $0.add($1.tables.credits) }
    guard credits.compared > 0 else { return [] }
    var check = row(
      offering: checked.offering.id, count: credits.differing, of: credits.compared, job: checked.job,
      message: sentence(credits))
    let decides = checked.sets.contains {
      $0.metric.needsCredits && ($0.metric.request.primary || $0.metric.request.guardrail)
    }
    let isMuch = Double(credits.differing) >= Self.failLevel * Double(credits.compared)
    if check.status == .warn, decides, isMuch { check.status = .fail }
    if check.status != .pass {
      check.message +=
        " Look at the credits in products:, at starting: and spent_by:, and for calls and notifications that no "
        + "log here has."
    }
    check.figures["largest_difference"] = Double(credits.largest)
    check.figures["not_compared"] = Double(credits.users - credits.compared)
    return [check]
  }

  private func sentence(_ credits: CreditComparison) -> String {
    let others = credits.users - credits.compared
    let rest =
      others > 0
      ? " \(Phrase.count(others, "user")) whose account had moved before its first answer could not be compared." : ""
    guard credits.differing > 0 else {
      return
        "Of all \(Phrase.count(credits.compared, "user")) compared the server says the credits that are counted.\(rest)"
    }
    return
      "Of \(Phrase.count(credits.differing)) of \(Phrase.count(credits.compared, "user")) compared "
      + "(\(Phrase.percent(Double(credits.differing) / Double(credits.compared)))) the server says other credits than are "
      + "counted, by \(Phrase.count(Int(credits.largest))) at most.\(rest)"
  }
}
