import Domain

/// Money that went back, or a reversal, which restores it.
struct RefundRecord: EventRecord {
  var head: EventHead
  /// What `amount` measures.
  var measure: Measure
  /// It names its charge by the number of the renewal, too.
  var isNumbered: Bool
  /// It is about one refund that has an id of its own; a reversal takes back that one alone.
  var isSingle: Bool
  /// It names no transaction, and is of the latest charge of its product.
  var isOfLatestCharge: Bool
  var currency: Currency
  /// As `measure` says; 0 where it says all.
  var amount: Int64
  /// The same in millionths of a US dollar, as far as the log tells.
  let dollars: Int64?
  /// The charge's key, where the format has one beside the transaction; 0 where it has none.
  var chargeKey: UInt64
  /// Which snapshot of an export's row it comes from.
  var version: SnapshotVersion
  /// When the store told how the charge stands, in milliseconds: a later word replaces an earlier one.
  var statedAt: OptionalTime
  /// Number of the reject it becomes if its currency has no exchange rate on the day of its charge.
  var reject: UInt32

  /// How a refund tells what it gives back.
  enum Measure: UInt8, BitwiseCopyable {
    /// All of the charge.
    case all
    /// Micros of the currency.
    case money
    /// Thousandths of a percent of the charge.
    case share
    /// Micros of the currency that are left of the charge.
    case remainder
  }

  init(_ event: PurchaseEvent, file: UInt32, reject: UInt32 = Interner.none) {
    head = EventHead(event, file: file)
    measure =
      event.isShare ? .share : event.isNet ? .remainder : event.amountMicros == nil ? .all : .money
    isNumbered = event.isNumbered
    isSingle = event.isSingleRefund
    isOfLatestCharge = event.isOfLatestCharge
    currency = event.currency
    amount = event.amountMicros ?? 0
    dollars = event.dollars
    chargeKey = event.chargeKey ?? 0
    version = SnapshotVersion(event.version)
    statedAt = OptionalTime(event.toldAt)
    self.reject = reject
  }

  /// It says what another refund of the same user says, word for word, but for the time.
  func repeats(_ other: RefundRecord) -> Bool {
    head.repeats(other.head) && measure == other.measure && isNumbered == other.isNumbered
      && isSingle == other.isSingle && isOfLatestCharge == other.isOfLatestCharge && currency == other.currency
      && amount == other.amount
      && chargeKey == other.chargeKey && dollars == other.dollars && version == other.version
      && statedAt == other.statedAt
  }

  /// It tells how its charge stands, and not what was given back this time.
  var tellsState: Bool { isStatement || version.isReplaceable }

  /// Its log tells at times how the charge stands: a share of it, or a sum that was stated at a time.
  var isStatement: Bool { measure == .share || statedAt.value != nil }

  /// It says how much had been given back, and not since when.
  var isUndated: Bool { statedAt.value == PurchaseEvent.untoldTime }
}
