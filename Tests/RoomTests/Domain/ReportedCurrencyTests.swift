import Testing

@testable import Domain

@Suite("Currencies as logs tell them")
struct ReportedCurrencyTests {
  @Test(
    "Letters, ISO numbers and signs that no other currency has are read",
    arguments: [
      ("EUR", "EUR"), ("eur", "EUR"), ("978", "EUR"), ("840", "USD"), ("036", "AUD"), ("€", "EUR"), ("£", "GBP"),
      ("R$", "BRL"), ("zł", "PLN"),
    ])
  func known(text: String, code: String) {
    #expect(Currency(reported: Array(text.utf8))?.text == code)
  }

  @Test("What may be several currencies, or none, is not", arguments: ["$", "¥", "kr", "001", "36", "", "Euro"])
  func unknown(text: String) { #expect(Currency(reported: Array(text.utf8)) == nil) }

  @Test("Where a job names a currency, letters alone do")
  func jobs() { #expect(Currency(Array("978".utf8)) == nil && Currency(Array("€".utf8)) == nil) }
}
