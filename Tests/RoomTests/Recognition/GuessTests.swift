import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

@Suite("Guesses about a stranger's columns")
struct GuessTests {
  // MARK: - Times

  private func time(_ values: [String]) -> Guess<TimeGuess>? { TimeGuess.best(values, zone: .gmt) }

  @Test(
    "The way that times are written in is known by the times",
    arguments: [
      (["02.03.2026 10:15", "28.03.2026 09:00"], "%d.%m.%Y %H:%M"),
      (["03/02/2026 10:15 AM", "03/28/2026 09:00 PM"], "%m/%d/%Y %I:%M %p"),
      (["2026/03/02 10:15:30 +0100"], "%Y/%m/%d %H:%M:%S %z"), (["2 Mar 2026 10:15"], "%d %b %Y %H:%M"),
      (["45992.5", "45993"], "excel"), (["20260302"], "%Y%m%d"),
    ])
  func formats(values: [String], format: String) throws {
    let guess = try #require(time(values))
    #expect(guess.value.format?.text == format)
    #expect(guess.sureness == .certain)
  }

  @Test(
    "Times that need no format are read as they stand, numbers by their size",
    arguments: [
      ("2026-03-02T10:15:30Z", true), ("2026-03-02 10:15:30", false), ("1772446530", true), ("2026-03-02", false),
      ("2026-03-02 10:15:30 +0100", true), ("2026-03-02 10:15:30.123456+00", true), ("2026-03-02 10:15:30 UTC", true),
    ])
  func plain(value: String, reportsOffset: Bool) throws {
    let guess = try #require(time([value]))
    #expect(guess.value.format == nil && guess.value.unit == .seconds && guess.value.reportsOffset == reportsOffset)
    #expect(guess.sureness == .certain)
  }

