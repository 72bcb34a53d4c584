import Statistics

/// How a metric makes one number of its users, in the tables' words.
enum ResultKind: String, Sendable, CaseIterable {
  case proportion, mean, ratio, quantile

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
  /// A quantile's sums are those of the mean it is taken of; its figures are its own.
  var resultKind: ResultKind { quantile == nil ? ResultKind(kind) : .quantile }
}
