import Domain

/// A share or a probability in whole billionths.
///
/// Whole numbers, because a comparison of doubles that came out of arithmetic may differ in the last bit from
/// one machine to the next, and a simulation must not.
package struct Share: Sendable, Hashable {
  var partsPerBillion: Int64

  static let zero = Share(partsPerBillion: 0)
  package static let one = Share(partsPerBillion: 1_000_000_000)

  init(partsPerBillion: Int64) {
    self.partsPerBillion = partsPerBillion
  }

  /// Reads a plain decimal number from 0 to 1: `0.031`; nil for anything else.
  init?(_ text: String) {
    guard let parts = Int64(plainDecimal: text, positions: 9), parts <= Self.one.partsPerBillion else {
      return nil
    }
    partsPerBillion = parts
  }

  /// What is left: one less this.
  package var rest: Share { Share(partsPerBillion: Self.one.partsPerBillion - partsPerBillion) }

  /// The product, rounded down.
  package static func * (left: Share, right: Share) -> Share {
    Share(partsPerBillion: left.of(right.partsPerBillion))
  }

  package static func + (left: Share, right: Share) -> Share {
    Share(partsPerBillion: left.partsPerBillion + right.partsPerBillion)
  }

  /// This share of `amount`, rounded down.
  package func of(_ amount: Int64) -> Int64 {
    Int64(Int128(amount) * Int128(partsPerBillion) / 1_000_000_000)
  }

  /// `0.031000`: six decimals, rounded half up.
  var sixDecimals: String {
    let millionths = (partsPerBillion + 500) / 1000
    return "\(millionths / 1_000_000).\((millionths % 1_000_000).padded(6))"
  }
}

/// Shares that are drawn from with one number: the first whose running total lies above it.
package struct ShareTable<Value: Sendable>: Sendable {
  fileprivate var totals: [Int64] = []
  fileprivate var values: [Value] = []

  /// Appends a value; shares that are zero take no place.
  package mutating func add(_ value: Value, _ share: Share) {
    guard share.partsPerBillion > 0 else { return }
    totals.append(total + share.partsPerBillion)
    values.append(value)
  }

  /// The sum of the shares, in billionths.
  package var total: Int64 { totals.last ?? 0 }

  /// The value at `part`, or nil above the last total.
  package func value(at part: Int64) -> Value? {
    for (index, total) in totals.enumerated() where part < total {
      return values[index]
    }
    return nil
  }
}

extension Int64 {
  /// Reads digits with an optional fraction of at most `places` digits as a whole number of 10⁻ᵖˡᵃᶜᵉˢ.
  ///
  ///     Int64(plainDecimal: "7.99", places: 6)  // 7_990_000
  package init?(plainDecimal text: String, positions: Int) {
    let halves = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = halves.count == 2 ? Array(halves[1]) : []
    guard let whole = halves.first, !whole.isEmpty, fraction.count <= positions else { return nil }
    guard halves.count == 1 || !fraction.isEmpty else { return nil }
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: positions - fraction.count)
    let digits = Array(whole) + fraction + zeros
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self))
  }
}

extension ShareTable {
  /// Every value with its own share.
  var entries: [(value: Value, share: Share)] {
    values.indices.map { index in
      let before = index == 0 ? 0 : totals[index - 1]
      return (values[index], Share(partsPerBillion: totals[index] - before))
    }
  }
}
