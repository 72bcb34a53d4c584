import Domain
import Measurement

/// What a group's users paid while the money that leads was measured, by block of users and product: what a difference
/// of money is taken apart by.
///
/// Users are blocked by their id's hash, so that a figure can be computed without each block in turn. All counts are exact.
package struct PaymentTally: Mergeable {
  /// In no order; a block with users stands here once.
  private(set) var blocks: [Block] = []

  /// So many blocks there are: half as many as partitions of users.
  static let blockCount = UserDirectory.partitionCount / 2

  /// Some of the users.
  package struct Block: Tally {
    package private(set) var number: Int
    /// Measured users whose window has ended.
    package var users = 0
    /// Those of them with a charge above 0 in the window.
    package var payers = 0
    /// By product.
    var products = SumsByKey<ProductTally.Key, GroupPayments.Sums>()

    static let parts: [TallyPart<Self>] = [
      TallyPart(common: \.number), TallyPart(\.users), TallyPart(\.payers),
      TallyPart("products", \.products) { $1.knows(product: $0.product) },
    ]

    init(number: Int) { self.number = number }
  }

  /// Adds a user of a partition measured from `start`, in milliseconds, who may have done nothing.
  mutating func add(_ history: UserHistory, ofPartition partition: Int, from start: Int64, _ plan: PaymentPlan) {
    guard let window = plan.window(from: start) else { return }
    blocks[position(of: partition / 2)].add(history, in: window)
  }

  /// Where a block stands, a new one at its first mention. Users come partition by partition.
  private mutating func position(of number: Int) -> Int {
    if let last = blocks.last, last.number == number { return blocks.count - 1 }
    if let known = blocks.firstIndex(where: { $0.number == number }) { return known }
    blocks.append(Block(number: number))
    return blocks.count - 1
  }

  mutating func merge(_ other: PaymentTally) {
    for theirs in other.blocks {
      blocks[position(of: theirs.number)].merge(theirs)
    }
  }

  func misfit(_ shape: SumsShape) -> String? {
    let isKnown = blocks.allSatisfy { (0..<Self.blockCount).contains($0.number) }
    return isKnown ? blocks.lazy.compactMap { $0.misfit(shape) }.first : "blocks of users"
  }
}

extension GroupPayments.Sums {
  fileprivate mutating func add(_ charge: UserHistory.Charge, isNew: Bool, isFirst: Bool) {
    if isNew { buyers += 1 }
    charges += 1
    gross += Int128(charge.gross)
    refunds += Int128(charge.refunded)
    guard isFirst else { return }
    firsts += 1
    firstGross += Int128(charge.gross)
    addSquares(Int128(charge.gross) * Int128(charge.gross))
  }
}

extension PaymentTally.Block {
  fileprivate mutating func add(_ history: UserHistory, in window: Range<Int64>) {
    users += 1
    let charges = history.charges
    func isPayment(_ charge: UserHistory.Charge) -> Bool { window.contains(charge.time) && charge.gross > 0 }
    guard let first = charges.firstIndex(where: isPayment) else { return }
    payers += 1
    for position in first..<charges.count where isPayment(charges[position]) {
      let charge = charges[position]
      let key = ProductTally.Key(product: charge.product, kind: charge.kind)
      let isNew = !charges[first..<position].contains {
        isPayment($0) && $0.product == key.product && $0.kind == key.kind
      }
      products.update(key, new: GroupPayments.Sums()) { $0.add(charge, isNew: isNew, isFirst: position == first) }
    }
  }

}

/// Over which time payments are counted: that of the money that leads, else from the assignment to the cut-off.
struct PaymentPlan: Sendable {
  private let lead: CompiledMetric?
  /// The cut-off, in milliseconds since 1970.
  private let cutoff: Int64

  init(_ metrics: [CompiledMetric], cutoff: Int64) {
    let position = MeasuredMetric.leadingMoney(of: metrics.map(\.measured))
    lead = position.map { metrics[$0] }
    self.cutoff = cutoff
  }

  /// The window of a user measured from `start`; nil while it has not ended.
  func window(from start: Int64) -> Range<Int64>? {
    guard let lead else { return start..<max(start, cutoff) }
    return lead.window(from: start)
  }
}
