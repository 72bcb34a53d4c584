import Domain
import Jobs
import Measurement
import Statistics

/// `whales`: do ten users make half of a group's money?
///
/// A mean of money without a cap then hangs on who happens to be in the group, and decisions wait until both groups have met
/// enough of the largest payers. A cap ends that.
struct WhalesCheck: HealthCheck {
  let terms = CheckTerms(
    "whales", "the part of a group's sum that its ten largest users make, of a mean of money without `cap`",
    warnsFrom: 0.5)

  /// One row for each such metric: the group whose ten users make the most of it.
  func checks(of metric: CheckedMetric) -> [Check] {
    let samples = metric.metric.kind == .mean ? metric.everybody?.samples ?? [] : []
    let shares = samples.compactMap { sample in sample.largestShare.map { (group: sample.group, share: $0) } }
    guard let most = shares.max(by: { ($0.share, $1.group) < ($1.share, $0.group) }) else { return [] }
    let id = metric.metric.request.id
    let level = terms.level(in: metric.job)
    let isTooMuch = most.share >= level
    return [
      Check(
        offering: metric.offering, name: name, subject: "metric \(id)", status: isTooMuch ? .warn : .pass,
        observed: most.share, expected: level,
        message: "\(id): ten users make \(Phrase.percent(most.share)) of \(most.group.inWords)'s sum"
          + (isTooMuch
            ? ". Who happens to be in a group moves it, so it is decided late. Give it a cap:, {percentile: 99.9} say."
            : "."))
    ]
  }
}
