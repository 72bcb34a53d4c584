import Domain

/// Money that came in: a purchase, a renewal, a one-time purchase. 96 bytes.
struct ChargeRecord: EventRecord {
  var head: EventHead
  private var traits: Traits
  /// What the customer paid in.
  private let paidIn: Currency
  /// Number of what the log tells beside the money: tax, commission, attributes.
  var details: UInt32
  /// When it was stated that nothing of it is taken back, in seconds since 1970; 0 where that is not.
  private let statedSeconds: UInt32
  /// What was charged, in micros of `currency`.
  var amountMicros: Int64
  /// When the access it buys ends.
  var end: OptionalTime
  /// Which snapshot of an export's row it comes from.
  var version: SnapshotVersion

  /// What was charged in its own currency; 0 where `amountMicros` says so.
  private let chargedMicros: Int64

  private struct Traits: OptionSet {
    let rawValue: UInt8
    static let isNet = Traits(rawValue: 1)
    static let isNumbered = Traits(rawValue: 2)
    static let isToldInDollars = Traits(rawValue: 4)
    static let isRetold = Traits(rawValue: 8)
    static let namesNoPayment = Traits(rawValue: 16)
  }

  init(_ event: PurchaseEvent, file: UInt32) {
    head = EventHead(event, file: file)
    traits = []
    if event.isNet { traits.insert(.isNet) }
    if event.isNumbered { traits.insert(.isNumbered) }
    if event.charged != nil { traits.insert(.isToldInDollars) }
    if event.isRetold { traits.insert(.isRetold) }
    if event.namesNoPayment { traits.insert(.namesNoPayment) }
    chargedMicros = event.charged?.micros ?? 0
    paidIn = event.charged?.currency ?? event.currency
    details = event.details
    statedSeconds = UInt32(clamping: (event.toldAt ?? 0) / 1000)
    amountMicros = event.amountMicros ?? 0
    end = OptionalTime(event.end)
    version = SnapshotVersion(event.version)
  }

  /// What `amountMicros` is in.
  var currency: Currency { isToldInDollars ? .dollar : paidIn }

  /// The amount is what was left after refunds; the row does not tell what was charged.
  var isNet: Bool { traits.contains(.isNet) }
  /// Its key holds the number of the renewal.
  var isNumbered: Bool { traits.contains(.isNumbered) }
  /// The same log tells the sale by another event, too, which says more of it.
  var isRetold: Bool { traits.contains(.isRetold) }
  /// It should name its payment, and does not.
  var namesNoPayment: Bool { traits.contains(.namesNoPayment) }
  /// Its amount is the log's own worth in US dollars, for no exchange rate is known.
  var isToldInDollars: Bool { traits.contains(.isToldInDollars) }
  /// What it cost in its own currency, where its amount is its worth in US dollars.
  var charged: ChargedPrice? {
    isToldInDollars ? ChargedPrice(micros: chargedMicros, currency: paidIn) : nil
  }

  /// When it was last stated that nothing of it is taken back, in milliseconds since 1970; nil where that is not.
  var statedAt: Int64? { statedSeconds == 0 ? nil : Int64(statedSeconds) * 1000 }

  /// It says what another charge of the same user says, word for word, but for the time.
  func repeats(_ other: ChargeRecord) -> Bool {
    head.repeats(other.head) && traits == other.traits && currency == other.currency && details == other.details
      && amountMicros == other.amountMicros && charged == other.charged && end == other.end && version == other.version
      && statedSeconds == other.statedSeconds
  }
}

/// A charge in a currency of which no exchange rate is known for its day.
struct UnpricedCharge: EventRecord {
  var head: EventHead
  /// Number of the reject it becomes where its user counts.
  var reject: UInt32
  /// Which snapshot of an export's row it comes from.
  var version: SnapshotVersion

  init(_ event: PurchaseEvent, file: UInt32, reject: UInt32) {
    head = EventHead(event, file: file)
    self.reject = reject
    version = SnapshotVersion(event.version)
  }
}

/// Which snapshot of an export's row an event comes from: a later one replaces the earlier ones. Other formats' rows
/// stand as they are.
struct SnapshotVersion: BitwiseCopyable, Comparable {
  /// `Int64.min` for a row that nothing replaces.
  private let number: Int64

  init(_ number: Int64?) {
    self.number = number ?? .min
  }

  /// A later row may take its place.
  var isReplaceable: Bool { number != .min }

  static func < (left: SnapshotVersion, right: SnapshotVersion) -> Bool { left.number < right.number }
}
