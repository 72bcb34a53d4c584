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

  /// - Parameter wording: nil where nothing defines the metric, as where its sums come from elsewhere.
  package init(
    request: MetricRequest, kind: MetricKind, scale: Int128, quantile: MetricRequest.Quantile? = nil,
    isSurvival: Bool = false, isAtCutoff: Bool = false, countsZeros: Bool = false, wording: MetricWording? = nil
  ) {
    self.request = request
    self.wording = wording ?? MetricWording(request.label ?? request.id)
    self.kind = kind
    self.scale = scale
    self.quantile = quantile
    self.isSurvival = isSurvival
    self.isAtCutoff = isAtCutoff
    self.countsZeros = countsZeros
  }

  /// The numerator is money: printed with six decimals.
  package var isMoney: Bool { scale == 1_000_000 }

  /// Its sums say all there is to know of it, so that others can compute its figures from them.
  package var hasSums: Bool { quantile == nil && !isSurvival }
}
