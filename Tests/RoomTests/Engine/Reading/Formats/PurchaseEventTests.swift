import Testing

@testable import Domain

@Suite("Currencies")
struct PurchaseEventTests {
  @Test("Three letters in any case are a currency, and all are told apart")
  func letters() {
    var codes: Set<Currency> = []
    let letters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    for first in letters {
      for second in letters {
        for third in letters {
          let text = [first, second, third]
          guard let currency = Currency(text), currency.text.utf8.elementsEqual(text) else {
            Issue.record("\(text) is no currency, or another")
            return
          }
          codes.insert(currency)
        }
      }
    }
    #expect(codes.count == 17_576)
    #expect(!codes.contains(.none))
    #expect(Currency(Array("usd".utf8)) == Currency(Array("USD".utf8)))
    #expect(Currency.none.text.isEmpty)
  }

  @Test(
    "Anything else is none",
    arguments: ["", "U", "US", "USDT", "U$D", "U D", "US1", "€", "@BC", "[BC", "`bc", "{bc", "é1", " USD", "US\0"])
  func rubbish(text: String) {
    #expect(Currency(Array(text.utf8)) == nil)
  }
}
