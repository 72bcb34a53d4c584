import Foundation
import Simulation

/// Random numbers that a seed brings back: SplitMix64, a stream for each block of simulations.
///
/// Source: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
struct RandomStream: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64, study: Int, block: Int) {
    state = seed
    for part in [UInt64(study), UInt64(block)] { state = next() &+ part &* 0xD134_2543_DE82_EF95 }
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number strictly between 0 and 1.
  mutating func uniform() -> Double { (Double(next() >> 12) + 0.5) * 0x1p-52 }

  /// A standard normal number. Source: G. E. P. Box, M. E. Muller 1958.
  mutating func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }

  /// A number of Student's t with 3 degrees of freedom.
  mutating func studentT3() -> Double {
    let top = normal()
    let squares = (0..<3).reduce(0.0) { sum, _ in
      let z = normal()
      return sum + z * z
    }
    return top / (squares / 3).squareRoot()
  }
}

/// Draws from 0, 1, 2 … with given weights, in constant time.
///
/// Source: M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", 1991.
struct AliasTable: Sendable {
  private let keep: [Double]
  private let alias: [Int]
  /// Added to every draw.
  private let offset: Int

  init(weights: [Double], offset: Int = 0) {
    let total = weights.reduce(0, +)
    var scaled = weights.map { $0 / total * Double(weights.count) }
    var alias = Array(weights.indices)
    var small = scaled.indices.filter { scaled[$0] < 1 }
    var large = scaled.indices.filter { scaled[$0] >= 1 }
    while let less = small.popLast(), let more = large.last {
      alias[less] = more
      scaled[more] -= 1 - scaled[less]
      if scaled[more] < 1 { small.append(large.removeLast()) }
    }
    // What is left over is 1 up to rounding.
    for index in small + large where alias[index] == index { scaled[index] = 1 }
    keep = scaled
    self.alias = alias
    self.offset = offset
  }

  /// The number of successes among n trials of probability p.
  static func binomial(_ n: Int, _ p: Double) -> AliasTable {
    let mode = min(n, Int(Double(n + 1) * p))
    let odds = p / (1 - p)
    var (above, below): ([Double], [Double]) = ([1], [])
    var (k, term) = (mode, 1.0)
    while k < n, term > 1e-18 {
      term *= odds * Double(n - k) / Double(k + 1)
      above.append(term)
      k += 1
    }
    (k, term) = (mode, 1)
    while k > 0, term > 1e-18 {
      term *= Double(k) / (odds * Double(n - k + 1))
      below.append(term)
      k -= 1
    }
    return AliasTable(weights: below.reversed() + above, offset: mode - below.count)
  }

  func draw(_ random: inout RandomStream) -> Int {
    let (column, rest) = random.next().multipliedFullWidth(by: UInt64(keep.count))
    let index = Int(column)
    return offset + (Double(rest >> 11) * 0x1p-53 < keep[index] ? index : alias[index])
  }
}
