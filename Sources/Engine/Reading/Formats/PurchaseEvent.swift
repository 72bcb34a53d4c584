import Domain

/// One event of a purchase log, whatever format it came in: what Reading hands to Attribution.
///
/// It points into the batch it was read from and lives as long as that.
package struct PurchaseEvent: BitwiseCopyable {
  package var user = Text.empty
  package var type = EventType.paywallView
  /// When it happened, in milliseconds since 1970 in UTC.
  package var time: Int64 = 0
  /// Number of the product; `Interner.none` where the event names none.
  package var product = Interner.none
  /// What was charged or refunded, in millionths of `currency`; nil where the event names no amount.
  var amountMicros: Int64?
  /// Of a refund: the amount is a share of the charge, in thousandths of a percent.
  package var isShare = false
  package var currency = Currency.none
  /// The amount is what is left of a charge whose price before refunds the row does not tell.
  var isNet = false
  /// What the charge or refund is worth in US dollars, in millionths, as far as the log tells; nil where it does not.
  var dollars: Int64?
  /// What a charge cost whose amount is the log's own worth in US dollars, for no exchange rate is known.
  var charged: ChargedPrice?
  /// What makes two events the same one; nil where the event stands alone.
  package var key: Fingerprint?
  /// The transaction it belongs to; nil where it names none.
  var transaction: UInt64?
  /// The same as its row has it; empty where that is not told, or the event comes out of an event store.
  var transactionID = Text.empty
  /// Stands for the subscription that it belongs to, from its first transaction on; 0 where it names none.
  package var chain: UInt32 = 0
  /// Stands for the store's group of subscriptions, of which a customer holds one at a time; 0 where it names none.
  package var subscriptionGroup: UInt32 = 0
  /// Of a refund or reversal, the key of its charge, where the format has one beside the transaction.
  var chargeKey: UInt64?
  /// The charge's key holds the number of its renewal: stores there are that give all of a subscription's renewals one
  /// transaction.
  var isNumbered = false
  /// When the access that was bought or extended, the trial, or the grace ends, in milliseconds; nil where the log
  /// does not tell.
  package var end: Int64?
  /// Number of the code it carries (why a validation failed); `Interner.none` where it carries none.
  package var code = Interner.none
  /// Of a row that stands for its charge until a later row replaces it: how late it is. The latest counts.
  package var version: Int64?
  /// Of a refund that states how its charge stands: when that was stated, in milliseconds. A later one replaces it. Of a
  /// charge: when it was stated that nothing of it is taken back.
  var toldAt: Int64?
  /// Stands for a time that nothing tells, in `toldAt`: the refunds' own rows say when they happened.
  static let untoldTime: Int64 = 0
  /// Of what befell the charge of an export's row: when that charge came, in milliseconds.
  var rowStart: Int64?
  /// A failed renewal whose recovery nothing tells but the next renewal.
  var isRecoveredByRenewal = false
  /// A failed renewal of which the log says that it has no grace: access ends with its period.
  var tellsNoGrace = false
  /// The store's answer of how a subscription stands, which does not say since when: it is of the charge that paid for it
  /// last. One of a sandbox says that all that was bought of the subscription is a test.
  var isState = false
  /// Of such an answer: stands for the subscription that this one took the place of; 0 where it took no other's.
  var replacedChain: UInt32 = 0
  /// The row says that there was no such transaction after all: older rows of it no longer count, and it is no event.
  var isVoid = false
  /// The same log tells it by another event, too. A charge that is counts only where no other event tells it.
  var isRetold = false
  /// A charge that should name its payment, and does not: a payment of the same money minutes from it is its own.
  var namesNoPayment = false
  /// Of a refund or reversal: it is about one refund that has an id of its own, and a reversal takes back that one alone.
  var isSingleRefund = false
  /// Of a refund that names no transaction: it takes back the latest charge of its user and product.
  var isOfLatestCharge = false
  /// Number of what the log tells beside the charge: tax, commission.
  package var details = ChargeDetails.none
  /// The row says it beside something else: that decides what becomes of the row.
  var isCompanion = false
  /// Offering and group as the log has them; `Interner.none` where it does not.
  package var loggedOffering = Interner.none
  package var loggedGroup = Interner.none
  var isSandbox = false
  var isFamilyShared = false

  /// It is an event of production, and of a charge the one that stands for it.
  package var mayCount: Bool { !isSandbox && !isFamilyShared && !isVoid && !(type.isCharge && isCompanion) }

  /// A row that tells a charge stands for it; other ids of the charge may be told beside.
  var isRowOfCharge: Bool { type.isCharge && !isCompanion }

  /// Something else that its row tells of the same user and product.
  func becoming(_ type: EventType, at time: Int64) -> PurchaseEvent {
    var event = self
    (event.type, event.time) = (type, time)
    return event
  }
}
