import Domain

/// What happened, as a small number: the built-in types first, then those the job names.
package struct EventType: Sendable, Hashable, Codable, BitwiseCopyable {
  package let code: UInt16

  static let paywallView = EventType(code: 0)
  static let trialStart = EventType(code: 1)
  package static let purchase = EventType(code: 2)
  package static let renewal = EventType(code: 3)
  static let oneTimePurchase = EventType(code: 4)
  static let refund = EventType(code: 5)
  static let refundReversal = EventType(code: 6)
  static let cancel = EventType(code: 7)
  static let uncancel = EventType(code: 8)
  static let billingRetry = EventType(code: 9)
  static let billingRecovery = EventType(code: 10)
  static let expire = EventType(code: 11)
  /// Access now ends at the time it tells, without a charge.
  static let extend = EventType(code: 12)

  /// The built-in types' names in a log, by code.
  static let builtIn = [
    "paywall_view", "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "refund_reversal",
    "cancel", "uncancel", "billing_retry", "billing_recovery", "expire", "extend",
  ]

  /// Money came in.
  package var isCharge: Bool { (Self.purchase.code...Self.oneTimePurchase.code).contains(code) }
  /// Money went back, or came again.
  package var isRefund: Bool { code == Self.refund.code || code == Self.refundReversal.code }
}

/// The types a job knows: a type that nothing names is a reject.
package struct EventTypes: Sendable {
  /// Names by code.
  package let names: [Identifier]
  /// For each code the place of its name among all names in order of bytes.
  package let ranks: [UInt16]
  private let codes: [Identifier: UInt16]

  /// - Parameter named: types the job names beside the built-in ones.
  package init(named: some Sequence<String>) {
    var names = EventType.builtIn.map { Identifier($0) }
    for name in Set(named.map { Identifier($0) }).subtracting(names).sorted() { names.append(name) }
    self.names = names
    codes = Dictionary(uniqueKeysWithValues: zip(names, 0...))
    var ranks = [UInt16](repeating: 0, count: names.count)
    for (rank, code) in names.indices.sorted(by: { names[$0] < names[$1] }).enumerated() {
      ranks[code] = UInt16(rank)
    }
    self.ranks = ranks
  }

  /// The type of that name; nil where the job knows none.
  package func type(named name: String) -> EventType? {
    codes[Identifier(name)].map { EventType(code: $0) }
  }
}
