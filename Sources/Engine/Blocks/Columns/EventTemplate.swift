import Domain

/// The columns of a block of events, in the order they lie in it.
enum EventColumn: Int, CaseIterable {
  // Dictionaries.
  case names, details, templates
  // Of every event: whose it is, how long it is, and all else.
  case userLengths, userBytes, length, event
  /// Of charges that name a transaction.
  case charged
  // Beside the events.
  case places, transfers, aliases, calls, enrolments
}

/// What many events of a block have in common: everything but who, when, how much and which transaction.
///
/// A log of millions of events has a few hundred of these, so that an event is a template's number and little more.
/// Names go by the run's numbers, `Interner.none` for none.
struct EventTemplate: BitwiseCopyable {
  var traits: Traits
  var type: UInt32
  var product: UInt32
  var currency: UInt32
  var code: UInt32
  var details: UInt32
  var offering: UInt32
  var group: UInt32

  /// What holds of an event, and which of the values that not all have it has.
  struct Traits: OptionSet, BitwiseCopyable {
    let rawValue: UInt32

    static let isShare = Traits(rawValue: 1 << 0)
    static let isNet = Traits(rawValue: 1 << 1)
    static let isNumbered = Traits(rawValue: 1 << 2)
    static let isRecoveredByRenewal = Traits(rawValue: 1 << 3)
    static let isRetold = Traits(rawValue: 1 << 4)
    static let isCompanion = Traits(rawValue: 1 << 5)
    static let isSandbox = Traits(rawValue: 1 << 6)
    static let isFamilyShared = Traits(rawValue: 1 << 7)
    static let hasKey = Traits(rawValue: 1 << 8)
    /// The transaction's number is the key's, and so is not written.
    static let isKeyedByTransaction = Traits(rawValue: 1 << 9)
    static let hasTransaction = Traits(rawValue: 1 << 10)
    static let hasChargeKey = Traits(rawValue: 1 << 11)
    static let hasAmount = Traits(rawValue: 1 << 12)
    static let hasEnd = Traits(rawValue: 1 << 13)
    static let hasVersion = Traits(rawValue: 1 << 14)
    static let hasToldAt = Traits(rawValue: 1 << 15)
    static let hasRowStart = Traits(rawValue: 1 << 16)
    /// The key follows from what the event says, product and all, and so is not written: products have other numbers
    /// where the block is read.
    static let isKeyedByContent = Traits(rawValue: 1 << 17)

    /// It belongs to a subscription, or to a group of such.
    static let hasChain = Traits(rawValue: 1 << 18)
    static let hasDollars = Traits(rawValue: 1 << 19)
    static let tellsNoGrace = Traits(rawValue: 1 << 20)
    static let isVoid = Traits(rawValue: 1 << 21)

    static let namesNoPayment = Traits(rawValue: 1 << 22)
    static let isSingleRefund = Traits(rawValue: 1 << 23)
    static let isOfLatestCharge = Traits(rawValue: 1 << 24)

    static let isState = Traits(rawValue: 1 << 25)
    static let hasReplacedChain = Traits(rawValue: 1 << 26)

    /// All there are.
    static let all = Traits(rawValue: 1 << 27 - 1)
  }
}

extension EventTemplate {
  /// It is a charge that names a transaction.
  static func isCharged(_ type: EventType, _ traits: Traits) -> Bool {
    type.isCharge && !traits.isDisjoint(with: [.hasTransaction, .isKeyedByTransaction])
  }

  /// A charge that may count is of a product: tables of products are looked up by its number. Rows of families and of
  /// sandboxes need not name one, as nothing is charged; states of a sandbox are looked at further, and so do.
  var namesProduct: Bool {
    guard EventType(code: UInt16(type)).isCharge, product == Interner.none else { return true }
    return traits.contains(.isSandbox) ? !traits.contains(.isState) : traits.contains(.isFamilyShared)
  }

  @inline(__always)
  init(_ event: PurchaseEvent) {
    traits = Traits(event)
    type = UInt32(event.type.code)
    product = event.product
    currency = UInt32(event.currency.code)
    code = event.code
    details = event.details
    offering = event.loggedOffering
    group = event.loggedGroup
  }

  /// An event of which nothing else is known.
  var event: PurchaseEvent {
    var event = PurchaseEvent()
    event.type = EventType(code: UInt16(type))
    event.product = product
    event.currency = Currency(code: UInt16(currency))
    event.code = code
    event.details = details
    event.loggedOffering = offering
    event.loggedGroup = group
    event.tellsNoGrace = traits.contains(.tellsNoGrace)
    event.isVoid = traits.contains(.isVoid)
    event.namesNoPayment = traits.contains(.namesNoPayment)
    event.isSingleRefund = traits.contains(.isSingleRefund)
    event.isOfLatestCharge = traits.contains(.isOfLatestCharge)
    event.isState = traits.contains(.isState)
    event.isShare = traits.contains(.isShare)
    event.isNet = traits.contains(.isNet)
    event.isNumbered = traits.contains(.isNumbered)
    event.isRecoveredByRenewal = traits.contains(.isRecoveredByRenewal)
    event.isRetold = traits.contains(.isRetold)
    event.isCompanion = traits.contains(.isCompanion)
    event.isSandbox = traits.contains(.isSandbox)
    event.isFamilyShared = traits.contains(.isFamilyShared)
    return event
  }
}

extension EventTemplate.Traits {
  @inline(__always)
  fileprivate init(_ event: PurchaseEvent) {
    self = []
    if event.isShare { insert(.isShare) }
    if event.isNet { insert(.isNet) }
    if event.isNumbered { insert(.isNumbered) }
    if event.isRecoveredByRenewal { insert(.isRecoveredByRenewal) }
    if event.isRetold { insert(.isRetold) }
    if event.isCompanion { insert(.isCompanion) }
    if event.isSandbox { insert(.isSandbox) }
    if event.isFamilyShared { insert(.isFamilyShared) }
    if event.isKeyedByContent {
      insert(.isKeyedByContent)
    } else if let key = event.key {
      insert(.hasKey)
      if event.transaction == key.low { insert(.isKeyedByTransaction) }
    }
    if event.transaction != nil, !contains(.isKeyedByTransaction) { insert(.hasTransaction) }
    if event.chargeKey != nil { insert(.hasChargeKey) }
    if event.amountMicros != nil { insert(.hasAmount) }
    if event.end != nil { insert(.hasEnd) }
    if event.version != nil { insert(.hasVersion) }
    if event.toldAt != nil { insert(.hasToldAt) }
    if event.rowStart != nil { insert(.hasRowStart) }
    if event.chain | event.subscriptionGroup != 0 { insert(.hasChain) }
    if event.dollars != nil { insert(.hasDollars) }
    if event.tellsNoGrace { insert(.tellsNoGrace) }
    if event.isVoid { insert(.isVoid) }
    if event.namesNoPayment { insert(.namesNoPayment) }
    if event.isSingleRefund { insert(.isSingleRefund) }
    if event.isOfLatestCharge { insert(.isOfLatestCharge) }
    if event.isState { insert(.isState) }
    if event.replacedChain != 0 { insert(.hasReplacedChain) }
  }
}

extension PurchaseEvent {
  /// It has no id of its own and goes by what it says.
  fileprivate var isKeyedByContent: Bool {
    guard let key, !type.isCharge, !type.isRefund else { return false }
    return key.low == Fingerprint(contentOf: type, product: product, time: time).low
  }
}
