import Foundation
import Testing

@testable import Engine
@testable import Measurement

@Suite("How many users have each quantity")
struct QuantityCountsTests {
  /// Counts in two ways: as they are, and in a dictionary.
  private func counted(_ seed: UInt64) -> (counts: QuantityCounts, expected: [Quantity: Int]) {
    var dice = Dice(seed: seed)
    var counts = QuantityCounts()
    var expected: [Quantity: Int] = [:]
    for _ in 0..<dice.below(3000) {
      let large = dice.chance(0.1) ? Int128(dice.below(9)) << 90 : 0
      let quantity = Quantity(
        y: Int128(dice.below(40) * 990_000) + large, x: Int128(dice.below(3)), c: Int128(dice.below(2)))
      let users = dice.below(7) - 3
      counts.add(users, with: quantity)
      expected[quantity, default: 0] += users
    }
    return (counts, expected.filter { $0.value != 0 })
  }

  @Test("Are those of a dictionary without its zeros", arguments: 0..<40)
  func dictionary(seed: UInt64) {
    let (counts, expected) = counted(seed)
    let found = Array(counts)
    #expect(found.count == expected.count && counts.isEmpty == expected.isEmpty)
    for (quantity, users) in found { #expect(expected[quantity] == users) }
  }

  @Test("Amounts in whole cents are looked for in places of their own", arguments: [1, 10_000, 990_000])
  func positions(step: Int) {
    let positions = Set((1...1000).map { QuantityCounts.hash(of: Quantity(y: Int128($0 * step))) & 2047 })
    // Of numbers drawn at random some 800 differ.
    #expect(positions.count > 600)
  }

  @Test("Are told and understood")
  func reported() throws {
    let (counts, expected) = counted(7)
    let encoded = try JSONEncoder().encode(counts)
    #expect(try JSONDecoder().decode([Quantity: Int].self, from: encoded) == expected)
    let decoded = try JSONDecoder().decode(QuantityCounts.self, from: encoded)
    #expect(Dictionary(uniqueKeysWithValues: Array(decoded)) == expected)
  }

  @Test("Are none once all have been taken away")
  func none() {
    var counts = QuantityCounts()
    #expect(counts.isEmpty)
    counts.add(2, with: Quantity(y: 5))
    counts.add(-2, with: Quantity(y: 5))
    #expect(counts.isEmpty && Array(counts).isEmpty)
    counts.add(1, with: Quantity(y: 5))
    #expect(!counts.isEmpty && Array(counts).count == 1)
  }
}
