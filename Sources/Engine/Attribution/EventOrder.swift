/// The order in which a user's events are looked at: by what they say, never by their order of arrival.
///
/// One a thread: a value would be copied for every sort, and with it the counts of all that it refers to, which
/// threads share.
final class EventOrder: Sendable {
  private let rules: HistoryRules

  init(_ rules: HistoryRules) {
    self.rules = rules
  }

  /// By time, price, product id, name of the type, currency; and, so that nothing is left to chance, by feed, by what
  /// is told beside the money, by the end of access that is told, what a row is about before what it says beside, and by
  /// all the rest of what an event says.
  func sort(charges: RecordSpan<PurchaseEvent>) {
    guard !Self.areInOrder(charges) else { return }
    charges.sort { left, right in
      if left.time != right.time { return left.time < right.time }
      if left.amount != right.amount { return left.amount < right.amount }
      if let isBefore = byProductAndType(left, right) { return isBefore }
      if left.currency != right.currency { return left.currency.code < right.currency.code }
      if let isBefore = byFeed(left, right) { return isBefore }
      if left.details != right.details {
        return rules.details.rank(of: left.details) < rules.details.rank(of: right.details)
      }
      if left.end != right.end { return left.end ?? 0 < right.end ?? 0 }
      if left.isCompanion != right.isCompanion { return right.isCompanion }
      if let isBefore = byTransaction(left, right) { return isBefore }
      if (left.chargedMicros == nil) != (right.chargedMicros == nil) { return right.chargedMicros != nil }
      if left.namesNoPayment != right.namesNoPayment { return right.namesNoPayment }
      if let (one, other) = left.charged.flatMap({ one in right.charged.map { (one, $0) } }) {
        if one.micros != other.micros { return one.micros < other.micros }
        if one.currency != other.currency { return one.currency.code < other.currency.code }
      }
      return byLogged(left, right) ?? (left.keyNumber < right.keyNumber)
    }
  }

  /// By time, at one instant refunds before reversals, what a row is about before what another says beside, by when a
  /// state was told; then as charges.
  func sort(refunds: RecordSpan<PurchaseEvent>) {
    guard !Self.areInOrder(refunds) else { return }
    refunds.sort { left, right in
      if left.time != right.time { return left.time < right.time }
      if left.type != right.type { return left.type == .refund }
      if left.isCompanion != right.isCompanion { return right.isCompanion }
      let (leftState, rightState) = (left.stateRank, right.stateRank)
      if leftState != rightState { return leftState < rightState }
      let (leftAmount, rightAmount) = (left.amountRank, right.amountRank)
      if leftAmount != rightAmount { return leftAmount < rightAmount }
      if let isBefore = byProductAndType(left, right) { return isBefore }
      if left.currency != right.currency { return left.currency.code < right.currency.code }
      if let isBefore = byFeed(left, right) { return isBefore }
      if let isBefore = byTransaction(left, right) { return isBefore }
      if left.chargeKey != right.chargeKey { return left.chargeKey ?? 0 < right.chargeKey ?? 0 }
      if left.isSingleRefund != right.isSingleRefund { return right.isSingleRefund }
      if left.dollars != right.dollars { return left.dollars ?? -1 < right.dollars ?? -1 }
      return byLogged(left, right) ?? (left.keyNumber < right.keyNumber)
    }
  }

  /// By time, product id, name of the type; of one feed what a row is about before what another says beside, and
  /// what tells a thing before what tells it once more; then as charges, and by the code.
  func sort(occurrences: RecordSpan<PurchaseEvent>) {
    guard !Self.areInOrder(occurrences) else { return }
    occurrences.sort { left, right in
      if left.time != right.time { return left.time < right.time }
      if let isBefore = byProductAndType(left, right) { return isBefore }
      if let isBefore = byFeed(left, right) { return isBefore }
      if left.isCompanion != right.isCompanion { return right.isCompanion }
      if left.isDuplicated != right.isDuplicated { return right.isDuplicated }
      if let isBefore = byTransaction(left, right) { return isBefore }
      if left.end != right.end { return left.end ?? 0 < right.end ?? 0 }
      if left.reportsNoGrace != right.reportsNoGrace { return right.reportsNoGrace }
      if let isBefore = byLogged(left, right) { return isBefore }
      if left.code != right.code { return rules.names.rank(ofCode: left.code) < rules.names.rank(ofCode: right.code) }
      return left.keyNumber < right.keyNumber
    }
  }

  /// Whether each event came later than the one before, as logs mostly have them: then there is nothing to sort.
  private static func areInOrder(_ events: RecordSpan<PurchaseEvent>) -> Bool {
    var last = Int64.min
    for event in events {
      guard event.time > last else { return false }
      last = event.time
    }
    return true
  }

  // MARK: - Parts; nil where both are alike

  private func byProductAndType(_ left: PurchaseEvent, _ right: PurchaseEvent) -> Bool? {
    if left.product != right.product { return rules.facts.rank(left.product) < rules.facts.rank(right.product) }
    if left.type == right.type { return nil }
    return rules.types.ranks[Int(left.type.code)] < rules.types.ranks[Int(right.type.code)]
  }

  private func byFeed(_ left: PurchaseEvent, _ right: PurchaseEvent) -> Bool? {
    let (leftFeed, rightFeed) = (rules.feeds.feed(of: left), rules.feeds.feed(of: right))
    return leftFeed == rightFeed ? nil : leftFeed < rightFeed
  }

  private func byTransaction(_ left: PurchaseEvent, _ right: PurchaseEvent) -> Bool? {
    if left.transaction != right.transaction { return left.transactionNumber < right.transactionNumber }
    if left.chain != right.chain { return left.chain < right.chain }
    return left.subscriptionGroup == right.subscriptionGroup ? nil : left.subscriptionGroup < right.subscriptionGroup
  }

  // A key may be made of a product's number, which follows from who asked first: it comes behind all else.

  /// By what they were logged with, then by the file.
  private func byLogged(_ left: PurchaseEvent, _ right: PurchaseEvent) -> Bool? {
    let leftLogged = rules.names.rank(ofLogged: left)
    let rightLogged = rules.names.rank(ofLogged: right)
    if leftLogged != rightLogged { return leftLogged < rightLogged }
    return left.file == right.file ? nil : left.file < right.file
  }
}

extension PurchaseEvent {
  /// Refunds that tell no state come first.
  fileprivate var stateRank: Int64 { isStatement ? rest.reportedAt ?? 0 : .min }
  /// A refund of all comes first.
  fileprivate var amountRank: Int64 { measure == .all ? -1 : amount }
}
