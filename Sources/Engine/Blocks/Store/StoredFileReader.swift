import Domain
import Measurement

/// Reads a purchase file out of its entry in the event store.
struct StoredFileReader {
  private let entry: StoreEntry
  private let path: String
  private let file: InputFile
  private let log: PurchaseLog

  /// - Parameter path: where the entry lies.
  init(_ entry: StoreEntry, at path: String, _ file: InputFile, _ log: PurchaseLog) {
    self.entry = entry
    self.path = path
    self.file = file
    self.log = log
  }

  /// Tells `sink` what the file held.
  ///
  /// - Throws: `BlockFault` where the entry is not what it should be, `OfferliftError` where it cannot be read;
  ///   `InputRefused` where the log itself is not taken. The sink is then to forget what it was told.
  func read(into sink: inout some EventSink) throws -> FileReading {
    var blocks = try BlockFile(path)
    let reading = try entry.tell(
      from: &blocks, of: log.input.table, file, as: .events, attributes: log.attributes.count
    ) { try tell($0, &sink, &$1) }
    sink.finishFile()
    return reading
  }

  /// Returns how many rows the events are of.
  private func tell(_ body: Text, _ sink: inout some EventSink, _ reading: inout FileReading) throws -> Int {
    let block = try EventBlock(body, names: log.names, types: log.types)
    do { try log.checkRoom() } catch { throw InputRefused(why: error) }
    // Sinks keep texts of the batch until it is finished, in whatever way that is.
    defer { sink.finishBatch() }
    return try block.tell(&sink, booking: &reading.account.fates)
  }
}

extension PurchaseLog {
  /// What the reading of its files depends on.
  var fingerprint: ReadingFingerprint {
    ReadingFingerprint(input, types: types, root: verifier?.root)
  }
}
