import Domain
import Measurement

/// Takes from an ordinary reading of a purchase log the rows that name one user, and those that may follow that user's
/// charges.
struct UserCapture: EventSink {
  private let request: Request
  private let log: PurchaseLog
  private let source: CapturedRow.Source
  private let file: String
  private(set) var found = Found()
  /// What the row at hand tells before its events, and where that row stands.
  private var pending = Pending()
  /// The row at hand names the user in a transfer; and why such a row does not count.
  private var isTransfer = false

  /// What is asked for.
  struct Request: Sendable {
    let ids: UserIDs
    let identities: Identities
    let cutoff: Instant
    /// Transactions of the user's whose owners are asked for; nil where they are not known yet.
    var wanted: ChargeOwners?
  }

  /// What a reading has found.
  struct Found: Sendable {
    /// In the order they came.
    var rows: [CapturedRow] = []
    /// Transactions that the user's rows name.
    var transactions: Set<UInt64> = []
    /// Transactions whose charges events follow that name somebody else.
    var followedByOthers: Set<UInt64> = []
    /// Who has the charges of the transactions asked for, by the hash of the user's id.
    var claims: [ChargeClaim] = []

    mutating func merge(_ other: Found) {
      rows += other.rows
      transactions.formUnion(other.transactions)
      followedByOthers.formUnion(other.followedByOthers)
      claims += other.claims
    }

    /// The same with other rows.
    func with(rows: [CapturedRow]) -> Found {
      var found = self
      found.rows = rows
      return found
    }
  }

  private struct Pending {
    var enrolments: [CapturedEnrolment] = []
    var voids: [RoutedEvent] = []
    var position: RowPosition?

    /// Where the row stands that these enrolments are of is not known yet.
    var awaitsRow: Bool { position == nil && !enrolments.isEmpty }
  }

  init(_ request: Request, _ file: PurchaseLogs.File) {
    self.request = request
    log = file.log
    source = .purchases(file.number)
    self.file = file.file.displayName
  }

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    let isNamed = request.ids.contains(event.user)
    note(event, isNamed)
    let mayFollow = event.referencedTransaction.map { request.wanted?.mayWant($0) ?? false } ?? false
    guard isNamed || mayFollow || event.isVoid && event.user.isEmpty else {
      if pending.awaitsRow { begin(position().position) }
      return
    }
    let reject = position()
    let routed = RoutedEvent(event, reject)
    if event.isVoid {
      begin(reject.position)
      return pending.voids.append(routed)
    }
    let row = row(at: reject, isNamed: isNamed)
    let shown = UserTrace.Event(event, log)
    if event.isCompanion, let last = found.rows[row].events.indices.last {
      found.rows[row].events[last].shown.append(shown)
      found.rows[row].events[last].routed.append(routed)
    } else {
      found.rows[row].events.append(CapturedEvent(shown: [shown], routed: [routed]))
    }
  }

  private mutating func note(_ event: PurchaseEvent, _ isNamed: Bool) {
    guard let transaction = event.transaction else { return }
    if let wanted = request.wanted {
      if wanted.mayWant(transaction), let claim = ChargeClaim(event, request) { found.claims.append(claim) }
    } else if isNamed {
      found.transactions.insert(transaction)
    } else if event.referencedTransaction != nil {
      found.followedByOthers.insert(transaction)
    }
  }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) {
    guard request.ids.contains(enrolment.user) else { return }
    // Enrolments come before all else of their row.
    if pending.position != nil { pending = Pending() }
    pending.enrolments.append(CapturedEnrolment(enrolment))
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    isTransfer = isTransfer || request.ids.contains(transfer.alias) || request.ids.contains(transfer.user)
    return transfer.time < request.cutoff.milliseconds ? nil : .afterCutoff
  }

  mutating func skip(_ row: SkippedRow) {
    defer { isTransfer = false }
    guard isTransfer || request.ids.stand(in: row.bytes) else {
      if pending.awaitsRow { begin(row.reject.position) }
      return
    }
    let position = self.row(at: row.reject, isNamed: true)
    if let reason = row.reason { found.rows[position].refuse(RowRefusal(reason: reason, detail: row.detail)) }
  }

  /// The number of the row at hand among those found; a page of several events is one row.
  private mutating func row(at reject: Reject, isNamed: Bool) -> Int {
    begin(reject.position)
    if found.rows.last?.position != reject.position {
      found.rows.append(
        CapturedRow(source: source, file: file, position: reject.position, excerpt: reject.excerpt, isNamed: isNamed))
    }
    let row = found.rows.count - 1
    found.rows[row].isNamed = found.rows[row].isNamed || isNamed
    found.rows[row].enrolments += pending.enrolments
    found.rows[row].voids += pending.voids
    pending = Pending(position: reject.position)
    return row
  }

  /// Forgets what an earlier row told, unless this one does.
  private mutating func begin(_ position: RowPosition) {
    if let known = pending.position, known != position { pending = Pending() }
    pending.position = position
  }

  mutating func finishBatch() {}
  /// What a damaged file says is shown, though it does not count.
  mutating func abandonFile() {}
  mutating func finishFile() {}
}

/// That a user has the charge of a transaction.
struct ChargeClaim: Sendable {
  let transaction: UInt64
  /// The hash of the user's id.
  let user: UInt64

  /// Nil where the event is no charge that a run counts, whoever its user is.
  init?(_ event: PurchaseEvent, _ request: UserCapture.Request) {
    guard event.type.isCharge, let transaction = event.transaction, !event.isSandbox, !event.isFamilyShared,
      event.time < request.cutoff.milliseconds
    else { return nil }
    self.transaction = transaction
    user = request.ids.hash(of: event, request.identities)
  }
}

extension UserTrace.Event {
  fileprivate init(_ event: PurchaseEvent, _ log: PurchaseLog) {
    user = Identifier(event.user)
    type = log.types.names[Int(event.type.code)]
    time = Instant(milliseconds: event.time)
    product = log.names.products.name(event.product)
    amountMicros = event.isShare ? nil : event.amountMicros
    percent = event.isShare ? event.amountMicros.map { Double($0) / 1000 } : nil
    currency = event.currency.text
    end = event.end.map { Instant(milliseconds: $0) }
    offering = log.names.offerings.name(event.loggedOffering)
    group = log.names.groups.name(event.loggedGroup)
    let reason = FailureReason(named: log.names.codes.name(event.code))
    (code, message) = (reason.code == "" ? nil : reason.code, reason.message == "" ? nil : reason.message)
  }
}
