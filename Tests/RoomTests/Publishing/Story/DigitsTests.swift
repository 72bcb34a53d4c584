import Testing

@testable import Measurement
@testable import Publishing

@Suite("Equal digits in a column")
struct DigitsTests {
  @Test("Money has the decimals of cents, and more where all of it is a few cents")
  func money() {
    let digits = Digits.money([0.544, 1.06])
    #expect([0.544, 1.06, -1234.5].map(digits.text) == ["0.54", "1.06", "−1,234.50"])
    #expect(Digits.money([0.0123, 0.004]).text(0.0123) == "0.0123")
  }

  @Test("Shares have as many decimals as the largest asks for")
  func shares() {
    #expect(Digits.shares([0.0293, 0.0687]).text(0.0687) == "6.87")
    #expect(Digits.shares([0.49, 0.057]).text(0.057) == "5.7")
    #expect(Digits.shares([12]).text(12) == "1200" || Digits.shares([12]).text(12) == "1,200")
    #expect(Digits.shares([]).text(0) == "0.00")
  }

  @Test("Whole numbers stay whole, and zero has no sign")
  func plain() {
    #expect(Digits.plain([3, 40_000]).text(40_000) == "40,000")
    #expect(Digits.shares([0.5]).signed(-0.00001) == "0.0")
    #expect(Digits.shares([0.5]).signed(0.00001) == "0.0")
    #expect(Digits.shares([0.5]).signed(0.25) == "+25.0")
  }
}
