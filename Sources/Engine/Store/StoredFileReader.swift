import Domain

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
  ///   `LogRefused` where the log itself is not taken. The sink is then to forget what it was told.
  func read(into sink: inout some EventSink) throws -> FileReading {
    var blocks = try BlockFile(path)
    var reading = FileReading(input: log.input.table.name, file: file)
    (reading.account.bytes, reading.account.crc32) = (entry.content.bytes, entry.content.crc32)
    try blocks.next { try entry.verify($0, $1) }
    var told = 0
    var last: StoredReading?
    while last == nil {
      last = try blocks.next { kind, body in
        switch kind {
        case .events: try tell(body, &sink, &reading)
        case .rejects:
          try reject(body, &reading)
          return nil
        case .reading: return try StoredReading(body)
        case .origin, .assignments: throw BlockFault.damaged
        }
        told += 1
        return nil
      }
    }
    guard let last, blocks.isAtEnd, told == last.blocks, reading.rejects.count == last.rejects else {
      throw BlockFault.damaged
    }
    last.fill(&reading)
    reading.finish()
    sink.finishFile()
    return reading
  }

  private func reject(_ body: Text, _ reading: inout FileReading) throws(BlockFault) {
    var start = 0
    while start < body.count {
      let end = body.place(of: RejectLine.end, or: RejectLine.end, from: start)
      guard end < body.count else { throw .damaged }
      try reading.reject(Array(body.slice(start..<end + 1))[...])
      start = end + 1
    }
  }

  private func tell(_ body: Text, _ sink: inout some EventSink, _ reading: inout FileReading) throws {
    let block = try EventBlock(body, names: log.names, types: log.types)
    do { try log.checkRoom() } catch { throw LogRefused(why: error) }
    // Sinks keep texts of the batch until it is finished, in whatever way that is.
    defer { sink.finishBatch() }
    try block.tell(&sink, booking: &reading.account.fates)
  }
}

/// The log is not taken, however it is read.
struct LogRefused: Error {
  let why: any Error
}

extension PurchaseLog {
  /// What the reading of its files depends on.
  var fingerprint: ReadingFingerprint {
    ReadingFingerprint(input, types: types, root: verifier?.root)
  }
}
