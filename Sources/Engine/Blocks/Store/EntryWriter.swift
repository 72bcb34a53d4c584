import Domain
import Measurement
import Platform
import Synchronization

/// Where the blocks of an entry go.
protocol EntryDestination: AnyObject {
  func write(_ block: [UInt8]) throws
  /// All of them have been written.
  func finish() throws
  /// None of them is wanted.
  func remove()
}

/// Writes a file's entry while one task or several read the file. An error of writing does not stop the reading: `finish`
/// throws it.
final class EntryWriter: @unchecked Sendable {
  /// What the entry is of; nil where that is known once it has been read.
  private let content: FileDigest?
  /// Guards what follows.
  private let writing = Mutex<Void>(())
  /// Nil where nothing is written any more.
  private var destination: (any EntryDestination)?
  private var failure: (any Error)?
  private var blocks = 0
  /// Outcomes of the rows of identities and assignments, as far as replaying the blocks records them.
  private var reported = RowOutcomes()

  /// - Parameter path: where the entry is written until it is whole; nothing stands there.
  init(of entry: StoreEntry, at path: String) {
    content = entry.content
    do { destination = try EntryFile(path) } catch { failure = error }
    write(entry.origin)
  }

  /// An entry without its origin.
  init(onto destination: any EntryDestination) {
    content = nil
    self.destination = destination
  }

  /// Other runs are to find it.
  var isStored: Bool { content != nil }

  deinit {
    if destination != nil { giveUp() }
  }

  // MARK: - While the file is read

  /// Adds a block of what one task reads; false where nothing is written any more. Blocks may come in any order.
  func add(_ block: [UInt8]?) -> Bool {
    writing.withLock { _ in
      blocks += 1
      write(block)
      return destination != nil
    }
  }

  /// Takes what became of the rows of transfers, or of assignments, that one task has read.
  func record(_ outcomes: RowOutcomes) { writing.withLock { _ in reported.merge(outcomes) } }

  /// Gives the entry up.
  func abandon() { writing.withLock { _ in giveUp() } }

  // MARK: - Afterwards

  /// Ends the entry.
  ///
  /// - Parameter reading: of all tasks together.
  /// - Returns: whether it stands at its destination, whole. It does not where the file is damaged, or changed while it was
  ///   read.
  /// - Throws: `OfferliftError` where it could not be written.
  func finish(_ reading: FileReading) throws -> Bool {
    try writing.withLock { _ in
      if destination != nil, isWhole(reading) {
        do {
          try reading.rejects.forEachBlock { write($0) }
          write(StoredReading(reading, blocks: blocks).block)
          if let destination {
            try destination.finish()
            self.destination = nil
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
    if let content, reading.account.bytes != content.bytes || reading.account.crc32 != content.crc32 { return false }
    guard reading.account.rejected == reading.rejects.count else { return false }
    var replayed = reading
    replayed.account.outcomes = reported
    for (reason, rows) in reading.account.setAside where reason.isReject {
      replayed.account.outcomes.setAside(reason, rows)
    }
    StoredReading(reading, blocks: blocks).fill(&replayed)
    return replayed.account.outcomes == reading.account.outcomes
  }

  private func write(_ block: [UInt8]?) {
    guard let destination else { return }
    do {
      guard let block else { throw OfferliftError(.badData, "A block would be longer than a gigabyte.") }
      try destination.write(block)
    } catch {
      failure = error
      giveUp()
    }
  }

  private func giveUp() {
    destination?.remove()
    destination = nil
  }
}

/// A file of its own.
private final class EntryFile: EntryDestination {
  private let path: String
  private let file: FileWriter

  init(_ path: String) throws {
    self.path = path
    file = try FileWriter(beginning: path)
  }

  func write(_ block: [UInt8]) throws { try file.write(block) }
  func finish() throws { try file.finish() }
  func remove() { try? Folder.remove(path) }
}
