import Domain
import Measurement
import Statistics

/// What a group's money per user differs by from the baseline's, taken apart: by product, and by what moved it.
///
/// Of product j a user brings q·xⱼ·pⱼ·cⱼ − rⱼ: the share of users who pay, the share of the payers who buy j, the price of
/// a charge, charges a buyer, less what is taken back. The parts of the four factors are Das Gupta's
/// (``ProductDecomposition``); products and parts add up to the difference. What a product costs where nobody bought it
/// is taken to be what it costs in the other group, so that a product that only one of them sells is a matter of mix.
struct RevenueParts {
  private let slots: [ProductSlots.Slot]
  private let baseline: PaidBySlot
  private let group: PaidBySlot
  /// How an interval is made.
  private let options: ComparisonOptions
  private let shareOfAlpha: Double

  init(_ baseline: GroupPayments, _ group: GroupPayments, options: ComparisonOptions, shareOfAlpha: Double) {
    slots = ProductSlots(baseline, group).slots
    self.baseline = PaidBySlot(baseline, slots)
    self.group = PaidBySlot(group, slots)
    self.options = options
    self.shareOfAlpha = shareOfAlpha
  }

  /// Rows for everything together and for each product; none where one of the groups has no users.
  func rows(offering: Identifier, group id: Identifier) -> [RevenuePartRow] {
    guard let all = parts(without: nil) else { return [] }
    let blocks = Set(baseline.blocks.keys).union(group.blocks.keys).sorted()
    let replicates = blocks.compactMap { parts(without: $0) }
    let isWhole = replicates.count == blocks.count
    let multiplier = options.multiplier(
      users: Double(baseline.all.users + group.all.users), degreesOfFreedom: Double(blocks.count - 1),
      shareOfAlpha: shareOfAlpha)
    let isThin = [baseline, group].contains { $0.all.payers < EffectiveEvents.minimum }
    func row(_ product: Identifier, _ part: RevenuePart, _ amount: ([[Double]]) -> Double) -> RevenuePartRow {
      let value = amount(all)
      let error = isWhole ? Jackknife.standardError(replicates.map(amount)) : nil
      let interval = error.flatMap { error in
        isThin ? nil : multiplier.flatMap { Interval(value - $0 * error, value + $0 * error) }
      }
      return RevenuePartRow(
        offering: offering, group: id, product: product, part: part, amount: value, standardError: error,
        interval: interval)
    }
    return RevenuePart.allCases.enumerated().flatMap { position, part in
      [row("all", part) { $0.reduce(0) { $0 + $1[position] } }]
        + slots.indices.map { slot in row(slots[slot].name, part) { $0[slot][position] } }
    }
  }

  /// By slot, then in the order of `RevenuePart.allCases`; nil where a group has no users left.
  private func parts(without block: Int?) -> [[Double]]? {
    let (a, b) = (baseline.left(without: block), group.left(without: block))
    guard a.users > 0, b.users > 0 else { return nil }
    return slots.indices.map { slot in
      let (own, other) = (a.factors(of: slot), b.factors(of: slot))
      let known = zip(own, other).map { own, other in (own ?? other ?? 0, other ?? own ?? 0) }
      let parts = ProductDecomposition.parts(from: known.map(\.0), to: known.map(\.1))
      let refunds = a.perUser(a.slots[slot].refunds) - b.perUser(b.slots[slot].refunds)
      let difference = b.perUser(b.slots[slot].net) - a.perUser(a.slots[slot].net)
      return [difference] + parts + [refunds]
    }
  }
}

/// What of a difference of money per user a number belongs to.
package enum RevenuePart: String, Sendable, CaseIterable {
  /// The whole difference: the others add up to it.
  case difference
  /// How many users pay.
  case conversion
  /// What the payers buy.
  case mix
  /// What it costs.
  case price
  /// How often its buyers are charged.
  case charges
  /// What is taken back.
  case refunds
}

/// One part of what a group's money per user differs by.
package struct RevenuePartRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  /// `all`, or the product; `a → b` where the group sells b in the place of the baseline's a.
  package var product: Identifier
  package var part: RevenuePart
  /// In units of the currency for each user.
  package var amount: Double
  package var standardError: Double?
  package var interval: Interval?
}

/// What one group paid, by slot: of all its users, and of each block of them.
private struct PaidBySlot {
  private(set) var all: Paid
  private(set) var blocks: [Int: Paid] = [:]

  struct Paid {
    var users = 0
    var payers = 0
    var slots: [GroupPayments.Sums]

    /// The share of users who pay, of payers who buy, the price of a charge, charges a buyer; nil what nobody showed.
    func factors(of slot: Int) -> [Double?] {
      let sums = slots[slot]
      func ratio(_ above: Double, _ below: Int) -> Double? { below > 0 ? above / Double(below) : nil }
      return [
        ratio(Double(payers), users), ratio(Double(sums.buyers), payers),
        ratio(Double(sums.gross) / 1_000_000, sums.charges), ratio(Double(sums.charges), sums.buyers),
      ]
    }

    /// A sum of micros shared out among the users, in units.
    func perUser(_ micros: Int128) -> Double { Double(micros) / 1_000_000 / Double(users) }
  }

  init(_ payments: GroupPayments, _ slots: [ProductSlots.Slot]) {
    let none = slots.map { _ in GroupPayments.Sums() }
    all = Paid(users: payments.users, payers: payments.payers, slots: none)
    for block in payments.blocks {
      blocks[block.number] = Paid(users: block.users, payers: block.payers, slots: none)
    }
    var positions: [Identifier: Int] = [:]
    for (position, slot) in slots.enumerated() { for product in slot.products { positions[product] = position } }
    for product in payments.products {
      guard let position = positions[product.id] else { continue }
      for block in product.sums {
        all.slots[position].merge(block.sums)
        blocks[block.number]?.slots[position].merge(block.sums)
      }
    }
  }

  /// All, or all but one block.
  func left(without block: Int?) -> Paid {
    guard let block, let gone = blocks[block] else { return all }
    var left = all
    left.users -= gone.users
    left.payers -= gone.payers
    for slot in left.slots.indices { left.slots[slot].remove(gone.slots[slot]) }
    return left
  }
}

extension GroupPayments.Sums {
  /// What was not taken back.
  fileprivate var net: Int128 { gross - refunds }

  /// Takes away some of the users, as far as parts of a difference ask.
  fileprivate mutating func remove(_ other: Self) {
    buyers -= other.buyers
    charges -= other.charges
    gross -= other.gross
    refunds -= other.refunds
  }
}
