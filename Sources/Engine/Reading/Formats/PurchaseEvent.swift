import Domain

/// One event of a purchase log, whatever format it came in, from its row to its user's history.
///
/// What it says lies in four parts, and every property stands in one of them, in one line. That line is all that the event
/// needs in memory, in partitions on a disk, in the event store and on its way to another process:
///
///     moment   24 bytes   every event's own
///     sale     40 bytes   most charges' own
///     rest     56 bytes   few events' own
///     traits   40 bytes   what many events share: kept once, and numbered
///
/// An event waits as its moment, its moment and sale, or all three, whichever is the shortest that says all (`EventChunks`),
/// and lies in blocks as the same bytes (`EventBlock`). So a part has no gaps between its properties, and those of a sale
/// and of the rest begin with a value whose bytes are 0: `PurchaseEventTests` says where one does not.
///
/// It points into the batch it was read from and lives as long as that. It is asked by closures, `{ $0.time }`: `\.time` is a
/// path that is made anew for each event.
@dynamicMemberLookup
package struct PurchaseEvent: BitwiseCopyable {
  /// The user's id; empty once its number is known.
  package var user = Text.empty
  var moment = EventMoment()
  var sale = EventSale()
  var rest = EventRest()
  package var traits = EventTraits()

  package init() {}

  package subscript<Value>(dynamicMember part: WritableKeyPath<EventMoment, Value>) -> Value {
    @inline(__always) get { moment[keyPath: part] }
    @inline(__always) set { moment[keyPath: part] = newValue }
  }

  package subscript<Value>(dynamicMember part: WritableKeyPath<EventSale, Value>) -> Value {
    @inline(__always) get { sale[keyPath: part] }
    @inline(__always) set { sale[keyPath: part] = newValue }
  }

  package subscript<Value>(dynamicMember part: WritableKeyPath<EventRest, Value>) -> Value {
    @inline(__always) get { rest[keyPath: part] }
    @inline(__always) set { rest[keyPath: part] = newValue }
  }

  package subscript<Value>(dynamicMember part: WritableKeyPath<EventTraits, Value>) -> Value {
    @inline(__always) get { traits[keyPath: part] }
    @inline(__always) set { traits[keyPath: part] = newValue }
  }
}

/// What every event has of its own.
package struct EventMoment: Gapless {
  /// When it happened, in milliseconds since 1970 in UTC.
  package var time: Int64 = 0
  /// What makes two events the same one; nil where the event stands alone. Compared within one user's events only, so 64
  /// bits do.
  @OptionalFingerprint package var key: Fingerprint?
  /// The user's number in its partition, or in its block.
  package var userNumber: UInt32 = 0
  /// The number of the event's traits among those of its thread, partition or block.
  package var traitsNumber: UInt32 = 0
}

/// What most charges have of their own.
package struct EventSale: Gapless {
  /// The transaction it belongs to; nil where it names none.
  @OptionalID package var transaction: UInt64?
  /// What was charged or refunded, in millionths of `currency`; nil where the event names no amount.
  @OptionalInteger package var amountMicros: Int64?
  /// When the access that was bought or extended, the trial, or the grace ends, in milliseconds; nil where the log
  /// does not tell.
  @OptionalInteger package var end: Int64?
  /// Stands for the subscription that it belongs to, from its first transaction on; 0 where it names none.
  package var chain: UInt32 = 0
  /// Stands for the store's group of subscriptions, of which a customer holds one at a time; 0 where it names none.
  package var subscriptionGroup: UInt32 = 0
  /// Number of what the log tells beside the charge: tax, commission.
  package var details = ChargeDetails.none
  /// Number, from 1, of the reject that it becomes where no exchange rate is known; 0 where it becomes none.
  package var reject: UInt32 = 0
}

/// What few events have of their own.
package struct EventRest: Gapless {
  /// Of a refund or reversal, the key of its charge, where the format has one beside the transaction.
  @OptionalID package var chargeKey: UInt64?
  /// Of a row that stands for its charge until a later row replaces it: how late it is. The latest counts.
  @OptionalInteger package var version: Int64?
  /// Of a refund that states how its charge stands: when that was stated, in milliseconds. A later one replaces it. Of a
  /// charge: when it was stated that nothing of it is taken back.
  @OptionalInteger package var reportedAt: Int64?
  /// Of what befell the charge of an export's row: when that charge came, in milliseconds.
  @OptionalInteger package var rowStart: Int64?
  /// What the charge or refund is worth in US dollars, in millionths, as far as the log tells; nil where it does not.
  @OptionalInteger package var dollars: Int64?
  /// What a charge cost in its own currency whose amount is the log's own worth in US dollars, for no exchange rate is known,
  /// and the number of that currency.
  @OptionalInteger package var chargedMicros: Int64?
  package var chargedCurrency: UInt32 = 0
  /// Of an answer of how a subscription stands: stands for the one that it took the place of; 0 where it took no other's.
  package var replacedChain: UInt32 = 0
}

/// What an event shares with many others. Names go by the run's numbers, `Interner.none` for none.
package struct EventTraits: Gapless {
  package var product = Interner.none
  /// The code it carries: why a validation failed.
  package var code = Interner.none
  /// Offering and group as the log has them.
  package var loggedOffering = Interner.none
  package var loggedGroup = Interner.none
  /// Index among the log's files.
  package var file: UInt32 = 0
  package var type = EventType.paywallView
  package var currency = Currency.none

  /// Of a refund: the amount is a share of the charge, in thousandths of a percent.
  package var isShare = false
  /// The amount is what is left of a charge whose price before refunds the row does not tell.
  package var isNet = false
  /// The charge's key holds the number of its renewal: stores there are that give all of a subscription's renewals one
  /// transaction.
  package var isNumbered = false
  /// A failed renewal whose recovery nothing tells but the next renewal.
  package var isRecoveredByRenewal = false
  /// A failed renewal of which the log says that it has no grace: access ends with its period.
  package var reportsNoGrace = false
  /// The store's answer of how a subscription stands, which does not say since when: it is of the charge that paid for it
  /// last. One of a sandbox says that all that was bought of the subscription is a test.
  package var isState = false
  /// The row says that there was no such transaction after all: older rows of it no longer count, and it is no event.
  package var isVoid = false
  /// The same log tells it by another event, too. A charge that is counts only where no other event tells it.
  package var isDuplicated = false
  /// A charge that should name its payment, and does not: a payment of the same money minutes from it is its own.
  package var namesNoPayment = false
  /// Of a refund or reversal: it is about one refund that has an id of its own, and a reversal takes back that one alone.
  package var isSingleRefund = false
  /// Of a refund that names no transaction: it takes back the latest charge of its user and product.
  package var isOfLatestCharge = false
  /// The row says it beside something else: that decides what becomes of the row.
  package var isCompanion = false
  package var isSandbox = false
  package var isFamilyShared = false
  /// In a block: the key is not written, for it follows from type, product and time.
  package var isKeyedByContent = false
  /// Fills the last eight bytes: what is added above takes its place.
  private var spare = false
}

extension EventTraits: Hashable {
  @inline(__always)
  package static func == (left: EventTraits, right: EventTraits) -> Bool { left.hasBytes(of: right) }

  package func hash(into hasher: inout Hasher) { hasher.combine(mixed) }
}
