import Testing

@testable import Measurement
@testable import Publishing

@Suite("Numbers as text")
struct NumberTextTests {
  @Test(
    "A number is its shortest digits, without an exponent in ordinary sizes",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1, "1"), (0.05, "0.05"), (-12.5, "-12.5"), (0.1 + 0.2, "0.30000000000000004"),
      (1e-6, "0.000001"), (1.5e-7, "1.5e-7"), (1e-300, "1e-300"), (123_456_789_012, "123456789012"),
      (1e16, "10000000000000000"), (1.5e20, "150000000000000000000"), (1e21, "1e21"), (1.25e22, "1.25e22"),
    ])
  func shortest(value: Double, text: String) {
    #expect(NumberText.real(value) == text)
  }

  @Test("Every number reads back as itself")
  func readBack() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(Double(NumberText.real(value)) == value)
    }
  }

  @Test(
    "Money is exact, with six decimals",
    arguments: [
      (0, "0.000000"), (1, "0.000001"), (-1_250_000, "-1.250000"),
      (Int128.max, "170141183460469231731687303715884.105727"),
      (Int128.min, "-170141183460469231731687303715884.105728"),
    ] as [(Int128, String)])
  func money(micros: Int128, text: String) {
    #expect(NumberText.micros(micros) == text)
  }
}
