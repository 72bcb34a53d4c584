import Domain
import Measurement

/// The blocks of an entry that one task fills with the events it reads, those of a partition of users by themselves: a later
/// run looks for one partition's users after the other, in all entries.
final class EventEntryPart {
  private let entry: EntryWriter
  private let names: EventNames
  private let types: EventTypes
  /// By partition; nil where none of its events has come yet.
  private var writers: [EventBlockWriter?]
  /// What is of no partition: transfers, aliases, calls, enrolments.
  private let others: EventBlockWriter
  private var transfers = RowOutcomes()
  private var isWritten = true

  /// So many events of a partition wait for each other: with more, 64 partitions would take much memory, with fewer the
  /// names of each block.
  private static let eventsOfBlock = 1 << 11

  init(_ entry: EntryWriter, names: EventNames, types: EventTypes) {
    self.entry = entry
    (self.names, self.types) = (names, types)
    writers = Array(repeating: nil, count: entry.isStored ? UserDirectory.partitionCount : 1)
    others = EventBlockWriter(names: names, types: types, mostEvents: 0)
  }

  /// Adds an event, and the place of its row where that may be asked for.
  @inline(__always)
  func append(_ event: PurchaseEvent, position: Reject?) {
    guard isWritten else { return }
    let partition = writers.count == 1 ? 0 : UserDirectory.partition(ofHash: ByteHash.hash64(event.user))
    let events = writers[partition] ?? addWriter(partition)
    if events.isFull { write(events) }
    events.append(event)
    if let position { events.retain(position) }
  }

  private func addWriter(_ partition: Int) -> EventBlockWriter {
    // What a run keeps for itself alone it has told as a whole.
    let writer =
      writers.count == 1
      ? EventBlockWriter(names: names, types: types)
      : EventBlockWriter(names: names, types: types, partition: partition, mostEvents: Self.eventsOfBlock)
    writers[partition] = writer
    return writer
  }

  func append(_ transfer: DecodedLine.Transfer) {
    if isWritten { others.append(transfer) }
  }

  /// The transfers of a row have all been added.
  func endRow(_ reason: SetAsideReason?) {
    transfers.record(reason)
    others.endRow()
    writeFullOthers()
  }

  func append(_ alias: DecodedLine.Alias) {
    guard isWritten else { return }
    others.append(alias)
    writeFullOthers()
  }

  func append(_ call: DecodedLine.Call) {
    guard isWritten else { return }
    others.append(call)
    writeFullOthers()
  }

  func append(_ enrolment: DecodedLine.Enrolment) {
    guard isWritten else { return }
    others.append(enrolment)
    writeFullOthers()
  }

  /// The task has read all that it will of the file.
  func finish() {
    for case let writer? in writers + [others] where isWritten && !writer.isEmpty { write(writer) }
    entry.record(transfers)
  }

  /// Gives all of the entry up.
  func abandon() {
    isWritten = false
    entry.abandon()
  }

  private func writeFullOthers() {
    if others.areTextsMany { write(others) }
  }

  private func write(_ writer: EventBlockWriter) { isWritten = entry.add(writer.finish()) }
}
