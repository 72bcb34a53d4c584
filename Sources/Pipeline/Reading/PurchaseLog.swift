import CSimdjson

/// Takes the events of purchase logs as they are read; one conformance for each use of a log.
protocol EventSink {
  /// Takes one event; `place` makes the reject it would become.
  mutating func receive(_ event: PurchaseEvent, place: () -> Reject)
  /// Forgets every event received since the last file was finished.
  mutating func abandonFile()
  /// The file's events have all been received.
  mutating func finishFile()
}

/// Reads the files of a purchase log.
struct PurchaseLog {
  let input: PurchaseInput
  let types: EventTypes
  let names: EventNames
  let onCorrupt: Job.OnCorrupt
  let jobFile: String

  /// Reads one file, or its first `limit` rows and a few more, and hands its events to `sink`.
  ///
  /// - Throws: as `TableFile.read`.
  func read(_ file: InputFile, into sink: inout some EventSink, limit: Int? = nil) throws -> FileReading {
    var decoder = EventDecoder(input: input, types: types, names: names)
    let (reading, isWhole) = try table(file, limit).read { batch, reading in
      Self.decode(batch, with: &decoder, into: &sink, &reading)
    }
    if isWhole { sink.finishFile() } else { sink.abandonFile() }
    return reading
  }

  private static func decode(
    _ batch: RecordBatch, with decoder: inout EventDecoder, into sink: inout some EventSink,
    _ reading: inout FileReading
  ) {
    for row in 0..<batch.count {
      if batch.rows[row].status != UInt32(ol_row_ok) {
        batch.fault(of: row).map { reading.reject($0) }
        continue
      }
      do throws(EventDecoder.Fault) {
        let event = try decoder.decode(batch.fields(of: row))
        sink.receive(event) { batch.reject(row, .malformed, "") }
      } catch {
        reading.reject(batch.reject(row, error.reason, error.detail))
      }
    }
  }

  /// A column must be there if the event cannot do without it, or if the job says it is.
  private func table(_ file: InputFile, _ limit: Int?) -> TableFile {
    TableFile(
      input: input.table, file: file, fields: EventField.allCases.map(\.name),
      isRequired: EventField.allCases.map { field in
        input.table.columns[field.name] != nil || field.isRequired && input.defaults[field.name] == nil
      },
      jobFile: jobFile, onCorrupt: onCorrupt, limit: limit)
  }
}
