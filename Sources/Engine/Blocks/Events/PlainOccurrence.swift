import Domain

/// An occurrence that tells when, who and what, and nothing beside: three in four events of a log are paywalls shown.
/// 24 bytes where the whole record takes 64: of 5 million events 150 MB less.
struct PlainOccurrence: BitwiseCopyable {
  var time: Int64
  var key: UInt64
  var user: UInt32
  /// The number of what it has in common with others.
  var common: UInt32
}

extension PlainOccurrence {
  /// Nil where the event tells more.
  @inline(__always)
  init?(_ record: OccurrenceRecord, user: UInt32, among traits: CommonTraits) {
    guard record.isPlain else { return nil }
    (time, key, self.user) = (record.head.time, record.head.key, user)
    common = traits.number(of: CommonTraits.Traits(record.head))
  }

  /// The occurrence that an event is, its user yet to be found; nil where the event tells more, or is none.
  @inline(__always)
  init?(_ event: PurchaseEvent, file: UInt32, among traits: CommonTraits) {
    guard event.isPlain else { return nil }
    (time, key, user) = (event.time, event.key?.low ?? 0, 0)
    common = traits.number(of: CommonTraits.Traits(event, file: file))
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
  func whole(_ traits: CommonTraits) -> OccurrenceRecord {
    var record = traits[common]
    (record.head.time, record.head.key, record.head.user) = (time, key, user)
    return record
  }
}

/// What plain occurrences have in common, by number: a log has some hundred different ones.
///
/// One thread adds to it while it reads; afterwards all read it.
final class CommonTraits: @unchecked Sendable {
  /// Occurrences without time, key and user.
  private var records: [OccurrenceRecord] = []
  private var numbers: [Traits: UInt32] = [:]
  /// The last one asked for of each place: rows side by side repeat few of them, and finding one here costs no hash.
  private var lately = RecordBuffer<Lately>()

  private struct Lately: BitwiseCopyable {
    var traits = Traits()
    var number = UInt32.max
  }

  init() { lately.fill(with: Lately(), count: 64) }

  struct Traits: Hashable, BitwiseCopyable {
    var file: UInt32 = 0
    var product: UInt32 = 0
    var offering: UInt16 = 0
    var group: UInt16 = 0
    var type = EventType.paywallView

    fileprivate init() {}

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

    @inline(__always)
    fileprivate var place: Int {
      Int(UInt32(type.code) &* 7 &+ product &* 3 &+ UInt32(group) &+ UInt32(offering) &* 5) & 63
    }
  }

  subscript(number: UInt32) -> OccurrenceRecord {
    @inline(__always) get { records[Int(number)] }
  }

  @inline(__always)
  fileprivate func number(of traits: Traits) -> UInt32 {
    let last = lately.span[traits.place]
    return last.number != .max && last.traits == traits ? last.number : add(traits)
  }

  private func add(_ traits: Traits) -> UInt32 {
    let number = numbers[traits] ?? UInt32(records.count)
    if number == records.count {
      numbers[traits] = number
      records.append(OccurrenceRecord(traits))
    }
    lately.span[traits.place] = Lately(traits: traits, number: number)
    return number
  }
}

extension PurchaseEvent {
  /// It is an occurrence that tells when, who and what, and nothing beside.
  fileprivate var isPlain: Bool {
    @inline(__always) get {
      !type.isCharge && !type.isRefund && version == nil && end == nil && code == Interner.none
        && (transaction ?? 0) == 0 && chain | subscriptionGroup == 0 && !tellsNoGrace && !isCompanion && !isRetold
        && !isRecoveredByRenewal
    }
  }
}

extension OccurrenceRecord {
  /// A record of which nothing is told but what many have in common.
  fileprivate init(_ traits: CommonTraits.Traits) {
    var event = PurchaseEvent()
    (event.type, event.product) = (traits.type, traits.product)
    self.init(event, file: traits.file)
    (head.loggedOffering, head.loggedGroup) = (traits.offering, traits.group)
  }
}
