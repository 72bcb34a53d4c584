import Foundation

/// A binary number with a fixed number of decimals, its exact value rounded half to even: what C's `%.2f` prints.
///
///     FixedDecimal.text(0.125, decimals: 2) == "0.12"
///     FixedDecimal.text(2.675, decimals: 2) == "2.67"   // the nearest binary number lies below
package enum FixedDecimal {
  /// The magnitude of `value`, without a sign; `inf` and `nan` stand for themselves.
  package static func text(_ value: Double, decimals: Int) -> String {
    guard let units = units(value.magnitude, decimals: decimals) else {
      return String(format: "%.\(decimals)f", value.magnitude)
    }
    guard decimals > 0 else { return String(units) }
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: powers[decimals])
    let digits = String(fraction)
    return "\(whole).\(String(repeating: "0", count: decimals - digits.utf8.count))\(digits)"
  }

  private static let powers = (0...9).map { power in (0..<power).reduce(UInt128(1)) { product, _ in product * 10 } }

  /// A finite magnitude in units of `10^-decimals`, rounded; nil where that takes more than 128 bits on the way, or more
  /// decimals than `powers` has.
  private static func units(_ value: Double, decimals: Int) -> UInt128? {
    guard value.isFinite, powers.indices.contains(decimals) else { return nil }
    guard value.isNormal else { return 0 }
    let significand = UInt128(value.significandBitPattern | 1 << UInt64(Double.significandBitCount))
    let exponent = Int(value.exponent) - Double.significandBitCount
    // 2^73 times 10^9 are less than 2^103.
    guard exponent < 20 else { return nil }
    if exponent >= 0 { return (significand << exponent) * powers[decimals] }
    let product = significand * powers[decimals]
    // 2^53 times 10^9 are less than 2^83: what is shifted further is less than half.
    guard exponent > -UInt128.bitWidth else { return 0 }
    let whole = product >> -exponent
    let rest = product - whole << -exponent
    let half = UInt128(1) << (-exponent - 1)
    return rest > half || rest == half && !whole.isMultiple(of: 2) ? whole + 1 : whole
  }
}
