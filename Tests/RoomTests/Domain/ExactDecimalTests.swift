import Testing

@testable import Domain

@Suite("Numbers of any length")
struct ExactDecimalTests {
  private func number(_ text: String, sign: Character = ".") throws -> ExactDecimal {
    let bytes = Array(text.utf8)
    return try ExactDecimal(bytes.span, sign: sign.asciiValue ?? 0)
  }

  @Test(
    "A number is rounded half to even to millionths, and says by how much",
    arguments: [
      ("9.99", 9_990_000, 0), ("0", 0, 0), ("-0.00", 0, 0), ("007.50", 7_500_000, 0), ("-2.5", -2_500_000, 0),
      ("9.989999999999998", 9_990_000, 0), ("9.990000000", 9_990_000, 0), ("9.99000000000000000001", 9_990_000, 0),
      ("0.0000005", 0, 500_000), ("0.0000015", 2, 500_000), ("0.0000025", 2, 500_000), ("0.00000250001", 3, 499_990),
      ("1.2345674", 1_234_567, 400_000), ("1.2345676", 1_234_568, 400_000), ("0.00000000000001", 0, 0),
      ("0.0000000009", 0, 900), ("0.000000001", 0, 1000), ("9.9999999", 10_000_000, 100_000),
      ("9223372036854.775807", Int64.max, 0),
    ] as [(String, Int64, Int64)])
  func rounding(text: String, micros: Int64, change: Int64) throws {
    let rounded = try number(text).rounded()
    #expect(rounded.micros == micros && rounded.changeInPicos == change)
    #expect(rounded.isChanged == (change >= 1000))
  }

  @Test("Products and quotients are exact before they are rounded once")
  func arithmetic() throws {
    #expect(try number("2.55").multiplied(by: number("3")).rounded().micros == 7_650_000)
    #expect(try number("0.0000005").multiplied(by: number("3")).rounded().micros == 2)
    #expect(try number("-1.25").multiplied(by: number("4")).rounded().micros == -5_000_000)
    #expect(try number("0").multiplied(by: number("12")).isZero)
    #expect(try number("999").dividedByTen(toThe: 2).rounded().micros == 9_990_000)
    #expect(try number("999").dividedByTen(toThe: 0).rounded().micros == 999_000_000)
    #expect(try number("1").dividedByTen(toThe: 4).rounded().micros == 100)
    #expect(try number("1999.5").dividedByTen(toThe: 3).rounded().micros == 1_999_500)
    let long = try number("99999999999999999999.12345678901234567890")
    #expect(throws: DecimalText.Fault.tooLarge) { try long.rounded() }
    #expect(try long.multiplied(by: number("0.0000000001")).rounded().micros == 10_000_000_000_000_000)
  }

  @Test("Random products agree with wide integers")
  func random() throws {
    var dice = Dice(seed: 17)
    for _ in 0..<2000 {
      let (left, right) = (Int64(dice.below(2_000_000_000)), Int64(dice.below(1_000_000)))
      let product = try number("\(left / 1_000_000).\((left % 1_000_000).padded(6))")
        .multiplied(by: number("\(right / 1000).\((right % 1000).padded(3))"))
      let exact = Int128(left) * Int128(right)
      let (quotient, rest) = exact.quotientAndRemainder(dividingBy: 1000)
      let isUp = rest > 500 || rest == 500 && quotient % 2 == 1
      #expect(try Int128(product.rounded().micros) == quotient + (isUp ? 1 : 0))
    }
  }

  @Test(
    "What is not in plain decimal notation is no number",
    arguments: ["", "-", ".", "1.", ".5", "1.2.3", "1e2", "+1", " 1", "1,5", "--1", "-.5", "1-"])
  func refused(text: String) {
    #expect(throws: DecimalText.Fault.notDecimal) { try number(text) }
  }

  @Test("A comma may stand before the fraction")
  func comma() throws {
    #expect(try number("1,5", sign: ",").rounded().micros == 1_500_000)
    #expect(throws: DecimalText.Fault.notDecimal) { try number("1.5", sign: ",") }
  }

  @Test("Currencies have the smallest units that ISO 4217 gives them")
  func minorUnits() throws {
    let units = [("USD", 2), ("EUR", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("KWD", 3), ("TND", 3), ("CLF", 4)]
    for (code, decimals) in units { #expect(Currency(Array(code.utf8))?.minorUnits == decimals, "\(code)") }
  }
}
