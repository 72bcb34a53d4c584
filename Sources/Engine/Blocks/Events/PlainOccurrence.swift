import Domain

/// An occurrence that tells when, who and what, and nothing beside: three in four events of a log are paywalls shown.
/// 24 bytes where the whole record takes 72: of 5 million events 200 MB less.
struct PlainOccurrence: PlainRecord {
  var time: Int64
  var key: UInt64
  var user: UInt32
  /// The number of what it has in common with others.
  var common: UInt32
}

extension PlainOccurrence {
  /// Nil where the event tells more.
  @inline(__always)
  init?(_ record: OccurrenceRecord, user: UInt32, among traits: CommonTraits<Traits>) {
    guard record.isPlain else { return nil }
    (time, key, self.user) = (record.head.time, record.head.key, user)
    common = traits.number(of: Traits(record.head))
  }

  /// The occurrence that an event is, its user yet to be found; nil where the event tells more, or is none.
  @inline(__always)
  init?(_ event: PurchaseEvent, file: UInt32, among traits: CommonTraits<Traits>) {
    guard event.isPlain else { return nil }
    (time, key, user) = (event.time, event.key?.low ?? 0, 0)
    common = traits.number(of: Traits(event, file: file))
  }

  /// The same, of the user with that number in its partition.
  @inline(__always)
  func of(_ user: UInt32) -> PlainOccurrence {
    var record = self
    record.user = user
    return record
  }

  /// The whole record.
  @inline(__always)
  func whole(_ traits: CommonTraits<Traits>) -> OccurrenceRecord {
    var record = traits[common]
    (record.head.time, record.head.key, record.head.user) = (time, key, user)
    return record
  }

  /// What plain occurrences have in common.
  struct Traits: RecordTraits {
    var file: UInt32 = 0
    var product: UInt32 = 0
    var offering: UInt16 = 0
    var group: UInt16 = 0
    var type = EventType.paywallView

    init() {}

    @inline(__always)
    fileprivate init(_ head: EventHead) {
      (file, product, type) = (head.file, head.product, head.type)
      (offering, group) = (head.loggedOffering, head.loggedGroup)
    }

    @inline(__always)
    fileprivate init(_ event: PurchaseEvent, file: UInt32) {
      (self.file, product, type) = (file, event.product, event.type)
      offering = EventHead.number(ofLogged: event.loggedOffering)
      group = EventHead.number(ofLogged: event.loggedGroup)
    }

    var hash: UInt32 {
      @inline(__always) get {
        UInt32(type.code) &* 7 &+ product &* 3 &+ UInt32(group) &+ UInt32(offering) &* 5
      }
    }

    /// A record of which nothing is told but this.
    var record: OccurrenceRecord {
      var event = PurchaseEvent()
      (event.type, event.product) = (type, product)
      var record = OccurrenceRecord(event, file: file)
      (record.head.loggedOffering, record.head.loggedGroup) = (offering, group)
      return record
    }
  }
}

extension PurchaseEvent {
  /// It is an occurrence that tells when, who and what, and nothing beside.
  fileprivate var isPlain: Bool {
    @inline(__always) get {
      !type.isCharge && !type.isRefund && version == nil && end == nil && code == Interner.none
        && (transaction ?? 0) == 0 && chain | subscriptionGroup == 0 && !tellsNoGrace && !isCompanion && !isRetold
        && !isRecoveredByRenewal && !isState
    }
  }
}
