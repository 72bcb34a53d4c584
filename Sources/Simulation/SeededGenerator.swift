import Jobs

/// A small seeded source of numbers: the same seed, stream and index give the same sequence on every machine.
///
/// SplitMix64. Source: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014, with D. Stafford's mix 13. Each user has a sequence of its own, so what a user does depends
/// neither on the other users nor on how many threads the simulation has.
struct SeededGenerator: Sendable {
  private var state: UInt64

  /// What a sequence decides; two streams of one user have nothing in common.
  enum Stream: UInt64 {
    case life = 1
    case dirt
    case attributes
    case name
    case style
    case story
    case report
    case alias
    case rate
    case key
    case spending
    case paywall
    case token
  }

  init(seed: UInt64, stream: Stream, index: UInt64) {
    state = Self.mixed(Self.mixed(seed &+ stream.rawValue &* Self.goldenGamma) &+ index &* Self.goldenGamma)
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= Self.goldenGamma
    return Self.mixed(state)
  }

  /// A number in `0 ..< bound`.
  ///
  /// The high half of a full product (D. Lemire, "Fast Random Integer Generation in an Interval", 2019); the
  /// bias it leaves is below bound / 2⁶⁴.
  mutating func below(_ bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  /// A number in `range`, both ends included.
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(below(UInt64(range.upperBound - range.lowerBound) + 1))
  }

  /// True with the probability `share`.
  mutating func happens(_ share: Share) -> Bool {
    part() < share.partsPerBillion
  }

  /// A point in `0 ..< 1,000,000,000`, to be held against running totals of shares.
  mutating func part() -> Int64 {
    Int64(below(UInt64(Share.one.partsPerBillion)))
  }

  /// A one-to-one scrambling of 64 bits.
  static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  private static let goldenGamma: UInt64 = 0x9E37_79B9_7F4A_7C15
}
