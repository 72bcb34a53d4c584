import Domain
import Jobs

/// All that a run's logs tell of charges beside their money, once everything has been read.
struct ChargeDetailsIndex: Sendable {
  /// By number.
  let all: [ChargeDetails]
  /// Names of the attributes that charges have.
  let attributes: [String]
  /// By attribute its values, in order of their bytes.
  let values: [[Identifier]]
  /// By number of the details, then by attribute: the value's place, or `Interner.none`.
  private let positions: [UInt32]
  /// By number of the details their place in an order that depends on nothing but what they say.
  private let ranks: [UInt32]

  /// The details that `names` holds, of a job whose charges have these attributes.
  init(_ names: EventNames, attributes: [String]) {
    self.attributes = attributes
    let all = names.details.all
    let reported = names.attributes.names.map { PackedValues.values(in: $0.utf8) }
    let values = attributes.indices.map { attribute in Set(reported.compactMap { $0[attribute] }).sorted() }
    let numbers = values.map { Dictionary(uniqueKeysWithValues: zip($0, 0..<UInt32($0.count))) }
    let positions = all.map { details in
      attributes.indices.map { attribute in
        guard details.attributes != Interner.none, let value = reported[Int(details.attributes)][attribute] else {
          return Interner.none
        }
        return numbers[attribute][value] ?? Interner.none
      }
    }
    var ranks = [UInt32](repeating: 0, count: all.count)
    let ordered = all.indices.sorted { left, right in
      if positions[left] != positions[right] { return positions[left].lexicographicallyPrecedes(positions[right]) }
      return ChargeDetails.isBefore(all[left], all[right]) ?? false
    }
    for (rank, number) in ordered.enumerated() { ranks[number] = UInt32(rank) }
    self.all = all
    self.values = values
    self.positions = positions.flatMap(\.self)
    self.ranks = ranks
  }

  /// The values that these details tell, by attribute; `Interner.none`, behind all others, where they tell none.
  @inline(__always)
  func values(of details: UInt32) -> ArraySlice<UInt32> {
    positions[Int(details) * attributes.count..<(Int(details) + 1) * attributes.count]
  }

  @inline(__always)
  func rank(of details: UInt32) -> UInt32 { ranks[Int(details)] }
}
