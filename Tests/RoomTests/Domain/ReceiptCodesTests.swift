import Testing

@testable import Domain

@Suite("Codes of Apple's answers")
struct ReceiptCodesTests {
  @Test("Every code that a receipt or a transaction is refused with has words")
  func all() {
    let codes = Array(21000...21010) + [21100, 21199] + (4_000_001...4_000_007) + (4_040_001...4_040_010)
    for code in codes + (5_000_001...5_000_007) + [4_290_000] {
      #expect(ReceiptCodes.meaning("\(code)")?.isEmpty == false, "\(code)")
    }
    #expect(ReceiptCodes.meaning("21007") == "a sandbox receipt sent to production")
    #expect(ReceiptCodes.meaning("4040010") == "the transaction was not found")
  }

  @Test(
    "What is no code of Apple's has none",
    arguments: ["", "0", "E7", "404", "21011", "21200", "4990001", "4040100", "404001x"])
  func others(code: String) {
    #expect(ReceiptCodes.meaning(code) == nil)
  }
}
