/// Schoolbook arithmetic on magnitudes in little-endian limbs of 64 bits.
enum Limbs {
  static func sum(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    let count = max(a.count, b.count)
    var result = [UInt64]()
    result.reserveCapacity(count + 1)
    var carry: UInt64 = 0
    for index in 0..<count {
      let (partial, first) = limb(a, index).addingReportingOverflow(limb(b, index))
      let (total, second) = partial.addingReportingOverflow(carry)
      result.append(total)
      carry = first || second ? 1 : 0
    }
    result.append(carry)
    return result
  }

  /// a − b, for a ≥ b.
  static func difference(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var result = [UInt64]()
    result.reserveCapacity(a.count)
    var borrow: UInt64 = 0
    for index in 0..<a.count {
      let (partial, first) = a[index].subtractingReportingOverflow(limb(b, index))
      let (total, second) = partial.subtractingReportingOverflow(borrow)
      result.append(total)
      borrow = first || second ? 1 : 0
    }
    return result
  }

  static func product(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var result = [UInt64](repeating: 0, count: a.count + b.count)
    for i in 0..<a.count where a[i] != 0 {
      var carry: UInt64 = 0
      for j in 0..<b.count {
        // a·b + carry + what is there fits two limbs: (2⁶⁴−1)² + 2(2⁶⁴−1) = 2¹²⁸ − 1.
        let wide = UInt128(a[i]) * UInt128(b[j]) + UInt128(carry) + UInt128(result[i + j])
        result[i + j] = UInt64(truncatingIfNeeded: wide)
        carry = UInt64(truncatingIfNeeded: wide >> 64)
      }
      result[i + b.count] = carry
    }
    return result
  }

  static func isLess(_ a: [UInt64], _ b: [UInt64]) -> Bool {
    for index in stride(from: max(a.count, b.count) - 1, through: 0, by: -1) {
      let (p, q) = (limb(a, index), limb(b, index))
      if p != q { return p < q }
    }
    return false
  }

  private static func limb(_ limbs: [UInt64], _ index: Int) -> UInt64 {
    index < limbs.count ? limbs[index] : 0
  }
}
