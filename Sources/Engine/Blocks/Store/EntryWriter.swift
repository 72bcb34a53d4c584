import Domain
import Measurement
import Platform
import Synchronization

/// Writes an entry of the event store while its file is read, by one task or several. What goes wrong with it is no
/// reason to stop reading: it comes to light in `finish`.
final class EntryWriter: @unchecked Sendable {
  private let entry: StoreEntry
  private let path: String
  /// Guards what follows.
  private let writing = Mutex<Void>(())
  /// Nil where nothing is written any more.
  private var file: FileWriter?
  private var failure: (any Error)?
  private var blocks = 0
  /// What became of the rows whose fate whoever tells the blocks books: those that said who is who, and assignments.
  private var told = RowOutcomes()

  /// - Parameter path: where the entry is written until it is whole; nothing stands there.
  init(_ entry: StoreEntry, at path: String) {
    self.entry = entry
    self.path = path
    do { file = try FileWriter(beginning: path) } catch { failure = error }
    write(entry.origin)
  }

  deinit {
    if file != nil { giveUp() }
  }

  // MARK: - While the file is read

  /// Adds a block of what one task reads; false where nothing is written any more. Blocks may come in any order.
  func add(_ block: [UInt8]?) -> Bool {
    writing.withLock { _ in
      blocks += 1
      write(block)
      return file != nil
    }
  }

  /// Takes what became of the rows of transfers, or of assignments, that one task has read.
  func book(_ fates: RowOutcomes) { writing.withLock { _ in told.merge(fates) } }

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
    var replayed = reading
    replayed.account.fates = told
    for (reason, rows) in reading.account.setAside where reason.isReject {
      replayed.account.fates.setAside(reason, rows)
    }
    StoredReading(reading, blocks: blocks).fill(&replayed)
    return replayed.account.fates == reading.account.fates
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
