/// What it costs to decide now, and what one more sample before deciding is worth: of a lift whose posterior is normal.
///
/// The value is that of sample information of a decision between two (Raiffa & Schlaifer 1961, chapter 5): the posterior
/// mean that the sample will bring has the standard deviation σ²/√(σ² + s²) about the one of now.
public struct NextLook: Sendable, Hashable {
  /// E[max(0, −r)] for a mean above 0, E[max(0, r)] below: what choosing by the mean of now loses on average.
  public let expectedLoss: Double
  /// The standard deviation of the mean that the sample will bring.
  public let preposteriorDeviation: Double
  /// By how much the sample makes that loss smaller on average.
  public let value: Double

  /// - Parameters:
  ///   - mean: the posterior's.
  ///   - standardDeviation: the posterior's σ.
  ///   - sampleError: s, the standard error of the sample's lift.
  public init?(mean: Double, standardDeviation: Double, sampleError: Double) {
    guard mean.isFinite, standardDeviation > 0, sampleError > 0, standardDeviation.isFinite, sampleError.isFinite
    else { return nil }
    let variance = standardDeviation * standardDeviation
    preposteriorDeviation = variance / (variance + sampleError * sampleError).squareRoot()
    expectedLoss = standardDeviation * Normal.excess(abs(mean) / standardDeviation)
    value = preposteriorDeviation * Normal.excess(abs(mean) / preposteriorDeviation)
  }
}
