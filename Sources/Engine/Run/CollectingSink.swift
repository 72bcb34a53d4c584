import Domain
import Measurement

/// Takes of a file of a purchase log what is asked for in one pass: who became whom, where the log itself assigns users their
/// assignments, and events into partitions.
struct CollectingSink: EventSink {
  var identities: IdentityCollector?
  var assignments: LoggedAssignments?
  private(set) var events: PartitioningSink?

  mutating func receive(_ event: PurchaseEvent, position: () -> Reject) {
    assignments?.receive(event)
    events?.receive(event, position: position)
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? { identities?.receive(transfer) }

  mutating func receive(_ alias: DecodedLine.Alias) { identities?.receive(alias) }

  mutating func receive(_ call: DecodedLine.Call) { events?.receive(call) }

  mutating func receive(_ enrolment: DecodedLine.Enrolment) { assignments?.receive(enrolment) }

  mutating func finishBatch() {}

  mutating func finishFile() {
    events?.finishFile()
    identities?.finishFile()
    assignments?.finishFile()
  }

  mutating func abandonFile() {
    events?.abandonFile()
    identities?.abandonFile()
  }
}
