/// The order in which a user's events are looked at: by what they say, never by their order of arrival.
///
/// One a thread: a value would be copied for every sort, and with it the counts of all that it refers to, which
/// threads share.
final class EventOrder: Sendable {
  let facts: ProductFacts
  let types: EventTypes
  let names: RosterOrder
  let feeds: FeedIndex
  let details: ChargeDetailsIndex

  init(
    facts: ProductFacts, types: EventTypes, names: RosterOrder, feeds: FeedIndex, details: ChargeDetailsIndex
  ) {
    self.facts = facts
    self.types = types
    self.names = names
    self.feeds = feeds
    self.details = details
  }

  func sort(_ events: inout [EventRecord]) {
    guard events.count > 1 else { return }
    events.sort { precedes($0, $1) }
  }

  /// By time, price, product id, name of the type, currency; and, so that nothing is left to chance, by feed, by what it
  /// tells of a charge beside, and by all the rest of what an event says. At one instant refunds come before reversals.
  private func precedes(_ left: EventRecord, _ right: EventRecord) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.type.isRefund, let isBefore = precedesAsRefund(left, right) { return isBefore }
    let leftAmount = left.flags.contains(.hasAmount) ? left.amountMicros : -1
    let rightAmount = right.flags.contains(.hasAmount) ? right.amountMicros : -1
    if leftAmount != rightAmount { return leftAmount < rightAmount }
    if left.product != right.product { return facts.rank(left.product) < facts.rank(right.product) }
    if left.type != right.type { return types.ranks[Int(left.type.code)] < types.ranks[Int(right.type.code)] }
    if left.currency != right.currency { return left.currency.code < right.currency.code }
    return precedesByTeller(left, right)
  }

  /// What is a matter of refunds and reversals alone; nil where they are alike in it.
  private func precedesAsRefund(_ left: EventRecord, _ right: EventRecord) -> Bool? {
    if left.type != right.type { return left.type == .refund }
    // What a row is about comes before what another says beside.
    if left.flags.contains(.isCompanion) != right.flags.contains(.isCompanion) {
      return right.flags.contains(.isCompanion)
    }
    let leftTold = left.flags.contains(.isShare) ? left.version : .min
    let rightTold = right.flags.contains(.isShare) ? right.version : .min
    return leftTold == rightTold ? nil : leftTold < rightTold
  }

  private func precedesByTeller(_ left: EventRecord, _ right: EventRecord) -> Bool {
    let (leftFeed, rightFeed) = (feeds.feed(of: left), feeds.feed(of: right))
    if leftFeed != rightFeed { return leftFeed < rightFeed }
    if left.details != right.details { return details.rank(of: left.details) < details.rank(of: right.details) }
    if left.key != right.key { return left.key < right.key }
    if left.transaction != right.transaction { return left.transaction < right.transaction }
    let leftLogged = names.rank(ofLogged: left)
    let rightLogged = names.rank(ofLogged: right)
    if left.extra != right.extra { return left.extra < right.extra }
    return leftLogged == rightLogged ? left.file < right.file : leftLogged < rightLogged
  }
}
