import Domain
import Jobs
import Statistics

/// `cuped`: what the covariate is worth: how much of the variance it takes away.
struct CovariateCheck: HealthCheck {
  let terms = CheckTerms(
    "cuped", "says how much variance the covariate saves; warns where it is the same for everybody")
  let isRemark = true

  /// One row for each metric with a covariate, over everybody.
  func checks(of offering: CheckedOffering) -> [Check] { checks(of: offering.sets) }

  func checks(of sets: [MetricSamples]) -> [Check] {
    sets.filter { $0.segment == CellKey.everybody && $0.hasCovariate }.map(check)
  }

  private func check(of set: MetricSamples) -> Check {
    let id = set.metric.request.id
    var check = Check(
      offering: set.offering, name: name, subject: "metric \(id)", status: .warn,
      message:
        "\(id): nobody's past differs\(period(set)), so there is nothing to adjust by; the comparison is the plain one."
    )
    check.figures["lookback_days"] = days(set)
    guard let frames = set.frames, frames.method == .adjusted, let theta = frames.theta else { return check }
    check.observed = frames.varianceSaved
    check.status = .pass
    check.figures["theta"] = theta
    let saved = frames.varianceSaved ?? 0
    let worth = saved < 0 ? "adds \(Phrase.percent(-saved)) to" : "takes \(Phrase.percent(saved)) of"
    check.message =
      "\(id): adjusting by what users did\(period(set)) \(worth) the variance (theta \(Phrase.decimal(theta, decimals: 4)))."
    return check
  }

  private func days(_ set: MetricSamples) -> Double? {
    set.metric.request.covariateMilliseconds.map { Double($0) / Double(Instant.millisecondsPerDay) }
  }

  private func period(_ set: MetricSamples) -> String {
    days(set).map { " in the \(Phrase.decimal($0, decimals: 1)) days before" } ?? " before"
  }
}
