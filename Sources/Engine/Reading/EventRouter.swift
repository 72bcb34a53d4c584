import Domain
import Synchronization

/// Sends each event to its user's partition, and counts those that go no further.
struct EventRouter: EventSink {
  let users: UserDirectory
  let identities: Identities
  let rates: ExchangeRates
  /// T: what happened at or after it is set aside.
  let cutoff: Instant
  let chunks: EventChunks
  let rateless: RatelessCharges
  /// Keeps the events of users in no offering, where the job asks what they buy.
  let outside: OutsideEvents?
  /// How many look-ups are under way at once.
  private static let waitingRoom = 64
  /// Index of the file being read.
  var file: UInt32 = 0
  /// Events of the file that were set aside, by reason.
  private(set) var setAside: [SetAsideReason: Int] = [:]
  /// When the events that count came.
  private(set) var days = EventDays()
  /// How the file's calls for an offering went.
  private(set) var calls = OfferingCalls()
  private var newCalls = OfferingCalls()
  /// The file's purchases, and those of users nobody assigned.
  private(set) var strangers = Strangers()
  private var newStrangers = Strangers()
  /// The file's events of times that cannot be.
  private(set) var earlyTimes = EarlyTimes()
  private var newEarlyTimes = EarlyTimes()
  private var waiting: [Waiting] = []
  private var sandbox = 0
  private var familyShared = 0
  private var afterCutoff = 0
  private var unassigned = 0

  init(
    users: UserDirectory, identities: Identities, rates: ExchangeRates, cutoff: Instant, chunks: EventChunks,
    rateless: RatelessCharges, outside: OutsideEvents? = nil
  ) {
    self.users = users
    self.identities = identities
    self.rates = rates
    self.cutoff = cutoff
    self.chunks = chunks
    self.rateless = rateless
    self.outside = outside
    waiting.reserveCapacity(Self.waitingRoom)
  }

