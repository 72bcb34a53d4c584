import Domain

/// What follows from what an event says.
extension PurchaseEvent {
  /// Stands for a time that nothing tells, in `reportedAt`: the refunds' own rows say when they happened.
  static let untoldTime: Int64 = 0

  /// It is an event of production, and of a charge the one that stands for it.
  package var mayCount: Bool {
    !traits.isSandbox && !traits.isFamilyShared && !traits.isVoid && !(traits.type.isCharge && traits.isCompanion)
  }

  /// A row that tells a charge stands for it; other ids of the charge may be told beside.
  var isRowOfCharge: Bool { traits.type.isCharge && !traits.isCompanion }

  /// How many rows the event stands for: a companion's row is that of the event it comes with.
  var rows: Int { traits.isCompanion ? 0 : 1 }

  /// Something else that its row tells of the same user and product.
  func becoming(_ type: EventType, at time: Int64) -> PurchaseEvent {
    var event = self
    (event.traits.type, event.moment.time) = (type, time)
    return event
  }

  // MARK: - Numbers of what it may not name; 0 where it does not

  var keyNumber: UInt64 {
    @inline(__always) get { moment.key?.low ?? 0 }
  }

  var transactionNumber: UInt64 {
    @inline(__always) get { sale.transaction ?? 0 }
  }

  var hasKey: Bool { keyNumber != 0 }
  var hasTransaction: Bool { transactionNumber != 0 }
  /// Money, in micros of its currency: 0 where it names no amount.
  var amount: Int64 {
    @inline(__always) get { sale.amountMicros ?? 0 }
  }

  /// It says which subscription or group of subscriptions it belongs to.
  var isOfSubscription: Bool { sale.chain | sale.subscriptionGroup != 0 }

  /// A later row may take its place.
  var isReplaceable: Bool { rest.version != nil }

  /// Another row of the same transaction says more than this one.
  func isOlder(than version: Int64) -> Bool { rest.version.map { $0 < version } ?? false }

  // MARK: - Of a charge

  /// What a charge cost in its own currency, where its amount is its worth in US dollars.
  var charged: ChargedPrice? {
    get { rest.chargedMicros.map { ChargedPrice(micros: $0, currency: Currency(code: UInt16(rest.chargedCurrency))) } }
    set {
      (rest.chargedMicros, rest.chargedCurrency) = (newValue?.micros, newValue.map { UInt32($0.currency.code) } ?? 0)
    }
  }

  /// When it was last stated that nothing of a charge is taken back, in milliseconds since 1970; nil where that is not.
  var statedWholeAt: Int64? { rest.reportedAt == 0 ? nil : rest.reportedAt }

  // MARK: - Of a refund

  /// How a refund tells what it gives back.
  enum Measure: UInt8 {
    /// All of the charge.
    case all
    /// Micros of the currency.
    case money
    /// Thousandths of a percent of the charge.
    case share
    /// Micros of the currency that are left of the charge.
    case remainder
  }

  var measure: Measure {
    traits.isShare ? .share : traits.isNet ? .remainder : sale.amountMicros == nil ? .all : .money
  }

  /// It tells how its charge stands, and not what was given back this time.
  var reportsState: Bool { isStatement || isReplaceable }

  /// Its log tells at times how the charge stands: a share of it, or a sum that was stated at a time.
  var isStatement: Bool { measure == .share || rest.reportedAt != nil }

  /// It says how much had been given back, and not since when.
  var isUndated: Bool { rest.reportedAt == Self.untoldTime }

  // MARK: - Of anything else

  /// It says that all that was bought of its subscription is a test.
  var isTest: Bool { traits.isState && traits.isSandbox }

  /// It is about a charge that came before, names that charge's transaction and stands in a row of its own: that
  /// transaction, by which it finds its charge, whoever its user is said to be.
  var referencedTransaction: UInt64? {
    traits.followsCharge && rest.version == nil ? sale.transaction : nil
  }

  /// The recovery of this failed renewal: of the same transaction and, for ties, with the same grace.
  func recovered(at time: Int64) -> PurchaseEvent {
    var recovery = becoming(.billingRecovery, at: time)
    recovery.key = Fingerprint(contentOf: .billingRecovery, product: traits.product, time: time)
    (recovery.code, recovery.version, recovery.isCompanion) = (Interner.none, nil, true)
    recovery.isDuplicated = rest.version != nil && traits.isDuplicated
    (recovery.isRecoveredByRenewal, recovery.reportsNoGrace, recovery.isVoid) = (false, false, false)
    (recovery.isState, recovery.isSandbox) = (false, false)
    return recovery
  }

  /// It says what another event of the same user says, word for word, in whichever file and at whatever time.
  func repeats(_ other: PurchaseEvent) -> Bool {
    var (mine, theirs) = (traits, other.traits)
    (mine.file, theirs.file) = (0, 0)
    return keyNumber == other.keyNumber && mine == theirs && sale.hasBytes(of: other.sale)
      && rest.hasBytes(of: other.rest)
  }
}

extension EventTraits {
  /// It is about a charge that came before, and has a row of its own.
  var followsCharge: Bool { type.followsCharge && !isCompanion }
}

extension EventType {
  /// It is about a charge that came before: money that went back, or what became of a subscription.
  var followsCharge: Bool {
    switch self {
    case .refund, .refundReversal, .cancel, .uncancel, .billingRetry, .billingRecovery, .expire, .extend: true
    default: false
    }
  }
}