  @Test("Milliseconds are known by their size")
  func milliseconds() { #expect(time(["1772446530000"])?.value.unit == .milliseconds) }

  @Test("Of two readings the one whose times lie closer together is taken, and called a guess")
  func ambiguous() throws {
    let guess = try #require(time(["01/03/2026", "02/03/2026", "09/03/2026"]))
    #expect(guess.value.format?.text == "%d/%m/%Y" && guess.sureness == .guess)
  }

  @Test("What is mostly no time is none", arguments: [["u1", "u2"], ["7", "8"], ["12.50"], ["2026-03-02", "x"], []])
  func noTimes(values: [String]) { #expect(time(values) == nil) }

  @Test("A zone in a column's name is believed before what is told")
  func zones() {
    let berlin = TimeZone(identifier: "Europe/Berlin")
    #expect(ZoneGuess.zone("Created (UTC)", reported: berlin).value == .gmt)
    #expect(ZoneGuess.zone("created", reported: berlin).value == berlin)
    #expect(ZoneGuess.zone("created", reported: nil).sureness == .guess)
  }

  // MARK: - Money

  @Test(
    "The decimal mark is the one that the amounts are read with",
    arguments: [
      (["9.99", "12"], ".", Sureness.certain), (["9,99", "12"], ",", .certain), (["999", "12"], ".", .likely),
    ])
  func marks(values: [String], mark: String, sureness: Sureness) throws {
    let guess = try #require(AmountGuess.sign(of: values))
    #expect(guess.value == mark.utf8.first && guess.sureness == sureness)
  }

  @Test(
    "Amounts with signs of a currency and marks of thousands are known for what they are",
    arguments: [
      ("$9.99", ".", "9.99", ["$"]), ("£1,299.00", ".", "1299.00", [",", "£"]), ("1.234,56", ",", "1234,56", ["."]),
      ("12 EUR", ".", "12", [" ", "EUR"]), ("1 299,00 zł", ",", "1299,00", [" ", "zł"]), ("US$5", ".", "5", ["US$"]),
      ("1'299.50", ".", "1299.50", ["'"]), ("1,299", ".", "1299", [","]),
    ] as [(String, String, String, [String])])
  func marked(value: String, mark: String, plain: String, marks: [String]) throws {
    let amounts = Amounts([value])
    #expect(amounts.sign == mark.utf8.first && amounts.plain == 0 && amounts.marked.count == 1 && amounts.areMoney)
    #expect(amounts.marked.first?.amount.plain == plain && amounts.marks == marks)
  }

  @Test("Where every fraction has three digits, they may be thousands; one that has not shows that they are none")
  func thousands() {
    #expect(Amounts(["999", "1,299"]).marked.map(\.amount.plain) == ["1299"])
    #expect(Amounts(["0,125", "1,299"]).plain == 2)
    #expect(Amounts(["1.299", "12.50"]).plain == 2)
  }

  @Test("What is no number is no amount", arguments: [["free"], ["12-5"], ["1,29,9.00"], ["-9.99"], ["1.2.3"], []])
  func noAmounts(values: [String]) { #expect(AmountGuess.sign(of: values) == nil) }

  @Test(
    "The currency is known by the sign beside prices, or by the name of their column",
    arguments: [
      ("total", "£5", "GBP"), ("total", "5 €", "EUR"), ("total", "R$ 5,00", "BRL"), ("total_usd", "5", "USD"),
      ("Price (€)", "5", "EUR"), ("Total GBP", "5", "GBP"), ("try", "5", nil), ("total", "5", nil),
    ] as [(String, String, String?)])
  func currencies(column: String, value: String, code: String?) {
    #expect(CurrencySign.guess(column, Amounts([value]))?.value == code)
  }

  @Test("A sign that several currencies have is no more than a guess")
  func dollars() { #expect(CurrencySign.guess("total", Amounts(["$5"]))?.sureness == .guess) }

  @Test(
    "Only codes that there are make a column one of currencies",
    arguments: [("USD", true), ("XQX", false), ("eur", false)])
  func codes(value: String, isCode: Bool) { #expect(ColumnValues([value]).areCurrencyCodes == isCode) }

  // MARK: - Words of a shell

  @Test(
    "Words of a command are quoted where a shell would take them apart",
    arguments: [("orders.csv", "orders.csv"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$x", "'$x'"), ("", "''")])
  func shellWords(text: String, word: String) { #expect(ShellText.word(text) == word) }

  // MARK: - Groups

  @Test(
    "The baseline is known by its name, if by any",
    arguments: [
      (["control", "b"], "control", Sureness.certain), (["Control Group", "Test Group"], "Control Group", .likely),
      (["A", "B"], "A", .guess), (["variant_0", "variant_1"], "variant_0", .guess),
      (["new_price", "old_price"], "old_price", .likely), (["only"], "only", .certain),
    ])
  func baselines(groups: [String], baseline: String, sureness: Sureness) throws {
    let guess = try #require(BaselineGuess.baseline(among: groups))
    #expect(guess.value == baseline && guess.sureness == sureness)
  }

  @Test(
    "Where no name tells it there is none", arguments: [["blue", "green"], ["gold", "bold"], ["old_a", "old_b"]])
  func noBaselines(groups: [String]) { #expect(BaselineGuess.baseline(among: groups) == nil) }

  // MARK: - YAML

  @Test(
    "A text is quoted where YAML would read it as something else",
    arguments: [
      ("users.csv", "users.csv"), ("Paid at", "\"Paid at\""), ("no", "\"no\""), ("1", "\"1\""),
      ("a\"b\\", "\"a\\\"b\\\\\""),
      ("", "\"\""), ("a: b", "\"a: b\""), ("größe", "größe"), ("log-*.csv", "\"log-*.csv\""),
    ])
  func quoting(text: String, yaml: String) { #expect(YAMLText.value(text) == yaml) }

  @Test(
    "Cents are known by a column's name and its whole numbers",
    arguments: [
      ("amount_cents", ["999", "1250"], 100), ("priceMicros", ["9990000"], 1_000_000), ("amount_minor", ["5"], 100),
      ("amount_cents", ["9.99"], nil), ("price", ["999"], nil), ("accent", ["999"], nil),
    ] as [(String, [String], Int?)])
  func minorUnits(column: String, values: [String], parts: Int?) {
    #expect(MinorUnits.perUnit(column, values) == parts)
  }
}
