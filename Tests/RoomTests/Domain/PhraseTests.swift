import Testing

@testable import Domain

/// Numbers in sentences.
struct PhraseTests {
  @Test("Shares are rounded to what a reader can take in")
  func sharesRoundedReader() {
    #expect(
      [0.123456, 1.5, 0.0288, 0.00012, 0, -0.5].map(Phrase.percent) == [
        "12.3 %", "150 %", "2.88 %", "0.012 %", "0 %", "-50 %",
      ])
    #expect(Phrase.change(0.05) == "+5 %")
    #expect([0.05, -0.05, 0].map(Phrase.comparative) == ["5 % higher", "5 % lower", "the same"])
  }

  @Test("Thousands are grouped and nouns agree")
  func thousandsGroupedNouns() {
    #expect(Phrase.count(1_234_567) == "1,234,567")
    #expect([Phrase.count(1, "user"), Phrase.count(0, "user")] == ["1 user", "0 users"])
    #expect(Phrase.decimal(-1234.5, decimals: 2) == "-1,234.5")
    #expect(Phrase.decimal(-0.001, decimals: 2) == "0")
  }

  @Test("Of more items than may be named the others are counted")
  func list() {
    #expect(Phrase.list(["a"]) == "a")
    #expect(Phrase.list(["a", "b", "c"], most: 3) == "a, b and c")
    #expect(Phrase.list(["a", "b", "c", "d"], most: 2) == "a, b and 2 more")
  }

  @Test("Small p-values are said to be small")
  func smallPValues() {
    #expect(
      [0.5, 0.05, 0.00031, 0.00001, 1].map(Phrase.pValue) == [
        "p = 0.5", "p = 0.05", "p = 0.0003", "p < 0.0001", "p = 1",
      ])
  }
}
