import Domain
import Measurement

/// Reads a purchase file out of its entry in the event store.
struct StoredFileReader {
  private let entry: StoreEntry
  private let file: InputFile
  private let log: PurchaseLog

  init(_ entry: StoreEntry, _ file: InputFile, _ log: PurchaseLog) {
    self.entry = entry
    self.file = file
    self.log = log
  }

  /// Tells `sink` what the file held.
  ///
  /// - Throws: `BlockFault` where the entry is not what it should be, `OfferliftError` where it cannot be read;
  ///   `InputRefused` where the log itself is not taken. The sink has then forgotten what it was told.
  func read(from blocks: inout some BlockSource, into sink: inout some EventSink) throws -> FileReading {
    do {
      let reading = try entry.emit(
        from: &blocks, of: log.input.table, file, as: .events, attributes: log.attributes.count
      ) { try emit($0, &sink, &$1) }
      sink.finishFile()
      return reading
    } catch {
      sink.abandonFile()
      throw error
    }
  }

  /// Returns how many rows the events are of.
  private func emit(_ body: Text, _ sink: inout some EventSink, _ reading: inout FileReading) throws -> Int {
    let block = try EventBlock(body, names: log.names, types: log.types)
    do { try log.checkRoom() } catch { throw InputRefused(why: error) }
    return try block.emit(&sink, recording: &reading.account.outcomes)
  }
}

extension PurchaseLog {
  /// Reads a file and writes an entry of it on the way; nil writes none.
  ///
  /// - Throws: as `read`.
  func read(_ file: InputFile, into sink: inout some EventSink, retainingIn writer: EntryWriter?) throws -> FileReading
  {
    guard let writer else { return try read(file, into: &sink) }
    var recording = RecordingSink(sink, into: EventEntryPart(writer, names: names, types: types))
    let reading = try read(file, into: &recording)
    sink = recording.base
    return reading
  }
}
