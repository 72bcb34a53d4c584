/// What one user did before T, each thing once: charges with what is left of them, and everything else.
///
/// One history is used for user after user, so that its arrays are allocated once.
final class UserHistory {
  /// By time.
  var charges: [Charge] = []
  /// All other events, refunds among them, by time.
  var events: [Event] = []
  /// What the kept events were logged with: numbers of an offering (or `EventRecord.noName`) and a group.
  var loggedArms: [(offering: UInt16, group: UInt16)] = []
  /// What refunds and reversals made of the charges, by time.
  var refundSteps: [RefundStep] = []

  /// From `time` on, `refunded` of the charge is taken back.
  struct RefundStep {
    var time: Int64
    /// Index into `charges`.
    var charge: Int
    var refunded: Int64
  }

  /// Money that came in.
  struct Charge {
    /// Milliseconds since 1970.
    var time: Int64
    var type: EventType
    var product: UInt32
    var kind: ProductKind
    /// Micros of the reporting currency.
    var gross: Int64
    /// What refunds took back at T, from 0 to `gross`.
    var refunded: Int64
    /// When the access it buys ends, as far as the log tells; nil where it does not.
    var end: Int64?
    /// What is left after tax and the store's commission.
    var proceeds: Int64

    var net: Int64 { gross - refunded }
    var isAutoRenewable: Bool { kind == .autoRenewable }
  }

  /// Anything else that happened.
  struct Event {
    /// Milliseconds since 1970.
    var time: Int64
    var type: EventType
    var product: UInt32
    var kind: ProductKind
    /// When the trial or the grace that begins here ends, as far as the log tells; nil where it does not.
    var end: Int64?
    /// Number of the code it carries; `Interner.none` where it carries none.
    var code = Interner.none
    /// The transaction it belongs to; nil where it names none.
    var transaction: UInt64?
  }

  var isEmpty: Bool { charges.isEmpty && events.isEmpty }

  func removeAll() {
    charges.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    loggedArms.removeAll(keepingCapacity: true)
    refundSteps.removeAll(keepingCapacity: true)
  }
}
