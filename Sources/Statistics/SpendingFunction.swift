import Foundation

/// How much of a test's level may have been spent when a share of it is over (Lan & DeMets 1983, "Discrete sequential
/// boundaries for clinical trials").
public enum SpendingFunction: Sendable, Hashable {
  /// Like O'Brien and Fleming's bounds: next to nothing early, 2 − 2Φ(z(α/2)/√t) on each side.
  case oBrienFleming
  /// Like Pocock's: about as much at each look, α·ln(1 + (e − 1)t).
  case pocock
  /// Hwang, Shih & DeCani 1990: α(1 − e^(−γt))/(1 − e^(−γ)), and α·t for γ = 0; −4 is near O'Brien and Fleming's.
  case hwangShihDeCani(gamma: Double)

  /// The share of a one-sided level α that is spent at the time t; all of it from t = 1 on.
  public func spent(level alpha: Double, at time: Double) -> Double {
    guard time > 0, alpha > 0 else { return 0 }
    guard time < 1 else { return alpha }
    switch self {
    case .oBrienFleming:
      guard let z = Normal.upperQuantile(alpha / 2) else { return 0 }
      return 2 * Normal.upper(z / time.squareRoot())
    case .pocock: return alpha * log1p((M_E - 1) * time)
    case .hwangShihDeCani(let gamma):
      return gamma == 0 ? alpha * time : alpha * expm1(-gamma * time) / expm1(-gamma)
    }
  }
}
