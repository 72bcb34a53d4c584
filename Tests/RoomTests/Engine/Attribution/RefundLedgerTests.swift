import Testing

@testable import Engine
@testable import Measurement

@Suite("Ledgers of refunds")
struct RefundLedgerTests {
  private static let gross: Int64 = 9_990_000

  private enum Entry {
    case accepts(Int64, UInt8)
    /// All that stands, as a store tells it.
    case stands(Int64, UInt8)
    case restores(UInt8)
  }

  /// What stands after each entry, and whether another feed had told it.
  private func read(_ entries: [Entry]) -> [(standing: Int64, isCopy: Bool)] {
    var ledger = RefundLedger(gross: Self.gross)
    return entries.map { entry in
      let isCopy =
        switch entry {
        case .accepts(let part, let feed): ledger.accept(part, isState: false, by: feed)
        case .stands(let part, let feed): ledger.accept(part, isState: true, by: feed)
        case .restores(let feed): ledger.reverse(by: feed)
        }
      return (ledger.standing, isCopy)
    }
  }

  private func standing(_ entries: Entry...) -> [Int64] { read(entries).map(\.standing) }
  private func copies(_ entries: Entry...) -> [Bool] { read(entries).map(\.isCopy) }

  @Test("Parts add up to at most the charge, and a reversal restores all of it")
  func alone() {
    #expect(standing(.accepts(2, 0), .accepts(3, 0), .restores(0), .accepts(4, 0)) == [2, 5, 0, 4])
    #expect(standing(.accepts(Self.gross, 0), .accepts(5, 0)) == [Self.gross, Self.gross])
    #expect(standing(.accepts(Self.gross, 0), .accepts(5, 0), .restores(0), .accepts(7, 0)).last == 7)
    #expect(standing(.restores(0), .accepts(7, 0)) == [0, 7])
    #expect(copies(.accepts(2, 0), .accepts(2, 0), .restores(0), .restores(0), .accepts(2, 0)).allSatisfy { !$0 })
  }

