import Analysis
import Testing

@testable import Measurement
@testable import Publishing

/// A call as a night kept it.
struct NamedCallTests {
  @Test("A night that told its call in a sentence alone has the call of its decision")
  func earlierNights() {
    #expect(Call(named: "choose", decision: .better) == .choose)
    #expect(Call(named: "Ship group_a.", decision: .better) == .ship)
    #expect(Call(named: "", decision: .doNotTrust) == .doNotTrust)
  }
}
