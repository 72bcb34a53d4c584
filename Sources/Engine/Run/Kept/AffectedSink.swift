import Domain

/// Hands the events of affected users on to both counts: as they were counted on the night that is kept, and as they are to be
/// counted now. Of all others it sees who has a charge that is sought.
struct AffectedSink: EventSink {
  /// What that night counted.
  private(set) var then: EventRouter
  private(set) var now: EventRouter
  private let affected: HashSet
  private let sought: HashSet
  /// Hashes of the users who have such a charge.
  private(set) var owners: Set<UInt64> = []
  /// That night had read the file at hand.
  var isKnown = true

  init(then: EventRouter, now: EventRouter, affected: HashSet, sought: HashSet) {
    (self.then, self.now, self.affected, self.sought) = (then, now, affected, sought)
  }

  /// Takes up a file, by its number.
  mutating func begin(_ file: Int, isKnown: Bool) {
    (then.file, now.file) = (UInt32(file), UInt32(file))
    self.isKnown = isKnown
  }

  static var isChoosy: Bool { true }

  @inline(__always)
  func wants(_ user: Text) -> Bool { affected.contains(ByteHash.hash64(user)) }

  @inline(__always)
  mutating func pass(chargeOf transaction: UInt64, by user: Text) {
    if sought.contains(transaction) { owners.insert(ByteHash.hash64(user)) }
  }

  @inline(__always)
  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    guard wants(event.user) else {
      if event.type.isCharge, let transaction = event.transaction { pass(chargeOf: transaction, by: event.user) }
      return
    }
    if isKnown { then.receive(event, place: place) }
    now.receive(event, place: place)
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? { now.receive(transfer) }

  mutating func receive(_ call: DecodedLine.Call) {
    if isKnown { then.receive(call) }
    now.receive(call)
  }

  mutating func finishBatch() {
    then.finishBatch()
    now.finishBatch()
  }

  mutating func finishFile() {
    then.finishFile()
    now.finishFile()
  }

  mutating func abandonFile() {
    then.abandonFile()
    now.abandonFile()
  }
}