  @Test("A feed may have any number", arguments: [4, 7, 200, 255] as [UInt8])
  func anyFeed(feed: UInt8) {
    #expect(
      standing(.accepts(2, 0), .accepts(2, feed), .restores(feed), .restores(0), .accepts(3, feed)) == [2, 2, 0, 0, 3])
    #expect(copies(.accepts(2, 0), .accepts(2, feed), .restores(feed), .restores(0)) == [false, true, false, true])
  }

  @Test("A state replaces what its feed told before")
  func states() {
    #expect(standing(.stands(4, 0), .stands(4, 0), .stands(6, 0), .stands(3, 0)) == [4, 4, 6, 3])
    #expect(standing(.stands(4, 0), .restores(0), .stands(3, 0)) == [4, 0, 3])
    // Beside a feed of parts, the larger sum of the two.
    #expect(standing(.accepts(2, 1), .stands(5, 0), .accepts(3, 1)) == [2, 5, 5])
  }

  @Test("A refund that failed is taken back alone, whether what is stated has fallen by then or falls later")
  func failed() {
    func standing(_ steps: (inout RefundLedger) -> Void) -> Int64 {
      var ledger = RefundLedger(gross: Self.gross)
      steps(&ledger)
      return ledger.standing
    }
    #expect(
      standing {
        for part in [3, 2] as [Int64] { _ = $0.accept(part, isState: false, by: 0) }
        $0.fail(2, wasAdded: true, isStated: true, by: 0)
      } == 3)
    for isLate in [false, true] {
      #expect(
        standing {
          for state in [3, 5] as [Int64] { _ = $0.accept(state, isState: true, by: 0) }
          if !isLate { _ = $0.accept(3, isState: true, by: 0) }
          $0.fail(2, wasAdded: false, isStated: true, by: 0)
          if isLate { _ = $0.accept(3, isState: true, by: 0) }
        } == 3)
    }
    #expect(
      standing {
        _ = $0.accept(3, isState: true, by: 0)
        $0.fail(2, wasAdded: false, isStated: false, by: 0)
      } == 3)
  }

  @Test("What one feed states and what it tells part by part are the same refunds")
  func stateAndParts() {
    #expect(standing(.accepts(3, 0), .stands(3, 0), .accepts(2, 0), .stands(5, 0)) == [3, 3, 5, 5])
    #expect(standing(.stands(3, 0), .accepts(3, 0), .accepts(2, 0)) == [3, 3, 5])
    #expect(standing(.stands(3, 0), .restores(0), .accepts(2, 0), .stands(2, 0)) == [3, 0, 2, 2])
  }

  @Test("Of several feeds the largest sum told by then is taken back, never the sum over feeds")
  func severalFeeds() {
    let (two, three, five) = (2_000_000, 3_000_000, 5_000_000) as (Int64, Int64, Int64)
    #expect(standing(.accepts(two, 0), .accepts(three, 0), .accepts(five, 1)) == [two, five, five])
    #expect(copies(.accepts(two, 0), .accepts(three, 0), .accepts(five, 1)) == [false, false, true])
    #expect(copies(.accepts(five, 1), .accepts(two, 0), .accepts(three, 0)) == [false, true, true])
    #expect(copies(.accepts(two, 0), .accepts(five, 1), .accepts(three, 0)) == [false, false, true])
    #expect(standing(.accepts(two, 0), .accepts(two, 0), .accepts(two, 1), .accepts(three, 1)).last == five)
  }

  @Test("A percentage and rounded cents are one refund, of the larger sum")
  func lessThanACent() {
    #expect(standing(.stands(3_329_967, 0), .accepts(3_330_000, 1)) == [3_329_967, 3_330_000])
    #expect(copies(.stands(3_329_967, 0), .accepts(3_330_000, 1)) == [false, true])
    #expect(copies(.accepts(3_330_000, 1), .stands(3_329_967, 0)) == [false, true])
    #expect(copies(.accepts(3_330_000, 1), .accepts(3_340_000, 0)) == [false, false])
    // Half a cent that nobody else has told is no copy.
    #expect(
      copies(.accepts(5_000, 0), .accepts(5_000, 0), .accepts(5_000, 1), .accepts(5_000, 1)) == [
        false, false, true, true,
      ])
    #expect(copies(.accepts(0, 0), .accepts(0, 1), .accepts(0, 1)) == [false, true, false])
  }

  @Test("A feed that lags behind neither takes back what was restored nor restores what was taken since")
  func lag() {
    let reported = read([
      .accepts(3, 0), .restores(0), .accepts(3, 1), .accepts(2, 0), .restores(1), .accepts(2, 1), .restores(1),
      .accepts(1, 1),
    ])
    #expect(reported.map(\.standing) == [3, 0, 0, 2, 2, 2, 0, 1])
    #expect(reported.map(\.isCopy) == [false, false, true, false, true, true, false, false])
    // A feed without reversals tells what stands.
    #expect(standing(.accepts(9, 0), .restores(0), .stands(2, 2)) == [9, 0, 2])
    // One that missed the first refund has caught up with its reversal.
    #expect(standing(.accepts(9, 0), .restores(0), .restores(1), .accepts(2, 1)) == [9, 0, 0, 2])
  }

  @Test("What is told beyond the charge takes nothing, also of a feed that tells it after all was restored")
  func beyondTheCharge() {
    let reported = read([
      .accepts(Self.gross, 0), .accepts(5, 0), .restores(0),
      .accepts(Self.gross, 1), .accepts(5, 1), .restores(1), .accepts(3, 1),
    ])
    #expect(reported.map(\.standing) == [Self.gross, Self.gross, 0, 0, 0, 0, 3])
    #expect(reported.map(\.isCopy) == [false, false, false, true, true, true, false])
  }

  @Test("A charge that nobody knows has no end")
  func orphan() {
    var ledger = RefundLedger(gross: nil)
    let copies = [ledger.accept(.max, isState: false, by: 0), ledger.accept(.max, isState: false, by: 1)]
    #expect(copies == [false, true])
    #expect(ledger.standing == .max)
  }
}
