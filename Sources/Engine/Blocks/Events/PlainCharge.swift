import Domain

/// A charge of a log that tells no more of it than most do: it has one price, and no other row takes its place. 64 bytes
/// where the whole record takes 96: of 5 million events 60 MB less.
struct PlainCharge: PlainRecord {
  private let time: Int64
  private let key: UInt64
  let transaction: UInt64
  private let amountMicros: Int64
  private let end: OptionalTime
  let user: UInt32
  private let chain: UInt32
  private let subscriptionGroup: UInt32
  private let details: UInt32
  /// The number of what it has in common with others.
  private let common: UInt32

  /// Nil where the charge tells more.
  @inline(__always)
  init?(_ record: ChargeRecord, user: UInt32, among traits: CommonTraits<Traits>) {
    guard record.isPlain else { return nil }
    (time, key, transaction) = (record.head.time, record.head.key, record.head.transaction)
    (amountMicros, end) = (record.amountMicros, record.end)
    (chain, subscriptionGroup, details) = (record.head.chain, record.head.subscriptionGroup, record.details)
    self.user = user
    common = traits.number(of: Traits(record))
  }

  /// The whole record.
  @inline(__always)
  func whole(_ traits: CommonTraits<Traits>) -> ChargeRecord {
    var record = traits[common]
    (record.head.time, record.head.key, record.head.transaction, record.head.user) = (time, key, transaction, user)
    (record.amountMicros, record.end) = (amountMicros, end)
    (record.head.chain, record.head.subscriptionGroup, record.details) = (chain, subscriptionGroup, details)
    return record
  }

  /// What plain charges have in common.
  struct Traits: RecordTraits {
    private var file: UInt32 = 0
    private var product: UInt32 = 0
    private var offering: UInt16 = 0
    private var group: UInt16 = 0
    private var currency = Currency.none
    private var type = EventType.purchase
    private var isNet = false
    private var isNumbered = false
    private var isRetold = false
    private var namesNoPayment = false

    init() {}

    @inline(__always)
    fileprivate init(_ record: ChargeRecord) {
      (file, product, type) = (record.head.file, record.head.product, record.head.type)
      (offering, group) = (record.head.loggedOffering, record.head.loggedGroup)
      (currency, isNet, isNumbered, isRetold) = (record.currency, record.isNet, record.isNumbered, record.isRetold)
      namesNoPayment = record.namesNoPayment
    }

    var hash: UInt32 {
      @inline(__always) get {
        UInt32(type.code) &* 7 &+ product &* 3 &+ UInt32(group) &+ UInt32(offering) &* 5 &+ UInt32(currency.code)
      }
    }

    /// A record of which nothing is told but this.
    var record: ChargeRecord {
      var event = PurchaseEvent()
      (event.type, event.product, event.currency) = (type, product, currency)
      (event.isNet, event.isNumbered, event.isRetold) = (isNet, isNumbered, isRetold)
      event.namesNoPayment = namesNoPayment
      var record = ChargeRecord(event, file: file)
      (record.head.loggedOffering, record.head.loggedGroup) = (offering, group)
      return record
    }
  }
}

extension ChargeRecord {
  /// It tells nothing beside.
  fileprivate var isPlain: Bool {
    @inline(__always) get {
      !head.isCompanion && !version.isReplaceable && !isToldInDollars && statedAt == nil
    }
  }
}
