import Domain
import Measurement

/// Takes all that a file of a purchase log tells in one pass: events into partitions, who became whom, and, where the
/// log itself assigns users, their assignments.
struct ExchangeSink: EventSink {
  private var events: PartitioningSink
  private var transfers: IdentityCollector
  private var assignments: LoggedAssignments?

  init(_ events: PartitioningSink, _ transfers: IdentityCollector, _ assignments: LoggedAssignments?) {
    (self.events, self.transfers, self.assignments) = (events, transfers, assignments)
  }

  /// How the calls for an offering went that the file tells of.
  var calls: OfferingCalls { events.calls }

  /// - Throws: `OfferliftError` where a block could not be written.
  func check() throws { try events.check() }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {
    assignments?.receive(event, place: place)
    events.receive(event, place: place)
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? { transfers.receive(transfer) }

  mutating func receive(_ alias: DecodedLine.Alias) { transfers.receive(alias) }

  mutating func receive(_ call: DecodedLine.Call) { events.receive(call) }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) { assignments?.receive(enrolment) }

  mutating func finishBatch() {}

  mutating func finishFile() {
    events.finishFile()
    transfers.finishFile()
    assignments?.finishFile()
  }

  mutating func abandonFile() {
    events.abandonFile()
    transfers.abandonFile()
    assignments?.abandonFile()
  }
}
