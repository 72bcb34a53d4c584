import Analysis
import Testing

@testable import Publishing

/// Which of several calls is to be seen first.
struct CallOrderTests {
  @Test("What failed is seen before what is to be done, and that before what is open")
  func foremost() {
    #expect(Call.foremost(of: [.keep, .ship, .drop]) == .ship)
    #expect(Call.foremost(of: [.ship, .doNotTrust]) == .doNotTrust)
    #expect(Call.foremost(of: [.keep, .wait]) == .wait)
    #expect(Call.foremost(of: []) == nil)
  }

  @Test("A night that told its call in a sentence alone has the call of its decision")
  func earlierNights() {
    #expect(Call(named: "choose", decision: .better) == .choose)
    #expect(Call(named: "Ship group_a.", decision: .better) == .ship)
    #expect(Call(named: "", decision: .doNotTrust) == .doNotTrust)
  }
}
