/// How p-values are adjusted for being many.
///
///     Adjustment.holm.adjusted([0.01, nil, 0.04, 0.03])   // [0.03, nil, 0.06, 0.06]
///
/// A missing p-value stays missing and does not count among the tests.
public enum Adjustment: String, Sendable, Hashable, CaseIterable {
  /// Holm 1979: family-wise error, whatever the dependence.
  case holm
  /// Hochberg 1988: family-wise error under independence; never larger than Holm's.
  case hochberg
  /// Benjamini & Hochberg 1995: false discovery rate under independence or positive dependence.
  case bh
  /// Benjamini & Yekutieli 2001: false discovery rate, whatever the dependence.
  case by
  /// As they are.
  case none

  /// Returns the adjusted p-values in the order of the given ones.
  ///
  /// A decision at level α is then `adjusted < α`. Complexity: O(n·log n).
  public func adjusted(_ pValues: [Double?]) -> [Double?] {
    let present = pValues.indices.filter { pValues[$0]?.isFinite ?? false }
    let order = present.sorted { (pValues[$0] ?? 1, $0) < (pValues[$1] ?? 1, $1) }
    let sorted = order.map { pValues[$0] ?? 1 }
    var result = [Double?](repeating: nil, count: pValues.count)
    for (index, value) in zip(order, adjustedSorted(sorted)) { result[index] = min(1, value) }
    return result
  }

  /// Returns the share of α that is left to each p-value: p over its adjusted p.
  ///
  /// A p-value below its share of α and an adjusted one below α are one event. A p-value of 0 counts as the smallest
  /// normal number: what it gets is the share that the adjustment gives to the smallest p.
  public func shares(_ pValues: [Double?]) -> [Double?] {
    let above = pValues.map { $0.map { max($0, .leastNormalMagnitude) } }
    return zip(above, adjusted(above)).map { pValue, adjusted in
      guard let pValue, let adjusted else { return nil }
      return min(1, pValue / adjusted)
    }
  }

  /// The adjusted p-values of ascending ones p₁ ≤ … ≤ p_m.
  private func adjustedSorted(_ p: [Double]) -> [Double] {
    let m = Double(p.count)
    switch self {
    case .none: return p
    case .holm: return risingMaximum(p.enumerated().map { ($1) * (m - Double($0)) })
    case .hochberg: return fallingMinimum(p.enumerated().map { $1 * (m - Double($0)) })
    case .bh: return fallingMinimum(p.enumerated().map { $1 * m / Double($0 + 1) })
    case .by:
      let harmonic = p.indices.reduce(0) { $0 + 1 / Double($1 + 1) }
      return fallingMinimum(p.enumerated().map { $1 * m * harmonic / Double($0 + 1) })
    }
  }

  private func risingMaximum(_ values: [Double]) -> [Double] {
    var largest = 0.0
    return values.map { value in
      largest = max(largest, value)
      return largest
    }
  }

  private func fallingMinimum(_ values: [Double]) -> [Double] {
    var smallest = Double.infinity
    return values.reversed().map { value in
      smallest = min(smallest, value)
      return smallest
    }.reversed()
  }
}
