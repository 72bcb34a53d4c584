import Testing

@testable import Analysis
@testable import Publishing

@Suite("What a call says to do")
struct CallKindTests {
  @Test("To ship is green, to measure revenue first is not, whatever the group is decided to be")
  func kinds() {
    let calls: [(String, Decision, CallKind)] = [
      ("Ship group_a.", .better, .ship), ("Measure revenue before shipping group_a.", .better, .measure),
      ("group_b beats control, too.", .better, .keep), ("Drop group_a.", .worse, .drop),
      ("Do not ship group_a.", .worse, .choose), ("Hold group_a.", .maybeWorse, .wait),
      ("Keep control for now.", .inconclusive, .keep), ("Do not ship group_b.", .inconclusive, .keep),
      ("Wait for group_a.", .tooEarly, .wait), ("group_a does no harm.", .notWorse, .keep),
      ("Do not act on this.", .doNotTrust, .doNotTrust), ("Ship group_a.", .doNotTrust, .doNotTrust),
    ]
    for (call, decision, kind) in calls { #expect(CallKind(call: call, decision: decision) == kind, "\(call)") }
  }

  @Test("Of several what is wrong comes first, then what there is to do")
  func foremost() {
    #expect(CallKind.foremost(of: [.keep, .ship, .drop]) == .ship)
    #expect(CallKind.foremost(of: [.ship, .doNotTrust]) == .doNotTrust)
    #expect(CallKind.foremost(of: [.keep, .wait]) == .wait)
    #expect(CallKind.foremost(of: []) == nil)
  }
}
