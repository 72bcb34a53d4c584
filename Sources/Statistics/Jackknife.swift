/// The standard error of a figure that was computed anew without each block of users in turn.
///
/// Delete-a-group jackknife: √((B − 1)/B·Σ(θ₍ᵦ₎ − θ̄₍·₎)²) of B blocks of users drawn alike (Efron & Tibshirani 1993, *An
/// Introduction to the Bootstrap*, chapter 11; Kott 2001, "The delete-a-group jackknife"), with B − 1 degrees of freedom.
public enum Jackknife {
  /// - Parameter replicates: θ₍ᵦ₎, the figure without block b.
  /// - Returns: `nil` of fewer than two blocks.
  public static func standardError(_ replicates: [Double]) -> Double? {
    let count = Double(replicates.count)
    guard count > 1 else { return nil }
    let mean = replicates.reduce(0, +) / count
    let squares = replicates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((count - 1) / count * squares).squareRoot().ifFinite
  }
}
