import Domain
import Measurement

/// The blocks of an entry that one task fills with the events it reads.
final class EventEntryPart {
  private let entry: EntryWriter
  private let events: EventBlockWriter
  private var transfers = RowOutcomes()
  private var isWritten = true

  init(_ entry: EntryWriter, names: EventNames, types: EventTypes) {
    self.entry = entry
    events = EventBlockWriter(names: names, types: types)
  }

  /// Asks for the memory that adding an event begins with.
  ///
  /// - Parameter hash: of its user's id.
  @inline(__always)
  func ask(for hash: UInt64) { events.ask(for: hash) }

  /// Adds an event, and the place of its row where that may be asked for.
  ///
  /// - Parameter hash: of its user's id.
  @inline(__always)
  func append(_ event: PurchaseEvent, hash: UInt64, place: Reject?) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(event, hash: hash)
    if let place { events.keep(place) }
  }

  func append(_ transfer: DecodedLine.Transfer) {
    if isWritten { events.append(transfer) }
  }

  /// The transfers of a row have all been added.
  func endRow(_ reason: SetAsideReason?) {
    transfers.book(reason)
    events.endRow()
    if events.isFull { writeEvents() }
  }

  func append(_ alias: DecodedLine.Alias) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(alias)
  }

  func append(_ call: DecodedLine.Call) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(call)
  }

  func append(_ enrolment: DecodedLine.Enrolment) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(enrolment)
  }

  /// The task has read all that it will of the file.
  func finish() {
    if isWritten, !events.isEmpty { writeEvents() }
    entry.book(transfers)
  }

  /// Gives all of the entry up.
  func abandon() {
    isWritten = false
    entry.abandon()
  }

  private func writeEvents() { isWritten = entry.add(events.finish()) }
}
