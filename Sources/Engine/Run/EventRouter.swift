import Domain
import Measurement

/// Sends each event to its user's partition, and counts those that go no further.
struct EventRouter: EventSink {
  /// All users to be found; it holds what `users` looks into.
  private let directory: UserDirectory
  private let users: UserDirectory.Finder
  let identities: Identities
  let rates: ExchangeRates
  /// What happened at or after it is set aside.
  let cutoff: Instant
  let chunks: EventChunks
  /// Writes into `chunks`.
  private let writer: EventChunks.Writer
  /// The traits of the events in `chunks`, by number.
  private let traits: EventTraitsTable
  let unpriced: UnpricedRejects
  /// Keeps the events of users in no offering, where the job asks what they buy.
  let outside: OutsideEvents?
  /// Keeps the events of users nobody measures that follow a charge, until it is known who has that; nil where that is
  /// settled.
  let following: DependentEventsOfUnassigned?
  /// How many look-ups wait for each other.
  private static let waitingRoom = 64
  /// How many events later the slot that a look-up begins with has come, so that it tells what else to ask for.
  private static let lead = 8
  /// Index of the file being read, among the log's.
  var file: UInt32 = 0
  /// What the last finished file came to.
  private(set) var finished = Counts()
  /// What the file at hand has come to so far.
  private var counts = Counts()
  private let waiting = WaitingEvents(room: Self.waitingRoom)
  private var waitingCount = 0

  /// The purchases of the last finished file, and those of users nobody assigned.
  private(set) var finishedUnassigned = UnassignedPurchases()
  private var unassigned = UnassignedPurchases()

  /// What is counted of one file's events while they are read.
  struct Counts: Sendable, Codable {
    /// Rows that go no further.
    var outcomes = RowOutcomes()
    /// How calls for an offering went.
    var calls = OfferingCalls()
    /// When the events that count came, and those of times that cannot be.
    var days = EventDays()
    var earlyTimes = EarlyTimes()

    mutating func merge(_ other: Counts) {
      outcomes.merge(other.outcomes)
      calls.merge(other.calls)
      days.merge(other.days)
      earlyTimes.merge(other.earlyTimes)
    }
  }

  init(
    users: UserDirectory, identities: Identities, rates: ExchangeRates, cutoff: Instant, chunks: EventChunks,
    unpriced: UnpricedRejects, outside: OutsideEvents? = nil, following: DependentEventsOfUnassigned? = nil
  ) {
    directory = users
    self.users = users.finder
    self.identities = identities
    self.rates = rates
    self.cutoff = cutoff
    self.chunks = chunks
    writer = chunks.writer
    traits = chunks.traits
    self.unpriced = unpriced
    self.outside = outside
    self.following = following
  }

