import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// The call of a group, which follows from its decisions and from nothing else.
struct CallTests {
  private let money: Identifier = "revenue_net_30d"
  private let payers: Identifier = "paying_conversion_7d"

  private func row(
    _ metric: Identifier, _ decision: Decision, isMoney: Bool = false, isGuardrail: Bool = false,
    margin: Double? = 0.02
  ) -> ComparisonRow {
    var row = ComparisonRow(
      key: CellKey(offering: "spring", group: "new", metric: metric), baseline: "control",
      kind: isMoney ? .mean : .proportion, primary: true, goal: .increase, isMoney: isMoney)
    (row.decision, row.isGuardrail, row.margin) = (decision, isGuardrail, isGuardrail ? margin : nil)
    row.lift = decision == .worse ? -0.2 : 0.2
    return row
  }

  /// The call of a group with a money metric and a share of payers.
  private func call(
    _ money: Decision?, _ payers: Decision, guardrail: Decision? = nil, pricesDiffer: Bool = false,
    margin: Double? = 0.02, beside: Decision? = nil, best: Identifier? = "new", isComplete: Bool = false,
    isOver: Bool = false
  ) -> Call {
    let speaking = [money.map { row(self.money, $0, isMoney: true) }, row(self.payers, payers)].compactMap(\.self)
    let group = JudgedGroup(
      id: "new", speaking: speaking,
      guardrails: guardrail.map { [row("refunds", $0, isGuardrail: true, margin: margin)] } ?? [],
      pricesDiffer: pricesDiffer, lead: pricesDiffer && money != nil ? self.money : nil,
      money: (beside ?? money).map { [row(self.money, $0, isMoney: true)] } ?? [])
    return group.call(best: best, isComplete: isComplete) { _ in isOver }
  }

  @Test("No page says Ship beside money that is shown to fall, nor Drop beside money that is shown to rise")
  func moneyBeside() {
    #expect(call(nil, .better, beside: .worse) == .choose)
    #expect(call(nil, .worse, beside: .better, best: nil) == .choose)
    for open: Decision in [.inconclusive, .tooEarly, .equivalent] {
      #expect(call(nil, .better, beside: open) == .ship)
      #expect(call(nil, .worse, beside: open, best: nil) == .drop)
    }
    #expect(call(nil, .better, beside: .better) == .ship)
  }

  @Test("Without a margin a guardrail stands against a group only where harm is shown")
  func withoutMargin() {
    for open: Decision in [.inconclusive, .tooEarly] {
      #expect(call(.better, .inconclusive, guardrail: open, margin: nil) == .ship)
    }
    #expect(call(.better, .inconclusive, guardrail: .worse, margin: nil) == .choose)
  }

  @Test("A test that is over and showed nothing ends with the baseline, unless another group won")
  func end() {
    #expect(call(.inconclusive, .inconclusive, best: nil, isComplete: true) == .end)
    #expect(call(.inconclusive, .inconclusive, best: "other", isComplete: true) == .keep)
    #expect(call(.tooEarly, .inconclusive, best: nil, isComplete: true) == .wait)
    #expect(call(.tooEarly, .inconclusive, best: nil, isComplete: true, isOver: true) == .end)
    #expect(call(.better, .inconclusive, isComplete: true) == .ship)
    #expect(call(.worse, .inconclusive, best: nil, isComplete: true) == .drop)
  }

  @Test("Where prices differ money leads: fewer payers are what a price does")
  func prices() {
    #expect(call(.better, .worse, pricesDiffer: true) == .ship)
    #expect(call(.worse, .better, pricesDiffer: true) == .drop)
    #expect(call(.inconclusive, .better, pricesDiffer: true, best: nil) == .keep)
    #expect(call(.tooEarly, .worse, pricesDiffer: true, best: nil) == .wait)
    for payers: Decision in [.better, .worse, .inconclusive, .tooEarly] {
      #expect(call(nil, payers, pricesDiffer: true, best: nil) == .measure)
    }
  }

  @Test("At equal prices primaries that disagree are for the owner to weigh")
  func mixed() {
    #expect(call(.better, .worse) == .choose)
    #expect(call(.worse, .better) == .choose)
    #expect(call(.better, .inconclusive) == .ship)
    #expect(call(.inconclusive, .worse, best: nil) == .drop)
  }

  @Test("Nothing is dropped that is not shown to be worse")
  func dropNeedsWorse() {
    for money: Decision in [.inconclusive, .equivalent, .tooEarly, .notWorse] {
      for best: Identifier? in [nil, "other"] {
        #expect(![.drop, .ship].contains(call(money, .inconclusive, best: best)))
      }
    }
  }

  @Test("A guardrail that is not shown to hold turns shipping into a choice")
  func guardrails() {
    #expect(call(.better, .inconclusive, guardrail: .notWorse) == .ship)
    #expect(call(.better, .inconclusive, guardrail: .maybeWorse) == .choose)
    #expect(call(.better, .inconclusive, guardrail: .tooEarly) == .wait)
    #expect(call(.better, .inconclusive, guardrail: .tooEarly, isOver: true) == .choose)
    #expect(call(.worse, .inconclusive, guardrail: .maybeWorse, best: nil) == .drop)
  }

  @Test("A second better group is no second one to ship")
  func second() {
    #expect(call(.better, .better, best: "other") == .choose)
    #expect(call(.inconclusive, .inconclusive, best: "other") == .keep)
  }

  @Test("Nobody waits for data that cannot come, and nobody acts on a failed check")
  func waiting() {
    #expect(call(.tooEarly, .inconclusive, best: nil) == .wait)
    #expect(call(.tooEarly, .tooEarly, best: nil, isOver: true) == .keep)
    #expect(call(.doNotTrust, .doNotTrust) == .doNotTrust)
    #expect(
      JudgedGroup(id: "new", speaking: [], guardrails: [], pricesDiffer: false, lead: nil)
        .call(best: nil, isComplete: false) { _ in false } == .wait)
  }

  @Test("What failed is seen before what is to be done, and that before what is open")
  func foremost() {
    #expect(Call.foremost(of: [.keep, .ship, .drop]) == .ship)
    #expect(Call.foremost(of: [.ship, .doNotTrust]) == .doNotTrust)
    #expect(Call.foremost(of: [.keep, .wait]) == .wait)
    #expect(Call.foremost(of: []) == nil)
  }
}
