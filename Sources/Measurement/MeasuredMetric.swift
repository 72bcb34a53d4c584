import Domain
import Jobs
import Statistics

/// A metric as it was measured: what Analysis and Publishing need to know of it.
package struct MeasuredMetric: Sendable {
  package var request: MetricRequest
  /// How it is said.
  package var wording: MetricWording
  package var kind: MetricKind
  /// How many of the sums' units make one of the value's: 1,000,000 for money, else 1.
  package var scale: Int128
  /// What a quantile metric asks for; its sums are those of the metric it is taken of.
  package var quantile: MetricRequest.Quantile?
  /// Its values are days until an end; its figures are a curve's.
  package var isSurvival = false
  /// It is taken at the cut-off, not over the same time for everybody.
  package var isAtCutoff = false
  /// Users whose value is 0 are told beside it.
  package var countsZeros = false
  /// It rests on what the store keeps, which is assumed where nothing tells it.
  package var needsCommission = false
  /// It counts credits.
  package var needsCredits = false
  /// What is decided in its place, where the test moves what it is of; nil where nothing defines the metric.
  package var perUser: PerUser?
  /// It stands for a metric whose denominator the test moves.
  package var standsFor: StandsFor?

  /// The same numerator over all measured users.
  package struct PerUser: Sendable {
    package var kind: MetricKind
    package var wording: MetricWording
    /// Whom the ratio is of: `of those who began one`.
    package var ofThose: String

    package init(kind: MetricKind, wording: MetricWording, ofThose: String) {
      (self.kind, self.wording, self.ofThose) = (kind, wording, ofThose)
    }
  }

  /// The ratio or curve in whose place a metric is decided.
  package struct StandsFor: Sendable {
    /// The id of the ratio or curve.
    package var metric: Identifier
    /// Whom it is of: `of those who began one`.
    package var ofThose: String

    package init(metric: Identifier, ofThose: String) {
      (self.metric, self.ofThose) = (metric, ofThose)
    }
  }

  /// - Parameter wording: nil where nothing defines the metric, as where its sums come from elsewhere.
  package init(
    request: MetricRequest, kind: MetricKind, scale: Int128, quantile: MetricRequest.Quantile? = nil,
    isSurvival: Bool = false, isAtCutoff: Bool = false, countsZeros: Bool = false, wording: MetricWording? = nil,
    perUser: PerUser? = nil
  ) {
    self.request = request
    self.wording = wording ?? MetricWording(request.label ?? request.id)
    self.kind = kind
    self.scale = scale
    self.quantile = quantile
    self.isSurvival = isSurvival
    self.isAtCutoff = isAtCutoff
    self.countsZeros = countsZeros
    self.perUser = perUser
  }

  /// The numerator is money: printed with six decimals.
  package var isMoney: Bool { scale == 1_000_000 }

  /// What users did after their assignment decides whom it is of, so that groups' values are those of different people:
  /// by itself it decides nothing.
  package var isOfMovedUsers: Bool { standsFor == nil && (kind == .ratio || isSurvival) }

  /// It decides nothing, and more of it is more, not better.
  package var isDescriptive: Bool { isOfMovedUsers && !request.guardrail || request.isDescriptive }

  /// Its sums say all there is to know of it, so that others can compute its figures from them.
  package var hasSums: Bool { quantile == nil && !isSurvival }
}

extension MeasuredMetric {
  /// Which of the metrics is the money that leads where prices differ: the first mean of money over the same time for
  /// everybody, a primary one if there is any; nil where there is none. Money per paying user is decided per user, so
  /// that a primary one is such a mean.
  package static func leadingMoney(of metrics: [MeasuredMetric]) -> Int? {
    let money = metrics.indices.filter { position in
      let metric = metrics[position]
      let isMean = metric.kind == .mean || metric.kind == .ratio && metric.request.primary && !metric.request.guardrail
      return isMean && metric.hasSums && metric.isMoney && !metric.isAtCutoff
    }
    return money.first { metrics[$0].request.primary } ?? money.first
  }
}
