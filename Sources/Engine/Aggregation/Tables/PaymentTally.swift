import Domain

/// What a group's users paid while the money that leads was measured, by block of users and product: what a difference
/// of money is taken apart by.
///
/// Users are blocked by their id's hash, so that a figure can be computed without each block in turn. All counts are exact.
package struct PaymentTally: Sendable, Codable {
  /// In no order; a block with users stands here once.
  private(set) var blocks: [Block]

  /// So many blocks there are: half as many as partitions of users.
  static let blockCount = UserDirectory.partitionCount / 2

  /// - Parameter partition: the partition of all users that are going to be added.
  init(partition: Int) { blocks = [Block(number: partition / 2)] }

  /// Some of the users.
  package struct Block: Sendable, Codable {
    package let number: Int
    /// Measured users whose window has ended.
    package var users = 0
    /// Those of them with a charge above 0 in the window.
    package var payers = 0
    /// By product.
    var products = SumsByKey<ProductTally.Key, Sums>()

    init(number: Int) { self.number = number }
  }

  /// What some users paid for one product; charges of 0 count for nothing.
  package struct Sums: Sendable, Codable, Equatable {
    /// Users with a charge of it.
    package var buyers = 0
    package var charges = 0
    /// In micros of the reporting currency.
    package var gross: Int128 = 0
    /// What was taken back, at the cut-off.
    package var refunds: Int128 = 0
    /// Users whose first charge it was, and what those charges came to, in micros and in their squares.
    package var firsts = 0
    package var firstGross: Int128 = 0
    /// Held at its largest value, which says that nobody knows, where it has left 128 bits.
    package var firstSquares: Int128 = 0

    package init() {}

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

    private mutating func addSquares(_ squares: Int128) {
      let (sum, hasOverflowed) = firstSquares.addingReportingOverflow(squares)
      firstSquares = hasOverflowed ? .max : sum
    }

    package mutating func merge(_ other: Sums) {
      buyers += other.buyers
      charges += other.charges
      gross += other.gross
      refunds += other.refunds
      firsts += other.firsts
      firstGross += other.firstGross
      addSquares(other.firstSquares)
    }
  }

  /// Adds a user of the partition measured from `start`, in milliseconds, who may have done nothing.
  mutating func add(_ history: UserHistory, from start: Int64, _ plan: PaymentPlan) {
    guard let window = plan.window(from: start) else { return }
    blocks[0].add(history, in: window)
  }

  mutating func merge(_ other: PaymentTally) {
    for theirs in other.blocks {
      if let place = blocks.firstIndex(where: { $0.number == theirs.number }) {
        blocks[place].merge(theirs)
      } else {
        blocks.append(theirs)
      }
    }
  }
}

extension PaymentTally.Block {
  fileprivate mutating func add(_ history: UserHistory, in window: Range<Int64>) {
    users += 1
    let charges = history.charges
    func isPayment(_ charge: UserHistory.Charge) -> Bool { window.contains(charge.time) && charge.gross > 0 }
    guard let first = charges.firstIndex(where: isPayment) else { return }
    payers += 1
    for place in first..<charges.count where isPayment(charges[place]) {
      let charge = charges[place]
      let key = ProductTally.Key(product: charge.product, kind: charge.kind)
      let isNew = !charges[first..<place].contains {
        isPayment($0) && $0.product == key.product && $0.kind == key.kind
      }
      products.update(key, new: PaymentTally.Sums()) { $0.add(charge, isNew: isNew, isFirst: place == first) }
    }
  }

  fileprivate mutating func merge(_ other: Self) {
    users += other.users
    payers += other.payers
    for (key, theirs) in other.products.all { products.update(key, new: PaymentTally.Sums()) { $0.merge(theirs) } }
  }
}

/// Over which time payments are counted: that of the money that leads, else from the assignment to the cut-off.
struct PaymentPlan: Sendable {
  private let lead: CompiledMetric?
  /// The cut-off, in milliseconds since 1970.
  private let cutoff: Int64

  init(_ metrics: [CompiledMetric], cutoff: Int64) {
    let place = MeasuredMetric.leadingMoney(of: metrics.map(\.measured))
    lead = place.map { metrics[$0] }
    self.cutoff = cutoff
  }

  /// The window of a user measured from `start`; nil while it has not ended.
  func window(from start: Int64) -> Range<Int64>? {
    guard let lead else { return start..<max(start, cutoff) }
    return lead.window(from: start)
  }
}

extension MeasuredMetric {
  /// Which of the metrics is the money that leads where prices differ: the first mean of money over the same time for
  /// everybody, a primary one if there is any; nil where there is none. Money per paying user is decided per user, so
  /// that a primary one is such a mean.
  package static func leadingMoney(of metrics: [MeasuredMetric]) -> Int? {
    let money = metrics.indices.filter { place in
      let metric = metrics[place]
      let isMean = metric.kind == .mean || metric.kind == .ratio && metric.request.primary && !metric.request.guardrail
      return isMean && metric.hasSums && metric.isMoney && !metric.isAtCutoff
    }
    return money.first { metrics[$0].request.primary } ?? money.first
  }
}
