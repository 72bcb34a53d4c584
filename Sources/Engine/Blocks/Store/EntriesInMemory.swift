import Jobs
import Measurement
import Platform
import Synchronization

/// What the files held that a run reads more than once, from the first time to the last, so that none is unpacked, parsed
/// and verified again.
///
/// A log that tells which ids are one customer's is read for that before its events are, and so is one that tells who is
/// in which group. What it holds waits as blocks until its events have been told: half as much again in memory as without,
/// of logs whose charges each tell much. `MemoryLimit` is asked while blocks come; what goes beyond it waits on a disk.
final class EntriesInMemory: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// By the file's number.
    var entries: [Int: Entry] = [:]
    /// Who writes the entry of a file that several tasks read, by the file's share.
    var writers: [ObjectIdentifier: EntryWriter] = [:]
  }

  private struct Entry {
    let content: FileDigest
    let blocks: [[UInt8]]
  }

  private final class Destination: EntryDestination {
    private(set) var blocks: [[UInt8]] = []

    func write(_ block: [UInt8]) { blocks.append(block) }
    func finish() {}
    func remove() { blocks = [] }
  }

  /// Reads a purchase file from what it held the time before, else by itself, keeping what it holds.
  ///
  /// - Parameters:
  ///   - number: what the run knows the file by.
  ///   - isLast: nobody reads it another time.
  /// - Throws: as `PurchaseLog.read`.
  func read(
    _ file: InputFile, number: Int, of log: PurchaseLog, into sink: inout some EventSink, isLast: Bool
  ) throws -> FileReading {
    if file.sameAs != nil { return try log.read(file, into: &sink) }
    if let slot = file.slot, slot.joins {
      let writer = state.withLock { $0.writers[ObjectIdentifier(slot.share)] }
      return try log.read(file, into: &sink, retainingIn: writer)
    }
    if let entry = entry(number, isLast), let reading = try emit(entry, file, log, into: &sink) { return reading }
    guard !isLast else { return try log.read(file, into: &sink) }
    let destination = Destination()
    let writer = EntryWriter(onto: destination)
    if let share = file.slot?.share {
      state.withLock { $0.writers[ObjectIdentifier(share)] = writer }
      share.whenSettled = { [self] in
        state.withLock { _ = $0.writers.removeValue(forKey: ObjectIdentifier(share)) }
        retain(destination, of: writer, $0, number)
      }
      return try log.read(file, into: &sink, retainingIn: writer)
    }
    let reading = try log.read(file, into: &sink, retainingIn: writer)
    retain(destination, of: writer, reading, number)
    return reading
  }

  private func entry(_ number: Int, _ isLast: Bool) -> Entry? {
    state.withLock { isLast ? $0.entries.removeValue(forKey: number) : $0.entries[number] }
  }

  private func retain(_ destination: Destination, of writer: EntryWriter, _ reading: FileReading, _ number: Int) {
    // What cannot be kept is read again.
    guard (try? writer.finish(reading)) == true else { return }
    let content = FileDigest(bytes: reading.account.bytes, crc32: reading.account.crc32)
    let entry = Entry(content: content, blocks: destination.blocks)
    state.withLock { $0.entries[number] = entry }
  }

  /// Nil where what is asked for stands in the file alone, the place of a row that turns out to have no exchange rate.
  private func emit(
    _ entry: Entry, _ file: InputFile, _ log: PurchaseLog, into sink: inout some EventSink
  ) throws -> FileReading? {
    let origin = StoreEntry(content: entry.content, fingerprint: log.fingerprint)
    var blocks = BlocksInMemory([origin.origin ?? []] + entry.blocks)
    do {
      let reading = try StoredFileReader(origin, file, log).read(from: &blocks, into: &sink)
      ProgressMeter.current?.add(Int(entry.content.bytes))
      return reading
    } catch is BlockFault {
      return nil
    } catch let refused as InputRefused {
      throw refused.why
    }
  }
}