  @inline(__always)
  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    // What a companion comes to is no matter of its row's.
    let row = event.isCompanion ? 0 : 1
    if event.isSandbox {
      sandbox += row
    } else if event.isFamilyShared {
      familyShared += row
    } else if event.time >= cutoff.milliseconds {
      afterCutoff += row
    } else {
      days.add(event.time)
      newEarlyTimes.look(at: event.time)
      if event.type.isCharge { newStrangers.purchases += 1 }
      let hash = ByteHash.hash64(event.user)
      let record = EventRecord(event, file: file)
      if isRateless(event) || mayBeRateless(event) { return routeRateless(record, event, place) }
      if identities.isEmpty { users.prefetchSlot(hash: hash) } else { identities.prefetchSlot(hash: hash) }
      waiting.append(Waiting(record: record, user: event.user, hash: hash))
      if waiting.count == Self.waitingRoom { finishBatch() }
    }
  }

  /// An event whose user is yet to be found.
  private struct Waiting {
    var record: EventRecord
    var user: Text
    var hash: UInt64
  }

  /// Finds the users of the waiting events. A directory of a million users is far larger than the processor's
  /// caches; asking for the memory of many look-ups at once hides most of the way to it.
  mutating func finishBatch() {
    if !identities.isEmpty { resolveWaiting() }
    for event in waiting { users.prefetchEntry(hash: event.hash) }
    for index in waiting.indices {
      let hash = waiting[index].hash
      let partition = UserDirectory.partition(ofHash: hash)
      guard let user = users.find(waiting[index].user, hash: hash, partition: partition) else {
        if !waiting[index].record.flags.contains(.isCompanion) { unassigned += 1 }
        outside?.append(waiting[index].record, of: waiting[index].user)
        if waiting[index].record.type.isCharge { newStrangers.add(waiting[index].user, hash: hash) }
        continue
      }
      waiting[index].record.user = user
      chunks.append(waiting[index].record, to: partition)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Puts in place of each waiting event's user id that of the user it stands for.
  private mutating func resolveWaiting() {
    for event in waiting { identities.prefetchEntry(hash: event.hash) }
    for index in waiting.indices {
      let user = identities.resolve(waiting[index].user, hash: waiting[index].hash)
      waiting[index].user = user
      waiting[index].hash = ByteHash.hash64(user)
      users.prefetchSlot(hash: waiting[index].hash)
    }
  }

  @inline(__always)
  private func isRateless(_ event: PurchaseEvent) -> Bool {
    guard event.type.isCharge, event.currency != rates.reporting else { return false }
    return rates.nanos(event.currency, day: Instant(milliseconds: event.time).utcDay) == nil
  }

  /// A refund takes the rate that its own currency has on the day of its charge, which shows only later.
  @inline(__always)
  private func mayBeRateless(_ event: PurchaseEvent) -> Bool {
    event.type == .refund && event.amountMicros != nil && !event.isShare && !event.isCompanion
      && event.currency != rates.reporting && event.currency != .none
  }

  /// A charge or refund without a rate is worth its place in the file only where its user is measured.
  private mutating func routeRateless(
    _ record: EventRecord, _ event: PurchaseEvent, _ place: () -> Reject
  ) {
    let name = identities.resolve(event.user)
    let hash = ByteHash.hash64(name)
    let partition = UserDirectory.partition(ofHash: hash)
    guard let user = users.find(name, hash: hash, partition: partition) else {
      unassigned += 1
      newStrangers.add(name, hash: hash)
      return
    }
    var reject = place()
    reject.account = Int(file)
    reject.reason = .noExchangeRate
    var record = record
    record.user = user
    if event.type.isCharge {
      let date = CivilDate(day: Instant(milliseconds: event.time).utcDay)
      reject.detail = lack(of: event.currency, "\(date)")
      record.amountMicros = Int64(rateless.add(reject))
      record.flags.insert(.hasNoRate)
    } else {
      reject.detail = lack(of: event.currency, "the day of the charge it takes back")
      record.version = Int64(rateless.add(reject))
    }
    chunks.append(record, to: partition)
  }

  private func lack(of currency: Currency, _ day: String) -> String {
    "no rate of \(currency.text) for \(day) or the \(ExchangeRates.longestReach) days before; "
      + "exchange_rates: names a table of date, currency, rate (\(rates.reporting.text) for 1 \(currency.text))"
  }

  /// Who is who was heard before the assignments were read.
  func receive(_ transfer: DecodedRows.Transfer) -> SetAsideReason? {
    transfer.time < cutoff.milliseconds ? nil : .afterCutoff
  }

  mutating func receive(_ call: DecodedRows.Call) {
    if call.time < cutoff.milliseconds { newCalls.add(call.outcome) }
  }

  mutating func finishFile() {
    chunks.finishFile()
    outside?.chunks.finishFile()
    let counts: [(SetAsideReason, Int)] = [
      (.sandbox, sandbox), (.familyShared, familyShared), (.afterCutoff, afterCutoff), (.unassigned, unassigned),
    ]
    setAside = Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
    calls = newCalls
    strangers = newStrangers
    earlyTimes = newEarlyTimes
    clear()
  }

  mutating func abandonFile() {
    chunks.abandonFile()
    outside?.chunks.abandonFile()
    setAside = [:]
    calls = OfferingCalls()
    strangers = Strangers()
    earlyTimes = EarlyTimes()
    clear()
  }

  private mutating func clear() {
    newCalls = OfferingCalls()
    newStrangers = Strangers()
    newEarlyTimes = EarlyTimes()
    sandbox = 0
    familyShared = 0
    afterCutoff = 0
    unassigned = 0
  }
}

/// Charges no exchange rate is known for, and refunds it may be unknown for. Whether one is rejected shows only once
/// its user is known to count, so where it stands is kept until then.
final class RatelessCharges: Sendable {
  private let places = Mutex<[Reject]>([])

  /// Keeps a place and returns its number.
  func add(_ place: Reject) -> Int {
    places.withLock {
      $0.append(place)
      return $0.count - 1
    }
  }

  /// The places, by number.
  var all: [Reject] { places.withLock { $0 } }
}
