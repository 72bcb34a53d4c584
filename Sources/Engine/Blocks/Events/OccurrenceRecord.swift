import Domain

/// What happened without money: a paywall shown, a trial, a cancellation, a failed renewal, whatever the job names.
/// 72 bytes.
struct OccurrenceRecord: EventRecord {
  var head: EventHead
  private var traits: Traits
  /// Number of the code it carries; `Interner.none` where it carries none.
  var code: UInt32
  /// When the access, the trial or the grace that began ends.
  var end: OptionalTime
  /// Of an answer of how a subscription stands: number of what it tells beside, the price that is paid next, say.
  let details: UInt32
  /// The subscription that this one took the place of; 0 where it took no other's.
  let replacedChain: UInt32

  private struct Traits: OptionSet {
    let rawValue: UInt8
    static let isRecoveredByRenewal = Traits(rawValue: 1)
    static let isRetold = Traits(rawValue: 2)
    static let isOfSnapshot = Traits(rawValue: 4)
    static let tellsNoGrace = Traits(rawValue: 8)
    static let isVoid = Traits(rawValue: 16)
    static let isState = Traits(rawValue: 32)
    static let isSandbox = Traits(rawValue: 64)
  }

  init(_ event: PurchaseEvent, file: UInt32) {
    head = EventHead(event, file: file)
    traits = []
    if event.isRecoveredByRenewal { traits.insert(.isRecoveredByRenewal) }
    if event.isRetold { traits.insert(.isRetold) }
    if event.version != nil { traits.insert(.isOfSnapshot) }
    if event.tellsNoGrace { traits.insert(.tellsNoGrace) }
    if event.isVoid { traits.insert(.isVoid) }
    if event.isState { traits.insert(.isState) }
    if event.isSandbox { traits.insert(.isSandbox) }
    code = event.code
    end = OptionalTime(event.end)
    details = event.isState ? event.details : ChargeDetails.none
    replacedChain = event.replacedChain
  }

  /// A failed renewal whose recovery shows in the next renewal alone.
  var isRecoveredByRenewal: Bool { traits.contains(.isRecoveredByRenewal) }
  /// The same feed tells it by another event, too.
  var isRetold: Bool { traits.contains(.isRetold) }
  /// A failed renewal of which the log says that it has no grace.
  var tellsNoGrace: Bool { traits.contains(.tellsNoGrace) }
  /// It says no more than that there was no such transaction: older snapshots of it no longer count.
  var isVoid: Bool { traits.contains(.isVoid) }
  /// It says how a subscription stands, and not since when.
  var isState: Bool { traits.contains(.isState) }
  /// It says that all that was bought of its subscription is a test.
  var isTest: Bool { traits.contains([.isState, .isSandbox]) }
  /// It comes from a snapshot of an export's row.
  var isOfSnapshot: Bool { traits.contains(.isOfSnapshot) }

  /// It tells when, who and what, and nothing beside.
  var isPlain: Bool {
    @inline(__always) get {
      traits.isEmpty && code == Interner.none && end == .none && !head.hasTransaction && !head.isOfSubscription
        && !head.isCompanion
    }
  }

  /// It says what another event of the same user says, word for word, but for the time.
  func repeats(_ other: OccurrenceRecord) -> Bool {
    head.repeats(other.head) && traits == other.traits && code == other.code && end == other.end
      && details == other.details && replacedChain == other.replacedChain
  }

  /// The recovery of this failed renewal: of the same transaction and, for ties, with the same grace.
  func recovered(at time: Int64) -> OccurrenceRecord {
    var recovery = self
    recovery.head.type = .billingRecovery
    recovery.head.time = time
    recovery.head.key = Fingerprint(contentOf: .billingRecovery, product: head.product, time: time).low
    recovery.head.isCompanion = true
    recovery.traits = isOfSnapshot ? traits.intersection(.isRetold) : []
    recovery.code = Interner.none
    return recovery
  }
}

/// What the snapshot of an export's row tells beside its charge, or of a trial: a later snapshot replaces it.
struct SnapshotOccurrence: EventRecord {
  var occurrence: OccurrenceRecord
  var version: SnapshotVersion
  /// When the row's charge came, where it befell that.
  var chargedAt: OptionalTime

  init(_ event: PurchaseEvent, file: UInt32) {
    occurrence = OccurrenceRecord(event, file: file)
    version = SnapshotVersion(event.version)
    chargedAt = OptionalTime(event.rowStart)
  }

  var head: EventHead {
    get { occurrence.head }
    set { occurrence.head = newValue }
  }
}
