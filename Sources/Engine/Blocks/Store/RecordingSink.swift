import Domain

/// Hands a file's events on and writes them down on the way.
struct RecordingSink<Base: EventSink>: EventSink {
  private(set) var base: Base
  private let entry: EventEntryPart
  /// What becomes of the row of transfers at hand.
  private var transfers: (count: Int, reason: SetAsideReason?) = (0, nil)

  init(_ base: Base, into entry: EventEntryPart) {
    self.base = base
    self.entry = entry
  }

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    var asked: Reject?
    base.receive(event) {
      let found = position()
      asked = found
      return found
    }
    entry.append(event, position: asked ?? (event.mayNeedItsRow ? position() : nil))
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    let reason = base.receive(transfer)
    entry.append(transfer)
    transfers = (transfers.count + 1, transfers.reason ?? reason)
    return reason
  }

  mutating func receive(_ alias: DecodedLine.Alias) {
    base.receive(alias)
    entry.append(alias)
  }

  mutating func receive(_ call: DecodedLine.Call) {
    base.receive(call)
    entry.append(call)
  }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) {
    base.receive(enrolment)
    entry.append(enrolment)
  }

  mutating func skip(_ row: SkippedRow) {
    base.skip(row)
    guard transfers.count > 0 else { return }
    entry.endRow(transfers.reason)
    transfers = (0, nil)
  }

  mutating func finishBatch() { base.finishBatch() }

  mutating func finishFile() {
    base.finishFile()
    entry.finish()
  }

  mutating func abandonFile() {
    base.abandonFile()
    entry.abandon()
  }
}

extension PurchaseEvent {
  /// A refund of an amount of its own may turn out to have no exchange rate in any run, and its row is shown then. So
  /// may a charge, but a log that has many such charges is refused, and one that has a few is read anew.
  fileprivate var mayNeedItsRow: Bool {
    traits.type.isRefund && sale.amountMicros != nil && !traits.isShare && !traits.isCompanion
      && traits.currency != .none
  }
}
