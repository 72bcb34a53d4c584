import Domain
import Jobs
import Statistics

/// `pre_period_balance`: were the groups alike before the test began?
///
/// Users are shared out by lot, so what they did before can differ only by chance. Where the covariate (the
/// metric's own quantity before the assignment) differs at p < 0.001, somebody may have sorted them. It warns
/// and does not fail: the adjustment takes just this difference away again.
struct BalanceCheck: HealthCheck {
  let terms = CheckTerms(
    "pre_period_balance",
    "the covariate differs from the baseline's at p < 0.001, so users were not alike before the test: warns")

  /// Warns below this, by Welch's test.
  static let warnBelow = 0.001

  /// One row for each group of a metric that has a covariate, over everybody.
  func checks(of offering: CheckedOffering) -> [Check] { checks(of: offering.sets) }

  func checks(of sets: [MetricSamples]) -> [Check] {
    sets.filter { $0.segment == CellKey.everybody && $0.hasCovariate }.flatMap { set -> [Check] in
      guard let baseline = set.baselineSample else { return [] }
      return set.samples.filter { $0.group != set.baseline }.compactMap { check(of: set, baseline, $0) }
    }
  }

  private func check(
    of set: MetricSamples, _ baseline: MetricSamples.Sample, _ other: MetricSamples.Sample
  ) -> Check? {
    guard let a = MeanFrame(covariateOf: baseline.moments), let b = MeanFrame(covariateOf: other.moments),
      let pValue = Comparison(baseline: a, other: b).pValue
    else { return nil }
    let isOff = pValue < Self.warnBelow
    let verdict =
      isOff
      ? "differed before the test began, which chance alone hardly explains; find out how users came into groups"
      : "were alike before the test began"
    let means = "\(Phrase.decimal(b.mean, decimals: 4)) against \(Phrase.decimal(a.mean, decimals: 4))"
    return Check(
      offering: set.offering, name: name,
      subject: "metric \(set.metric.request.id), group \(other.group)", status: isOff ? .warn : .pass,
      observed: b.mean, expected: a.mean, pValue: pValue,
      message:
        "\(set.metric.request.id): users of \(other.group) and \(set.baseline) \(verdict): \(means) a user; "
        + "\(Phrase.pValue(pValue)).")
  }
}
