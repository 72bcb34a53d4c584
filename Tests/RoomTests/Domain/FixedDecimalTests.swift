import Foundation
import Testing

@testable import Domain

@Suite("Binary numbers with a fixed number of decimals")
struct FixedDecimalTests {
  @Test(
    "The exact value is rounded half to even",
    arguments: [
      (0.125, 2, "0.12"), (0.375, 2, "0.38"), (2.5, 0, "2"), (3.5, 0, "4"), (2.675, 2, "2.67"), (1.005, 2, "1.00"),
      (0.05, 1, "0.1"), (-1234.5, 1, "1234.5"), (999.995, 2, "1000.00"), (0.999, 2, "1.00"), (-0.0, 2, "0.00"),
      (.leastNonzeroMagnitude, 9, "0.000000000"), (0.000_000_000_5, 9, "0.000000001"), (1e15, 2, "1000000000000000.00"),
    ])
  func rounded(value: Double, decimals: Int, text: String) {
    #expect(FixedDecimal.text(value, decimals: decimals) == text)
  }

  @Test("It is what C prints, whatever the number")
  func printed() {
    var dice = Dice(seed: 5)
    for number in 0..<20_000 {
      let value =
        switch number % 4 {
        case 0: Double(bitPattern: dice.next())
        case 1: Double(dice.next() % 2_000_001) / 1000 - 1000
        case 2: Double(dice.next() % 4096) / 1024
        default: Double(dice.next()) / Double(dice.next() % 1000 + 1)
        }
      let decimals = dice.below(11)
      #expect(
        FixedDecimal.text(value, decimals: decimals) == String(format: "%.\(decimals)f", value.magnitude),
        "\(value), \(decimals)")
    }
  }
}
