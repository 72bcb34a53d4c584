import Foundation

/// Random numbers that a seed brings back: xoshiro256++ (Blackman & Vigna 2019), seeded by SplitMix64.
struct RandomSource: RandomNumberGenerator {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(seed: UInt64) {
    var x = seed
    func next() -> UInt64 {
      x &+= 0x9E37_79B9_7F4A_7C15
      var z = x
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    state = (next(), next(), next(), next())
  }

  mutating func next() -> UInt64 {
    let sum = state.0 &+ state.3
    let result = (sum << 23 | sum >> 41) &+ state.0
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    return result
  }

  /// A number strictly between 0 and 1.
  mutating func uniform() -> Double {
    (Double(next() >> 12) + 0.5) * 0x1p-52
  }

  /// A whole number below `count`, by the high word of a product; the bias is below count/2⁶⁴.
  mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A binomial number of successes among n trials of probability p.
  mutating func binomial(_ n: Int, _ p: Double) -> Int {
    if n <= 0 || p <= 0 { return 0 }
    if p >= 1 { return n }
    if p > 0.5 { return n - binomial(n, 1 - p) }
    return Double(n) * p < 10 ? inverted(Double(n), p) : rejected(Double(n), p)
  }

  /// Walks up the distribution from 0 until the uniform number is used up.
  private mutating func inverted(_ n: Double, _ p: Double) -> Int {
    let odds = p / (1 - p)
    var term = exp(n * log1p(-p))
    var (rest, k) = (uniform(), 0.0)
    while rest > term, k < n {
      rest -= term
      k += 1
      term *= odds * (n - k + 1) / k
    }
    return Int(k)
  }

  /// Hörmann 1993, "The generation of binomial random variates", algorithm BTRS; constants are the paper's.
  private mutating func rejected(_ n: Double, _ p: Double) -> Int {
    let odds = p / (1 - p)
    let deviation = (n * p * (1 - p)).squareRoot()
    let b = 1.15 + 2.53 * deviation
    let a = -0.0873 + 0.0248 * b + 0.01 * p
    let alpha = (2.83 + 5.1 / b) * deviation
    let mode = ((n + 1) * p).rounded(.down)
    while true {
      let v = uniform()
      let u = uniform() - 0.5
      let us = 0.5 - abs(u)
      let k = ((2 * a / us + b) * u + n * p + 0.5).rounded(.down)
      guard k >= 0, k <= n else { continue }
      if us >= 0.07, v <= 0.92 - 4.2 / b { return Int(k) }
      let bound = Self.logRatio(k, mode, n, odds)
      if log(v * alpha / (a / (us * us) + b)) <= bound { return Int(k) }
    }
  }

  /// ln of pmf(k)/pmf(mode), by Stirling's formula.
  private static func logRatio(_ k: Double, _ mode: Double, _ n: Double, _ odds: Double) -> Double {
    func logFactorial(_ z: Double) -> Double { (z + 0.5) * log(z + 1) + Stirling.error(z + 1) - z }
    return (k - mode) * log(odds) + logFactorial(mode) - logFactorial(k)
      + logFactorial(n - mode) - logFactorial(n - k)
  }
}
