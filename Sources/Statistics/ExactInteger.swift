/// An integer of any size: 128 bits while they suffice, limbs of 64 bits beyond.
///
/// Moments are differences of products of sums, so 128-bit sums ask for up to 512 bits. Almost always the
/// small case holds everything and costs no allocation. There is no division: a quotient is only ever
/// wanted as a `Double`, see ``ratio(_:_:)``.
enum ExactInteger: Sendable, Hashable {
  case small(Int128)
  /// Magnitude in little-endian limbs without leading zeros; never a number that fits 128 bits.
  case large(negative: Bool, magnitude: [UInt64])

  static let zero = ExactInteger.small(0)
  static let one = ExactInteger.small(1)

  init(_ value: Int128) {
    self = .small(value)
  }

  /// Makes the number of the given sign and limbs, in the small case if it fits.
  init(negative: Bool, limbs: [UInt64]) {
    var magnitude = limbs
    while magnitude.last == 0 { magnitude.removeLast() }
    if magnitude.count <= 2 {
      let low = UInt128(magnitude.first ?? 0)
      let high = UInt128(magnitude.count == 2 ? magnitude[1] : 0)
      let bits = high << 64 | low
      if bits <= UInt128(Int128.max) {
        self = .small(negative ? -Int128(bits) : Int128(bits))
        return
      }
    }
    self = .large(negative: negative, magnitude: magnitude)
  }

  /// −1, 0 or 1.
  var signum: Int {
    switch self {
    case .small(let value): value.signum() == 0 ? 0 : (value < 0 ? -1 : 1)
    case .large(let negative, _): negative ? -1 : 1
    }
  }

  /// The limbs of the absolute value.
  var limbs: [UInt64] {
    switch self {
    case .small(let value):
      let bits = value.magnitude
      return [UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64)]
    case .large(_, let magnitude): return magnitude
    }
  }

  /// The same number without its sign.
  var magnitude: ExactInteger {
    signum < 0 ? ExactInteger(negative: false, limbs: limbs) : self
  }

  /// The number itself when it fits 128 bits.
  var int128: Int128? {
    if case .small(let value) = self { value } else { nil }
  }

  /// 10 to the given power, which must not be negative.
  static func powerOfTen(_ exponent: Int) -> ExactInteger {
    var result = ExactInteger.one
    for _ in 0..<exponent { result = result * .small(10) }
    return result
  }
}

extension ExactInteger {
  static func + (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    if case .small(let p) = a, case .small(let q) = b {
      let (sum, overflow) = p.addingReportingOverflow(q)
      if !overflow { return .small(sum) }
    }
    let (negativeA, negativeB) = (a.signum < 0, b.signum < 0)
    if negativeA == negativeB {
      return ExactInteger(negative: negativeA, limbs: Limbs.sum(a.limbs, b.limbs))
    }
    return Limbs.isLess(a.limbs, b.limbs)
      ? ExactInteger(negative: negativeB, limbs: Limbs.difference(b.limbs, a.limbs))
      : ExactInteger(negative: negativeA, limbs: Limbs.difference(a.limbs, b.limbs))
  }

  static prefix func - (a: ExactInteger) -> ExactInteger {
    ExactInteger(negative: a.signum > 0, limbs: a.limbs)
  }

  static func - (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    if case .small(let p) = a, case .small(let q) = b {
      let (difference, overflow) = p.subtractingReportingOverflow(q)
      if !overflow { return .small(difference) }
    }
    return a + (-b)
  }

  static func * (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    if case .small(let p) = a, case .small(let q) = b {
      let (product, overflow) = p.multipliedReportingOverflow(by: q)
      if !overflow { return .small(product) }
    }
    let negative = a.signum * b.signum < 0
    return ExactInteger(negative: negative, limbs: Limbs.product(a.limbs, b.limbs))
  }
}

extension ExactInteger: Comparable {
  static func < (a: ExactInteger, b: ExactInteger) -> Bool {
    if case .small(let p) = a, case .small(let q) = b { return p < q }
    return (a - b).signum < 0
  }
}

extension ExactInteger {
  /// The number as `fraction · 2^exponent`, the fraction correctly rounded to 53 bits.
  var binary: (fraction: Double, exponent: Int) {
    let limbs = limbs
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return (0, 0) }
    let shift = limbs[top].leadingZeroBitCount
    var bits = limbs[top] << UInt64(shift)
    var rest: UInt64 = 0
    if top > 0 {
      if shift > 0 { bits |= limbs[top - 1] >> UInt64(64 - shift) }
      rest = limbs[top - 1] << UInt64(shift)
    }
    let isInexact = rest != 0 || limbs.prefix(max(0, top - 1)).contains { $0 != 0 }
    // The lowest of 64 bits lies eleven below the rounding position: setting it stands for all the rest.
    if isInexact { bits |= 1 }
    let fraction = Double(bits)
    return (signum < 0 ? -fraction : fraction, 64 * top - shift)
  }

  /// The number rounded once; infinite beyond the range of `Double`.
  var double: Double {
    let (fraction, exponent) = binary
    return Double(sign: .plus, exponent: exponent, significand: fraction)
  }

  /// The quotient as a `Double`: both are rounded once, then divided once, so within 1.5 ulp at any size.
  ///
  /// `nil` for a zero denominator, or when the quotient itself leaves the range of `Double`.
  static func ratio(_ numerator: ExactInteger, _ denominator: ExactInteger) -> Double? {
    guard denominator.signum != 0 else { return nil }
    if case .small(let p) = numerator, case .small(let q) = denominator,
      p.magnitude <= 1 << 53, q.magnitude <= 1 << 53
    {
      return Double(Int64(p)) / Double(Int64(q))
    }
    let (top, bottom) = (numerator.binary, denominator.binary)
    let quotient = Double(
      sign: .plus,
      exponent: top.exponent - bottom.exponent,
      significand: top.fraction / bottom.fraction
    )
    return quotient.isFinite ? quotient : nil
  }
}
