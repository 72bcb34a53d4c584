import CSimdjson

/// Takes the events of purchase logs as they are read; one conformance for each use of a log.
protocol EventSink {
  /// Takes one event; `place` makes the reject it would become.
  mutating func receive(_ event: borrowing PurchaseEvent, place: () -> Reject)
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

  /// Reads one file and hands its events to `sink`.
  ///
  /// - Throws: `OfferliftError` where the file cannot be opened or read (66, 74), is damaged (65), or lacks a
  ///   column (78).
  func read(_ file: InputFile, into sink: inout some EventSink) throws -> FileReading {
    switch input.format {
    case .events:
      var format = JSONLines(names: columns)
      return try read(file, as: &format, into: &sink)
    case .eventsCSV where input.table.format == .mysql:
      var format = try MySQLFormat(
        dialect: input.table.dialect, binding: binding(file), columnOrder: input.table.columnOrder)
      return try read(file, as: &format, into: &sink)
    case .eventsCSV:
      var format = CSVFormat(binding: binding(file), delimiter: input.table.delimiter)
      return try read(file, as: &format, into: &sink)
    }
  }

  private func read(
    _ file: InputFile, as format: inout some RecordFormat, into sink: inout some EventSink
  ) throws -> FileReading {
    var reading = FileReading(input: input.table.name, file: file)
    var decoder = EventDecoder(input: input, types: types, names: names)
    let isWhole = try reading.read(
      file, as: &format, width: EventField.allCases.count, onCorrupt: onCorrupt
    ) { batch, reading in
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

  /// The names of the fields in the log, in the fields' order.
  private var columns: [String] {
    EventField.allCases.map { input.table.columns[$0.name] ?? $0.name }
  }

  /// A column must be there if the event cannot do without it, or if the job says it is.
  private func binding(_ file: InputFile) -> ColumnBinding {
    ColumnBinding(
      columns: columns,
      isRequired: EventField.allCases.map { field in
        input.table.columns[field.name] != nil || field.isRequired && input.defaults[field.name] == nil
      },
      file: file.displayName, jobPlace: "\(jobFile), line \(input.table.line)")
  }
}
