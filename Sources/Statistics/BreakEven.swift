/// How far the number of buyers may change until a change of price has earned nothing.
///
/// What a unit brings is its contribution margin: the part of its price that is kept (after tax and commission) less
/// what it costs. A price p₁ in the place of p₀ earns as much with m₀/m₁ times the buyers; without costs, and where the
/// same part of both prices is kept, that is p₀/p₁. Of a rise by ΔP it is −ΔP/(CM + ΔP), CM the margin before it
/// (Nagle, Hogan & Zale, *The Strategy and Tactics of Pricing*, the chapter on financial analysis).
public enum BreakEven {
  /// m₀/m₁ − 1: −0.167 says that a sixth of the buyers may go before the new price earns less; above 0, after a cut,
  /// how many more have to come.
  ///
  ///     BreakEven.change(from: 40, to: 45)   // a rise of 5 at a margin of 40: −0.111
  ///
  /// - Parameters:
  ///   - margin: m₀, what a unit brings at the price before.
  ///   - newMargin: m₁, what it brings at the new one.
  /// - Returns: `nil` unless both are above 0: what loses money on every unit has no number of buyers that pays.
  public static func change(from margin: Double, to newMargin: Double) -> Double? {
    guard margin > 0, newMargin > 0 else { return nil }
    return (margin / newMargin - 1).ifFinite
  }

  /// What a unit brings: the price times the part of it that is kept, less what the unit costs.
  public static func margin(price: Double, retainedShare: Double = 1, unitCost: Double = 0) -> Double {
    price * retainedShare - unitCost
  }
}
