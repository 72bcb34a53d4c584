import Domain
import Platform

/// Writes an entry of the event store while its file is read. What goes wrong with it is no reason to stop reading: it
/// comes to light in `finish`. For one thread.
final class EntryWriter {
  private let entry: StoreEntry
  private let path: String
  private let events: EventBlockWriter
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
    events = EventBlockWriter(names: names, types: types)
    do { file = try FileWriter(beginning: path) } catch { failure = error }
    write(entry.origin)
  }

  deinit {
    if file != nil { abandon() }
  }

  // MARK: - While the file is read

  @inline(__always)
  func append(_ event: PurchaseEvent, place: Reject?) {
    guard file != nil else { return }
    if events.isFull { writeEvents() }
    events.append(event)
    if let place { events.keep(place) }
  }

  func append(_ transfer: DecodedLine.Transfer) {
    if file != nil { events.append(transfer) }
  }

  /// The transfers of a row have all been added.
  func endRow(_ reason: SetAsideReason?) {
    transfers.bookTransfers(reason)
    events.endRow()
    if events.isFull { writeEvents() }
  }

  func append(_ call: DecodedLine.Call) {
    guard file != nil else { return }
    if events.isFull { writeEvents() }
    events.append(call)
  }

  /// Gives the entry up.
  func abandon() {
    file = nil
    try? Folder.remove(path)
  }

  // MARK: - Afterwards

  /// Ends the entry.
  ///
  /// - Returns: whether it stands at its path, whole. It does not where the file is damaged, or changed while it was
  ///   read.
  /// - Throws: `OfferliftError` where it could not be written.
  func finish(_ reading: FileReading) throws -> Bool {
    if file != nil, isWhole(reading) {
      if !events.isEmpty { writeEvents() }
      write(StoredReading(reading, blocks: blocks).block)
      do {
        if let file {
          try file.finish()
          self.file = nil
          return true
        }
      } catch { failure = error }
    }
    abandon()
    if let failure { throw failure }
    return false
  }

  /// The reading is of the bytes that the entry is for, and will come out of the entry as it is.
  private func isWhole(_ reading: FileReading) -> Bool {
    guard reading.account.bytes == entry.content.bytes, reading.account.crc32 == entry.content.crc32 else {
      return false
    }
    var told = reading
    told.account.fates = transfers
    StoredReading(reading, blocks: blocks).fill(&told)
    return told.account.fates == reading.account.fates
  }

  private func writeEvents() {
    blocks += 1
    write(events.finish())
  }

  private func write(_ block: [UInt8]?) {
    guard let file else { return }
    do {
      guard let block else { throw OfferliftError(.badData, "\(path): a block would be longer than a gigabyte.") }
      try file.write(block)
    } catch {
      failure = error
      abandon()
    }
  }
}
