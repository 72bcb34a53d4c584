import Domain
import Platform
import Synchronization

/// Writes an entry of the event store while its file is read, by one task or several. What goes wrong with it is no
/// reason to stop reading: it comes to light in `finish`.
final class EntryWriter: @unchecked Sendable {
  private let entry: StoreEntry
  private let path: String
  private let names: EventNames
  private let types: EventTypes
  /// Guards what follows.
  private let writing = Mutex<Void>(())
  /// Nil where nothing is written any more.
  private var file: FileWriter?
  private var failure: (any Error)?
  private var blocks = 0
  /// What became of the rows that said who is who.
  private var transfers = RowFates()

  /// - Parameter path: where the entry is written until it is whole; nothing stands there.
  init(_ entry: StoreEntry, at path: String, names: EventNames, types: EventTypes) {
    self.entry = entry
    self.path = path
    self.names = names
    self.types = types
    do { file = try FileWriter(beginning: path) } catch { failure = error }
    write(entry.origin)
  }

  deinit {
    if file != nil { giveUp() }
  }

  // MARK: - While the file is read

  /// What packs the events that one task reads.
  var part: EntryPart { EntryPart(self, events: EventBlockWriter(names: names, types: types)) }

  /// Adds a block of events; false where nothing is written any more. Blocks may come in any order.
  fileprivate func add(_ block: [UInt8]?) -> Bool {
    writing.withLock { _ in
      blocks += 1
      write(block)
      return file != nil
    }
  }

  /// Takes what became of the rows of transfers that one task has read.
  fileprivate func book(_ fates: RowFates) { writing.withLock { _ in transfers.merge(fates) } }

  /// Gives the entry up.
  func abandon() { writing.withLock { _ in giveUp() } }

  // MARK: - Afterwards

  /// Ends the entry.
  ///
  /// - Parameter reading: of all tasks together.
  /// - Returns: whether it stands at its path, whole. It does not where the file is damaged, or changed while it was
  ///   read.
  /// - Throws: `OfferliftError` where it could not be written.
  func finish(_ reading: FileReading) throws -> Bool {
    try writing.withLock { _ in
      if file != nil, isWhole(reading) {
        do {
          try reading.rejects.forEachBlock { write($0) }
          write(StoredReading(reading, blocks: blocks).block)
          if let file {
            try file.finish()
            self.file = nil
            return true
          }
        } catch { failure = error }
      }
      giveUp()
      if let failure { throw failure }
      return false
    }
  }

  /// The reading is of the bytes that the entry is for, and will come out of the entry as it is.
  private func isWhole(_ reading: FileReading) -> Bool {
    guard reading.account.bytes == entry.content.bytes, reading.account.crc32 == entry.content.crc32,
      reading.account.rejected == reading.rejects.count
    else {
      return false
    }
    var told = reading
    told.account.fates = transfers
    for (reason, rows) in reading.account.setAside where reason.isReject { told.account.fates.setAside(reason, rows) }
    StoredReading(reading, blocks: blocks).fill(&told)
    return told.account.fates == reading.account.fates
  }

  private func write(_ block: [UInt8]?) {
    guard let file else { return }
    do {
      guard let block else { throw OfferliftError(.badData, "\(path): a block would be longer than a gigabyte.") }
      try file.write(block)
    } catch {
      failure = error
      giveUp()
    }
  }

  private func giveUp() {
    file = nil
    try? Folder.remove(path)
  }
}

/// The blocks of an entry that one task fills with the events it reads.
final class EntryPart {
  private let entry: EntryWriter
  private let events: EventBlockWriter
  private var transfers = RowFates()
  private var isWritten = true

  fileprivate init(_ entry: EntryWriter, events: EventBlockWriter) {
    self.entry = entry
    self.events = events
  }

  @inline(__always)
  func append(_ event: PurchaseEvent, place: Reject?) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(event)
    if let place { events.keep(place) }
  }

  func append(_ transfer: DecodedLine.Transfer) {
    if isWritten { events.append(transfer) }
  }

  /// The transfers of a row have all been added.
  func endRow(_ reason: SetAsideReason?) {
    transfers.bookTransfers(reason)
    events.endRow()
    if events.isFull { writeEvents() }
  }

  func append(_ call: DecodedLine.Call) {
    guard isWritten else { return }
    if events.isFull { writeEvents() }
    events.append(call)
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
