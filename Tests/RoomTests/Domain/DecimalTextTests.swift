import Testing

@testable import Domain

@Suite("Plain decimal notation")
struct DecimalTextTests {
  private func parse(_ text: String, decimals: Int = 6) throws(DecimalText.Fault) -> Int64 {
    try DecimalText.parse(text, decimals: decimals)
  }

  private func fault(_ text: String, decimals: Int = 6) -> DecimalText.Fault? {
    do {
      _ = try parse(text, decimals: decimals)
      return nil
    } catch { return error }
  }

  @Test(
    "A number is read exactly",
    arguments: [
      ("0", 0), ("7.99", 7_990_000), ("7.990000", 7_990_000), ("0.000001", 1), ("0.1", 100_000),
      ("1999", 1_999_000_000),
      ("007", 7_000_000), ("00.5", 500_000), ("9223372036854.775807", .max),
      ("9223372036854.77580", 9_223_372_036_854_775_800),
      ("9223372036854", 9_223_372_036_854_000_000), ("0000000000000000000000001", 1_000_000), ("0.0", 0),
    ] as [(String, Int64)])
  func numbers(text: String, micros: Int64) throws {
    #expect(try parse(text) == micros)
  }

  @Test("The decimals asked for are the decimals there may be", arguments: [0, 1, 2, 6, 9])
  func decimals(count: Int) throws {
    let digits = String(repeating: "1", count: count)
    #expect(try parse("3" + (count > 0 ? ".\(digits)" : ""), decimals: count) == Int64("3\(digits)"))
    #expect(fault("3.\(digits)1", decimals: count) == .tooManyDecimals)
    #expect(fault("3.\(digits)0", decimals: count) == .tooManyDecimals)
  }

  @Test(
    "What is no number is told from one with too many decimals and one too large",
    arguments: [
      "", ".", "1.", ".5", "-1", "+1", "1e2", "1E2", "1,5", "1.5.5", "1..5", " 1", "1 ", "1 000", "1_000", "$1", "1€",
      "0x1", "nan",
      "NaN", "inf", "null", "true", "\0", "1\0", "１", "١", "1.1234567x", "1.12345678.", "1.1234567.1",
      "99999999999999999999x", "99999999999999999999.",
    ])
  func notDecimal(text: String) {
    #expect(fault(text) == .notDecimal)
  }

  @Test("Too many decimals", arguments: ["1.1234567", "1.0000000", "0.0000001", "7.99000000000000000000000000"])
  func tooManyDecimals(text: String) {
    #expect(fault(text) == .tooManyDecimals)
  }

  @Test(
    "Too large",
    arguments: [
      "9223372036854.775808", "9223372036855", "18446744073709551616", "99999999999999999999999999999999999999",
    ])
  func tooLarge(text: String) {
    #expect(fault(text) == .tooLarge)
  }

  @Test("Random numbers come back")
  func random() throws {
    let seed: UInt64 = 6
    var dice = Dice(seed: seed)
    for _ in 0..<3000 {
      let micros = Int64.random(in: 0...Int64.max, using: &dice) >> Int64(dice.below(63))
      let text = "\(micros / 1_000_000).\((micros % 1_000_000).padded(6))"
      #expect(try parse(text) == micros, "seed \(seed): \(text)")
    }
  }
}
