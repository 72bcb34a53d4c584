import Domain
import Jobs
import Measurement

/// Takes of a purchase log's file the rows that name the user.
struct NamingEvents: EventSink {
  private let ids: UserIDs
  /// Whose what follows a charge is; nil where that is not known yet.
  private let charges: TracedCharges?
  private let log: PurchaseLog
  /// Transactions that the user's rows name.
  private var transactions: Set<TracedCharges.Named> = []
  private let witness = RowWitness()
  private var found: [Found] = []
  /// The row at hand names the user in a transfer.
  private var isTransfer = false

  private struct Found {
    var place: Reject
    var bytes: [UInt8]
    var events: [NamingRow.ToldEvents]
  }

  /// Finds the rows of one file.
  ///
  /// - Throws: as `PurchaseLog.read`.
  static func rows(
    of number: Int, _ log: PurchaseLog, _ file: InputFile, ids: UserIDs, charges: TracedCharges? = nil
  ) throws -> NamingRows.Found {
    // Whether the signature holds is asked of the rows that are found.
    var sink = NamingEvents(ids: ids, charges: charges, log: log)
    var searched = file
    // What is signed is packed twice: nothing shows but by reading it.
    let words = log.input.format.isSearchable ? ids.words + (charges?.words ?? []) : []
    searched.part = .search(RowSearch(words: words, witness: sink.witness))
    let reading = try log.withoutVerification.read(searched, into: &sink)
    let isDamaged = reading.account.setAside[.corruptFile] != nil
    let rows = sink.found.map { found in
      var alone = file
      let header = log.input.table.format == .csv ? sink.witness.header : []
      alone.part =
        sink.witness.rowsAreNumbered
        ? .numbered(found.place.line) : .row(.init(bytes: header + found.bytes + [0x0a], names: reading.names))
      return NamingRow(
        source: .purchases(number), file: file, line: found.place.line, bytes: found.bytes, events: found.events,
        alone: alone, isOfDamagedFile: isDamaged)
    }
    return NamingRows.Found(rows: rows, warning: reading.warning, transactions: sink.transactions)
  }

  private init(ids: UserIDs, charges: TracedCharges?, log: PurchaseLog) {
    self.ids = ids
    self.charges = charges
    self.log = log
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    // What takes back an older row is told by that row's own fate.
    if event.isVoid { return }
    if event.user.isEmpty { return pass(place) }
    guard ids.contains(event.user) || charges?.isUsers(event) ?? false else { return }
    if let transaction = event.transaction, !event.transactionID.isEmpty {
      transactions.insert(TracedCharges.Named(transaction: transaction, id: Array(event.transactionID)))
    }
    let told = UserTrace.Event(event, log)
    if event.isCompanion, let row = found.indices.last, let last = found[row].events.indices.last {
      found[row].events[last].append(told)
    } else {
      add(place(), [told])
    }
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    isTransfer = isTransfer || ids.contains(transfer.alias) || ids.contains(transfer.user)
    return nil
  }

  mutating func pass(_ place: () -> Reject) {
    let place = place()
    if isTransfer || ids.stand(in: witness.bytes(at: place.byteOffset)) { add(place, nil) }
    isTransfer = false
  }

  /// A page of several events is one row.
  private mutating func add(_ place: Reject, _ events: NamingRow.ToldEvents?) {
    if found.last?.place.byteOffset != place.byteOffset {
      found.append(Found(place: place, bytes: witness.bytes(at: place.byteOffset), events: []))
    }
    if let events { found[found.count - 1].events.append(events) }
  }

  mutating func finishBatch() {}
  /// What a damaged file says is shown, though it does not count.
  mutating func abandonFile() {}
  mutating func finishFile() {}
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
