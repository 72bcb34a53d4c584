import Domain
import Jobs
import Measurement
import Signatures

/// Reads the files of a purchase log.
package struct PurchaseLog {
  package let input: PurchaseInput
  package let types: EventTypes
  package let names: EventNames
  private let job: Job
  /// Names of all attributes of the job's charges.
  package let attributes: [String]
  /// How much memory may be taken while it is read; nil sets no limit.
  var memory: MemoryLimit?
  /// The rows that are decoded; nil decodes all.
  var chosenRows: Set<RowPosition>?
  /// Checks the signatures, where the job asks for it.
  private(set) var verifier: NotificationVerifier?
  /// What the reading of its files depends on.
  private(set) var fingerprint: ReadingFingerprint

  /// The same log, its signatures believed.
  var withoutVerification: PurchaseLog {
    var log = self
    log.verifier = nil
    log.fingerprint = ReadingFingerprint(input, types: types, root: nil)
    return log
  }

  /// The job file's name, for messages.
  var jobFile: String { job.file.lastPathComponent }

  /// The number of the feed it belongs to.
  var feed: UInt8 { PurchaseCatalog.feed(of: input.format) }

  /// - Throws: `OfferliftError`, where the root certificate that the job names cannot be read (66, 78).
  package init(_ input: PurchaseInput, of job: Job, types: EventTypes, names: EventNames) throws {
    self.input = input
    self.types = types
    self.names = names
    self.job = job
    attributes = job.chargeAttributes
    verifier = try input.verification.map { verification in
      let root = try RootCertificate.fingerprint(verification.root, relativeTo: job.file)
      return NotificationVerifier(verification, root: root)
    }
    fingerprint = ReadingFingerprint(input, types: types, root: verifier?.root)
    try refuseUnknownTypes()
  }

  /// Reads one file, or its first `limit` rows and a few more, and hands its events to `sink`.
  ///
  /// - Throws: as `TableFile.read`.
  package func read(_ file: InputFile, into sink: inout some EventSink, limit: Int? = nil) throws -> FileReading {
    let (reading, isWhole) = try readRows(file, into: &sink, limit)
    if isWhole { sink.finishFile() } else { sink.abandonFile() }
    return reading
  }

  /// Reads a file of a log of format `events` or `events-csv`: a flat event a row.
  func readEvents(
    _ file: InputFile, into sink: inout some EventSink, _ limit: Int?
  ) throws -> TableFile.Result {
    var decoder = EventDecoder(input: input, types: types, names: names)
    var folding = IDFolding()
    var result = try table(file, limit).read { batch, reading in
      decode(batch, with: &decoder, &folding, into: &sink, &reading)
      try checkRoom()
    }
    if result.isWhole {
      result.reading.attributes = decoder.attributesSeen
      decoder.roundedPrices.note(in: &result.reading.notes)
    }
    return result
  }

  /// Reads a file of a format whose rows are more than one flat event each.
  func read(
    _ file: InputFile, as format: some SourceFormat, into sink: inout some EventSink, _ limit: Int?
  ) throws -> TableFile.Result {
    var format = format
    var output = DecodedLine()
    var folding = IDFolding()
    var result = try table(file, of: format, limit).read { batch, reading in
      format.beginBatch()
      folding.forget()
      for row in 0..<batch.count where isChosen(row, of: batch) {
        guard batch.isSound(row) else {
          Self.refuse(batch.fault(of: row), row, in: batch, &sink, &reading)
          continue
        }
        output.removeAll()
        format.decode(batch.fields(of: row), into: &output)
        output.fold(with: &folding)
        Self.hand(output, of: row, in: batch, to: &sink, &reading)
      }
      sink.finishBatch()
      try checkRoom()
    }
    if result.isWhole { result.reading.attributes = format.attributesSeen }
    return result
  }

  private func table(_ file: InputFile, of format: some SourceFormat, _ limit: Int?) -> TableFile {
    let fields = format.fields
    var input = input.table
    input.columns = format.renamed
    let substitutes = fields.enumerated().compactMap { number, field in field.substitute.map { (number, $0) } }
    return TableFile(
      input: input, file: file, fields: fields.map(\.name), isRequired: fields.map(\.isRequired),
      substitutes: Dictionary(uniqueKeysWithValues: substitutes), documentedColumns: type(of: format).documentedColumns,
      purchases: self.input.format, job: job, limit: limit)
  }

  /// Hands on what a line holds. The line was counted as one row; a page of several counts as those.
  private static func hand(
    _ output: DecodedLine, of row: Int, in batch: RecordBatch, to sink: inout some EventSink,
    _ reading: inout FileReading
  ) {
    reading.account.rows += output.rows.count - 1
    for value in output.unknownValues { reading.notes.add(.unknownValue, value) }
    for call in output.calls { sink.receive(call) }
    for alias in output.aliases { sink.receive(alias) }
    for enrolment in output.enrolments { sink.receive(enrolment) }
    for outcome in output.rows {
      switch outcome {
      case .events(let range):
        for event in output.events[range] { sink.receive(event) { batch.reject(row, .malformed, "") } }
      case .transfers(let range):
        let reasons = output.transfers[range].map { sink.receive($0) }
        if let reason = reasons.compactMap(\.self).first {
          reading.account.outcomes.setAside(reason)
        } else {
          reading.account.outcomes.use()
        }
        sink.skip(SkippedRow(reasons.compactMap(\.self).first, "", row, of: batch))
      case .notMeasured(let name, let void):
        reading.account.outcomes.setAside(.notMeasured)
        reading.notes.add(.notMeasured, name)
        if let void { sink.receive(output.events[void]) { batch.reject(row, .malformed, "") } }
        sink.skip(SkippedRow(.notMeasured, name, row, of: batch))
      case .fault(let fault):
        refuse(batch.reject(row, fault.reason, fault.detail), row, in: batch, &sink, &reading)
      }
    }
  }

  private static func refuse(
    _ reject: Reject?, _ row: Int, in batch: RecordBatch, _ sink: inout some EventSink, _ reading: inout FileReading
  ) {
    guard let reject else { return }
    sink.skip(SkippedRow(reject.reason, reject.detail, row, of: batch))
    reading.reject(reject)
  }

  @inline(__always)
  private func isChosen(_ row: Int, of batch: RecordBatch) -> Bool {
    chosenRows == nil || chosenRows?.contains(batch.position(of: row)) == true
  }

  private func decode(
    _ batch: RecordBatch, with decoder: inout EventDecoder, _ folding: inout IDFolding,
    into sink: inout some EventSink, _ reading: inout FileReading
  ) {
    folding.forget()
    decoder.beginBatch()
    let rows = UnownedReference(batch)
    let blank = PurchaseEvent()
    for row in 0..<batch.count where isChosen(row, of: batch) {
      guard batch.isSound(row) else {
        Self.refuse(batch.fault(of: row), row, in: batch, &sink, &reading)
        continue
      }
      do throws(EventDecoder.Fault) {
        var event = blank
        try decoder.decode(batch.fields(of: row), into: &event)
        event.user = folding.folded(event.user)
        sink.receive(event) { rows.with { $0.reject(row, .malformed, "") } }
      } catch {
        let detail = error.reason.isReject ? error.detail + remedy(for: error, names: reading.names) : error.detail
        Self.refuse(batch.reject(row, error.reason, detail), row, in: batch, &sink, &reading)
      }
    }
    sink.finishBatch()
  }

  /// What the job may say where a field is missing.
  private func remedy(for fault: EventDecoder.Fault, names: [String]) -> String {
    guard let field = fault.field.flatMap({ EventField.named($0) }) else { return "" }
    if field == .userId, input.namesNoUser {
      return "; by columns: {userId: null} no row names its user, and this one follows no charge by its transaction"
    }
    let column = input.table.columns[field.name] ?? field.name
    let remedy = MissingColumn.remedy(field.name, column: column, names: names, filling: field.usualDefault)
    // A charge without a product or a price is one all the same; what nobody did, or never happened, is no event.
    guard remedy.isEmpty, field == .userId || field == .occurredAt else { return remedy }
    return MissingColumn.skipping(column, names: names) ?? ""
  }

  /// A column must be there if the event cannot do without it, or if the job says it is.
  private func table(_ file: InputFile, _ limit: Int?) -> TableFile {
    let attributes = EventField.attributes(of: input)
    let fields = EventField.allCases.map(\.name) + attributes.extra.map(\.name)
    let mapping = input.mapping
    let isRequired = EventField.allCases.map { field in
      input.table.columns[field.name].map { $0 != TableInput.noColumn } ?? false
        || field == .transactionId && mapping.hasItems
        || field.isRequired && input.defaults[field.name] == nil && (field != .eventType || mapping.typeColumn == nil)
          && !(field == .userId && input.namesNoUser)
    }
    let isNeeded = attributes.isNeeded(fields.count)
    var table = input.table
    table.skipped = input.skippedAsTheyStand
    return TableFile(
      input: table, file: file, fields: fields,
      // Tables say what columns they have; objects do not.
      isRequired: fields.indices.map { field in
        field < isRequired.count && isRequired[field] || input.table.format == .csv && isNeeded[field]
      },
      fillings: EventField.allCases.reduce(into: [:]) { $0[$1.rawValue] = $1.usualDefault },
      absences: [
        EventField.userId.rawValue: "where each row follows a charge by its transaction, columns: {userId: null}"
      ],
      others: EventMapping.columns(input),
      purchases: input.format, job: job, limit: limit)
  }
}
