import Domain
import Jobs
import Measurement

/// Reads the files of an assignment table into the roster.
package struct AssignmentTable {
  package let input: TableInput
  package let job: Job
  package let cutoff: Instant
  package let roster: Roster
  /// How much memory may be taken; nil sets no limit.
  var memory: MemoryLimit?
  /// The catalog's groups by row id, for tables that hold those.
  let catalogGroups: [Identifier: CatalogGroup]
  /// Numbers of the offerings to measure; nil for all.
  let wanted: Set<UInt32>?

  package init(input: TableInput, job: Job, catalog: Catalog, cutoff: Instant, roster: Roster) {
    self.input = input
    self.job = job
    self.cutoff = cutoff
    self.roster = roster
    let names = roster.names
    wanted = job.offerings.map { Set($0.map { names.offerings.code($0) }) }
    let offeringIDs = Dictionary(catalog.offeringOfID.map { ($0.value, $0.key) }, uniquingKeysWith: min)
    catalogGroups = catalog.groupOfID.compactMapValues { group in
      offeringIDs[group.offering].map { id in
        CatalogGroup(
          offeringID: id, offering: names.offerings.code(group.offering), group: names.groups.code(group.group))
      }
    }
  }

  static let keyFields = ["user", "offering", "group", "assigned_at"]
  /// What `defaults:` may say in a table of one test.
  private static let usualDefault = "offering: my_test"

  /// The attributes that its rows are read for.
  var attributes: AssignmentAttributes { AssignmentAttributes(input, roster) }

  /// Reads one file; `number` is the file's index among all of the run.
  ///
  /// - Throws: as `TableFile.read`.
  package func read(_ file: InputFile, number: Int, limit: Int? = nil) throws -> TableFile.Result {
    try read(file, number: number, limit: limit, retainingIn: nil)
  }

  /// The same; `entry` takes down what the rows say, for later runs.
  func read(
    _ file: InputFile, number: Int, limit: Int? = nil, retainingIn entry: EntryWriter?
  ) throws -> TableFile.Result {
    // Names of values that no metric is split by are numbered anew by each `AssignmentAttributes`.
    let attributes = attributes
    var intake = AssignmentIntake(self)
    let retained = entry.map { AssignmentEntryPart($0, roster.names, attributes) }
    var result = try readRows(file, attributes, number: number, limit: limit) {
      (row) throws(EventDecoder.Fault) -> SetAsideReason? in
      retained?.append(row)
      let reason = try intake.accept(row)
      retained?.record(reason)
      return reason
    } finishBatch: {
      intake.finishBatch()
    }
    guard result.isWhole else {
      retained?.abandon()
      return result
    }
    retained?.finish()
    intake.finish(&result.reading)
    return result
  }

  /// Reads one file for the rows that are asked for, and leaves the roster as it is.
  ///
  /// - Throws: as `TableFile.read`.
  func read(_ file: InputFile, capturing capture: RowCapture<CapturedAssignment>) throws -> TableFile.Result {
    try readRows(file, attributes, number: 0, limit: nil, capturing: capture) { row in
      capture.note(CapturedAssignment(row))
      return nil
    } finishBatch: {
    }
  }

  /// Takes a row that was captured into the roster, as if it were a file of that number.
  ///
  /// - Returns: why it does not count; nil where it does.
  func accept(_ captured: CapturedAssignment, number: Int) -> RowRefusal? {
    var intake = AssignmentIntake(self)
    return captured.withRow(ofFile: UInt32(number)) { row in
      defer { intake.finishBatch() }
      do throws(EventDecoder.Fault) {
        return try intake.accept(row).map { RowRefusal(reason: $0, detail: "") }
      } catch {
        return RowRefusal(reason: error.reason, detail: error.detail)
      }
    }
  }

  /// Decodes the rows of one file, those alone that `capture` asks for where there is one, and hands each to `body`, which
  /// says why it does not count.
  private func readRows(
    _ file: InputFile, _ attributes: AssignmentAttributes, number: Int, limit: Int?,
    capturing capture: RowCapture<CapturedAssignment>? = nil,
    _ body: (AssignmentRow) throws(EventDecoder.Fault) -> SetAsideReason?, finishBatch: () -> Void
  ) throws -> TableFile.Result {
    let table = TableFile(
      input: input, file: file, fields: Self.keyFields + attributes.names,
      isRequired: Self.keyFields.map { input.defaults[$0] == nil }
        + attributes.names.map { input.attributes.contains($0) },
      fillings: [1: Self.usualDefault], job: job, limit: limit)
    var decoder = AssignmentDecoder(self, attributes)
    var folding = IDFolding()
    var result = try table.read { batch, reading in
      var row = AssignmentRow(
        user: .empty, offering: 0, group: 0, time: 0, file: UInt32(number),
        values: attributes.names.map { _ in Interner.none })
      try memory?.check()
      folding.forget()
      for position in 0..<batch.count where capture?.accept(position, of: batch) ?? true {
        guard batch.isSound(position) else {
          if let fault = batch.fault(of: position) {
            capture?.refuse(fault)
            reading.reject(fault)
          }
          continue
        }
        do throws(EventDecoder.Fault) {
          try decoder.decode(batch.fields(of: position), into: &row)
          row.user = folding.folded(row.user)
          reading.account.outcomes.record(try body(row))
        } catch {
          let words = error.field.map { remedy(forMissing: $0, names: reading.names) }
          let reject = batch.reject(position, error.reason, error.detail + (words ?? ""))
          capture?.refuse(reject)
          reading.reject(reject)
        }
      }
      finishBatch()
    }
    if result.isWhole { result.reading.attributes = decoder.attributesSeen }
    return result
  }

  private func remedy(forMissing field: String, names: [String]) -> String {
    let column = input.columns[field] ?? field
    let filling = field == "offering" ? Self.usualDefault : nil
    let remedy = MissingColumn.remedy(field, column: column, names: names, filling: filling)
    return remedy.isEmpty ? MissingColumn.skipping(column, names: names) ?? "" : remedy
  }

  /// Refuses attributes that no row of any file tells. Tables say what columns they have; JSON Lines do not.
  ///
  /// - Throws: `OfferliftError`, exit 78.
  package static func refuseUnknownAttributes(of job: Job, _ roster: Roster) throws {
    let problems = job.assignments.filter { $0.format == .jsonl }.flatMap { input in
      let reported = roster.attributesReported(inputLine: input.line) ?? Set(input.attributes)
      let columns = keyFields.map { input.columns[$0] ?? $0 }
      return input.attributes.filter { !reported.contains($0) && !columns.contains($0) }.map { name in
        "\(job.file.lastPathComponent), line \(input.line): attributes: no row of \(input.path) has a key \"\(name)\"; "
          + "correct the name, or leave it out."
      }
    }
    if !problems.isEmpty { throw OfferliftError(.badJobFile, problems: problems) }
  }

  /// One group of the catalog, by numbers.
  struct CatalogGroup {
    /// The offering's row id, as the assignment table should have it.
    let offeringID: Identifier
    let offering: UInt32
    let group: UInt32
  }
}
