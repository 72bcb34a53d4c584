import Domain
import Jobs
import Synchronization

/// What few logs tell of a charge beside its money, and those the same of many charges.
package struct ChargeDetails: Sendable, Hashable, BitwiseCopyable {
  /// Parts of `Products.PriceShare.whole` of the price that are tax; nil where the log does not tell.
  var tax: Int64?
  /// Parts of `Products.PriceShare.whole` of the price, tax included, that the store keeps; nil where the log does not
  /// tell.
  var commission: Int64?
  /// The same where neither the log nor the products table tells what the store keeps; nil is the stores' usual part.
  var usualCommission: Int64?
  /// How its price divides, where the log tells that in money; it comes before `tax` and `commission`, which others estimate.
  var split: PriceSplit?
  /// How long it is paid for, where the log says so in words; nil where the product, or the end it tells, says it.
  var period: Period?
  /// How many more payments as large as this one a commitment still asks for; nil where there is none.
  var paymentsLeft: Int64?
  /// What of a sale of several parts is paid again next time, in micros of its currency: 0 of one that adds to what runs;
  /// nil where that is all of it.
  var recurringMicros: Int64?
  /// It pays for what is left of a period that was paid for already, after a change of the plan.
  var isProrated = false
  /// Number of the attributes' values, all together; `Interner.none` where the log tells none.
  package var attributes = Interner.none

  /// The number of no details at all.
  package static let none: UInt32 = 0
}

/// Numbers for charges' details, shared by all threads of a run: a record has room for a number. Few charges divide
/// alike where taxes do not, so there may be many of them; values of attributes are what few columns have.
///
/// Which number details get depends on who asks first, so nothing that is printed may follow from it.
package final class ChargeDetailsTable: Sendable {
  private struct State {
    var numbers: [ChargeDetails: UInt32] = [ChargeDetails(): ChargeDetails.none]
    var all = [ChargeDetails()]
    var attributes: Set<UInt32> = [Interner.none]
  }

  private let state = Mutex(State())
  private let isOver = Atomic(false)

  /// How many different values of attributes, all together, the details of a run may have.
  package static let most = Int(UInt16.max) + 1

  /// Some details came when there was no room for their attributes any more: what was read is of no use.
  var hasOverflowed: Bool { isOver.load(ordering: .relaxed) }

  /// All details are known from here on, as `Interner` has it.
  private let isClosed = Atomic(false)

  func close() { isClosed.store(true, ordering: .relaxed) }

  /// The details' number; nil where all are known and they are none of them.
  func number(ofKnown details: ChargeDetails) -> UInt32? {
    isClosed.load(ordering: .relaxed) ? state.withLock { $0.numbers[details] } : number(of: details)
  }

  /// The details' number.
  package func number(of details: ChargeDetails) -> UInt32 {
    state.withLock { state in
      if let known = state.numbers[details] { return known }
      state.attributes.insert(details.attributes)
      guard state.attributes.count <= Self.most, let number = UInt32(exactly: state.all.count) else {
        isOver.store(true, ordering: .relaxed)
        return ChargeDetails.none
      }
      state.all.append(details)
      state.numbers[details] = number
      return number
    }
  }

  /// The details of a number.
  func details(_ number: UInt32) -> ChargeDetails { state.withLock { $0.all[Int(number)] } }

  /// All details so far, by number.
  package var all: [ChargeDetails] { state.withLock { $0.all } }
}

/// One thread's view of the table: details seen before are found without asking the others.
struct ChargeDetailsCache {
  private let shared: ChargeDetailsTable
  private var seen: [ChargeDetails: UInt32] = [ChargeDetails(): ChargeDetails.none]

  init(_ shared: ChargeDetailsTable) {
    self.shared = shared
  }

  /// The details' number.
  mutating func number(of details: ChargeDetails) -> UInt32 {
    if let number = seen[details] { return number }
    let number = shared.number(of: details)
    seen[details] = number
    return number
  }
}
