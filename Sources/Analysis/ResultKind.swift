import Measurement
import Statistics

/// How a metric makes one number of its users, as the tables name it.
package enum ResultKind: String, Sendable, CaseIterable {
  case proportion, mean, ratio, quantile, survival

  init(_ kind: MetricKind) {
    self =
      switch kind {
      case .proportion: .proportion
      case .mean: .mean
      case .ratio: .ratio
      }
  }
}

extension MeasuredMetric {
  /// A quantile's sums are those of the mean it is taken of, a curve's those of its days; their figures are their own.
  var resultKind: ResultKind {
    if isSurvival { return .survival }
    return quantile == nil ? ResultKind(kind) : .quantile
  }
}