  @inline(__always)
  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    if event.isSandbox {
      counts.outcomes.setAside(.sandbox, event.rows)
      // That all that was bought of a subscription is a test its charges do not say.
      if event.isState { route(event) }
    } else if event.isFamilyShared {
      counts.outcomes.setAside(.familyShared, event.rows)
    } else if event.time >= cutoff.milliseconds {
      counts.outcomes.setAside(.afterCutoff, event.rows)
      if event.isSingleRefund { routeLater(event) }
    } else {
      counts.days.add(event.time)
      counts.earlyTimes.look(at: event.time)
      if event.isRowOfCharge { unassigned.purchases += 1 }
      guard rates.mayLack(event) else { return route(event) }
      if let reported = rates.reportedInDollars(event) { route(reported) } else { routeUnpriced(event, position) }
    }
  }

  /// Sends on a refund that has not happened yet: its charge's row may count it already, and does not say when it came.
  private mutating func routeLater(_ refund: PurchaseEvent) {
    guard refund.type == .refund, !rates.mayLack(refund) else { return }
    var refund = refund
    refund.isCompanion = true
    route(refund)
  }

  /// Sends an event on whose worth is known, as far as it has any.
  @inline(__always)
  private mutating func route(_ event: PurchaseEvent) {
    let hash = ByteHash.hash64(event.user)
    wait(event, hash)
    if identities.isEmpty { ask(for: waitingCount &- 1) } else { identities.prefetchSlot(hash: hash) }
    if waitingCount == Self.waitingRoom { retainMost() }
  }

  @inline(__always)
  private mutating func wait(_ event: PurchaseEvent, _ hash: UInt64) {
    waiting.users[waitingCount] = WaitingEvents.User(id: event.user, hash: hash)
    waiting.rows[waitingCount] = row(of: event)
    waitingCount &+= 1
  }

  /// The event as it is stored, under its file's number.
  @inline(__always)
  private func row(of event: PurchaseEvent) -> WholeRow {
    var (row, traits) = (WholeRow(event), event.traits)
    traits.file = file
    if !traits.type.isCharge, !traits.type.isRefund { row.leaveOutMoney(&traits) }
    row.moment.traitsNumber = self.traits.number(of: traits)
    return row
  }

  /// Asks for the memory that finding a waiting event's user begins with, and, of an event that came a little earlier,
  /// for what it ends with. A directory of a million users is far larger than the processor's caches, and so the way to
  /// it passes while rows are read.
  @inline(__always)
  private func ask(for position: Int) {
    users.prefetchSlot(hash: waiting.users[position].hash)
    if position >= Self.lead { users.prefetchEntry(hash: waiting.users[position &- Self.lead].hash) }
  }

  /// Finds the users of all waiting events.
  mutating func finishBatch() {
    if !identities.isEmpty { resolveWaiting() }
    for position in max(0, waitingCount - Self.lead)..<waitingCount {
      users.prefetchEntry(hash: waiting.users[position].hash)
    }
    retain(waitingCount)
    waitingCount = 0
  }

  /// Finds the users of the waiting events but for the last, whose memory may not have come.
  private mutating func retainMost() {
    guard identities.isEmpty else { return finishBatch() }
    let most = waitingCount - Self.lead
    retain(most)
    for position in most..<waitingCount {
      (waiting.users[position - most], waiting.rows[position - most]) = (
        waiting.users[position], waiting.rows[position]
      )
    }
    waitingCount = Self.lead
  }

  /// Finds the users of the first waiting events, and keeps these where they belong.
  @inline(__always)
  private mutating func retain(_ count: Int) {
    for position in 0..<count {
      let (id, hash) = (waiting.users[position].id, waiting.users[position].hash)
      let partition = UserDirectory.partition(ofHash: hash)
      if let number = users.find(id, hash: hash, partition: partition) {
        writer.append(waiting.rows[position], to: partition, user: number)
      } else {
        routeUnassigned(event(position), of: id, hash)
      }
    }
  }

  /// A waiting event, whole.
  private func event(_ position: Int) -> PurchaseEvent {
    var event = PurchaseEvent()
    waiting.rows[position].fill(&event)
    event.traits = traits[event.traitsNumber]
    return event
  }

  private mutating func routeUnassigned(_ event: PurchaseEvent, of user: Text, _ hash: UInt64) {
    if let following, event.referencedTransaction != nil {
      return following.append(event, of: user, hash: hash)
    }
    counts.outcomes.setAside(.unassigned, event.rows)
    if event.type.isCharge, !event.isCompanion { unassigned.add(user, hash: hash) }
    if let outside {
      outside.append(event, of: user)
    } else if event.type.isCharge, let transaction = event.transaction {
      following?.noteCharge(transaction, hash: hash)
    }
  }

  /// Puts in place of each waiting event's user id that of the user it stands for.
  private mutating func resolveWaiting() {
    for position in 0..<waitingCount { identities.prefetchEntry(hash: waiting.users[position].hash) }
    for position in 0..<waitingCount {
      let id = identities.resolve(waiting.users[position].id, hash: waiting.users[position].hash)
      let hash = ByteHash.hash64(id)
      (waiting.users[position].id, waiting.users[position].hash) = (id, hash)
      ask(for: position)
    }
  }

  // MARK: - Without an exchange rate

  /// A charge or refund without a rate is worth its place in the file only where its user is measured.
  private mutating func routeUnpriced(_ event: PurchaseEvent, _ position: () -> Reject) {
    // Its row is rejected once.
    if event.type.isCharge, event.isCompanion { return }
    let name = identities.resolve(event.user)
    let hash = ByteHash.hash64(name)
    let partition = UserDirectory.partition(ofHash: hash)
    let user = users.find(name, hash: hash, partition: partition)
    if user == nil, following == nil || event.referencedTransaction == nil {
      counts.outcomes.setAside(.unassigned)
      guard event.type.isCharge else { return }
      unassigned.add(name, hash: hash)
      if let transaction = event.transaction { following?.noteCharge(transaction, hash: hash) }
      return
    }
    var reject = position()
    reject.account = Int(file)
    reject.reason = .noExchangeRate
    let date = CivilDate(day: Instant(milliseconds: event.time).utcDay)
    reject.detail = missingRate(
      of: event.currency, event.type.isCharge ? "\(date)" : "the day of the charge it takes back")
    var row = row(of: event)
    row.sale.reject = unpriced.add(reject) + 1
    if let user {
      writer.append(row, to: partition, user: user)
    } else {
      var event = event
      (event.user, event.traits.file, event.sale.reject) = (.empty, file, row.sale.reject)
      following?.append(event, of: name, hash: hash)
    }
  }

  private func missingRate(of currency: Currency, _ day: String) -> String {
    "no rate of \(currency.text) for \(day) or the \(ExchangeRates.longestReach) days before; "
      + "exchange_rates: names a table of date, currency, rate (\(rates.reporting.text) for 1 \(currency.text))"
  }

  // MARK: - Rows that are no events

  /// Identities were read before the assignments, in a pass of their own.
  func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    transfer.time < cutoff.milliseconds ? nil : .afterCutoff
  }

  mutating func receive(_ call: DecodedLine.Call) {
    if call.time < cutoff.milliseconds { counts.calls.add(call.outcome) }
  }

  // MARK: - Files

  mutating func finishFile() {
    following?.finishFile()
    chunks.finishFile()
    outside?.chunks.finishFile()
    (finished, counts) = (counts, Counts())
    (finishedUnassigned, unassigned) = (unassigned, UnassignedPurchases())
  }

  /// Purchases of unassigned users that are read next will be merged into a sample that has this limit.
  mutating func begin(limit: UInt64) { unassigned.limit = limit }

  mutating func abandonFile() {
    following?.abandonFile()
    chunks.abandonFile()
    outside?.chunks.abandonFile()
    (finished, counts) = (Counts(), Counts())
    (finishedUnassigned, unassigned) = (UnassignedPurchases(), UnassignedPurchases())
  }
}
