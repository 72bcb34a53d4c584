import Domain

/// Takes the events of purchase logs as they are read; one conformance for each use of a log.
package protocol EventSink {
  /// Takes one event; `position` makes the reject it would become.
  mutating func receive(_ event: PurchaseEvent, position: () -> Reject)
  /// The batch that the events point into is about to be given up.
  mutating func finishBatch()
  /// Forgets every event received since the last file was finished.
  mutating func abandonFile()
  /// The file's events have all been received.
  mutating func finishFile()
  /// Takes the transfer of one user's purchases to another, and returns why it is set aside; nil where it counts.
  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason?
  /// Takes that two ids are one customer's, whatever becomes of the row that tells it.
  mutating func receive(_ alias: DecodedLine.Alias)
  /// Takes how a call for an offering went, whoever called.
  mutating func receive(_ call: DecodedLine.Call)
  /// Takes that a user is in a group of a test, whatever becomes of the row that tells it.
  mutating func receive(_ enrolment: DecodedLine.Enrolment)
  /// Takes a row that holds no event: a fault, a transfer, something that is not measured.
  mutating func skip(_ row: SkippedRow)
}

extension EventSink {
  /// Takes no notice: transfers are read by a pass of their own.
  package mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? { nil }

  /// Takes no notice: ids, too.
  package mutating func receive(_ alias: DecodedLine.Alias) {}

  /// Takes no notice: only the pass over the events counts calls.
  package mutating func receive(_ call: DecodedLine.Call) {}

  /// Takes no notice: only the pass over the assignments of `population: logged` does.
  package mutating func receive(_ enrolment: DecodedLine.Enrolment) {}

  /// Takes no notice: what became of the row is in its file's account.
  @inline(__always)
  package mutating func skip(_ row: SkippedRow) {}
}

/// A row that holds no event, as long as its batch lasts.
package struct SkippedRow {
  /// Why it does not count; nil of one that says who is who, and does.
  let reason: SetAsideReason?
  let detail: String
  private let number: Int
  private let batch: RecordBatch

  init(_ reason: SetAsideReason?, _ detail: String, _ number: Int, of batch: RecordBatch) {
    (self.reason, self.detail, self.number, self.batch) = (reason, detail, number, batch)
  }

  /// The reject it would become.
  var reject: Reject { batch.reject(number, reason ?? .malformed, detail) }
  /// All of it, without its line end.
  var bytes: [UInt8] { batch.bytes(of: number) }
}
