import Testing

@testable import Domain

@Suite("Decimals of any length")
struct RoundedDecimalTests {
  private func micros(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return try? RoundedDecimal.micros(bytes.span)
  }

  @Test(
    "What six decimals do not hold is rounded half to even",
    arguments: [
      ("0", 0), ("9.99", 9_990_000), ("-9.99", -9_990_000), ("25.487", 25_487_000), ("0.0000005", 0),
      ("0.0000015", 2), ("0.0000025", 2), ("0.00000250000000000000000000001", 3), ("0.0000024999999999999", 2),
      ("0.0000026", 3), ("-0.0000015", -2), ("9.9899999999999984", 9_990_000), ("9.990000000000000213", 9_990_000),
      ("0.99999999", 1_000_000), ("9223372036854.775807", Int64.max), ("9223372036854.7758070", Int64.max),
      ("-0", 0),
    ] as [(String, Int64)])
  func rounded(text: String, micros: Int64) {
    #expect(self.micros(text) == micros)
  }

  @Test(
    "Anything but digits and one point is no number",
    arguments: [
      "", "-", "--1", "+1", "1-", ".", ".5", "5.", "1e3", "1.0000000e3", "1.00000001.0", "1,5", " 1", "1 ", "NaN",
      "inf",
      "9223372036854.7758075", "9223372036854.775808", "99999999999999999999", "1.000000 ", "0x1",
    ])
  func rubbish(text: String) {
    #expect(micros(text) == nil)
  }

  @Test("Every sixth decimal between two agrees with integer arithmetic")
  func agreement() {
    var dice = Dice(seed: 3)
    for _ in 0..<2000 {
      let nanos = Int64(dice.below(5_000_000_000))
      let fraction = String(nanos % 1_000_000_000)
      let text = "\(nanos / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
      let (whole, rest) = nanos.quotientAndRemainder(dividingBy: 1000)
      #expect(micros(text) == whole + (rest > 500 || rest == 500 && whole % 2 == 1 ? 1 : 0))
    }
  }
}
