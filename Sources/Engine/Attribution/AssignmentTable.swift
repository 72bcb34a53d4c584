import Domain
import Jobs

/// Reads the files of an assignment table into the roster.
package struct AssignmentTable {
  package let input: TableInput
  package let job: Job
  package let cutoff: Instant
  package let roster: Roster
  /// How much memory may be taken; nil sets no limit.
  var memory: MemoryLimit?
  /// The catalog's groups by row id, for tables that hold those.
  private let catalogGroups: [Identifier: CatalogGroup]
  /// Numbers of the offerings to measure; nil for all.
  private let wanted: Set<UInt32>?

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

  private static let keyFields = ["user", "offering", "group", "assigned_at"]
  /// What `defaults:` may say in a table of one test.
  private static let usualDefault = "offering: my_test"

  /// Reads one file; `number` is the file's index among all of the run.
  ///
  /// - Throws: as `TableFile.read`.
  package func read(_ file: InputFile, number: Int, limit: Int? = nil) throws -> TableFile.Result {
    let attributes = roster.attributes + unusedAttributes
    let table = TableFile(
      input: input, file: file, fields: Self.keyFields + attributes,
      isRequired: Self.keyFields.map { input.defaults[$0] == nil } + attributes.map { input.attributes.contains($0) },
      fillings: [1: Self.usualDefault], jobFile: job.file.lastPathComponent, onCorrupt: job.onCorrupt, limit: limit)
    var decoder = Decoder(self, number: number, attributes: attributes)
    var result = try table.read { batch, reading in
      try memory?.check()
      for row in 0..<batch.count {
        if let fault = batch.fault(of: row) {
          reading.reject(fault)
          continue
        }
        do throws(EventDecoder.Fault) {
          if let reason = try decoder.take(batch.fields(of: row)) {
            reading.account.fates.setAside(reason)
          } else {
            reading.account.fates.use()
          }
        } catch {
          let remedy = error.field.map {
            MissingColumn.remedy(
              $0, column: input.columns[$0] ?? $0, names: reading.names,
              filling: $0 == "offering" ? Self.usualDefault : nil)
          }
          reading.reject(batch.reject(row, error.reason, error.detail + (remedy ?? "")))
        }
      }
    }
    if result.isWhole {
      roster.note(decoder.groupsSeen)
      result.reading.earlyTimes = decoder.earlyTimes
      if result.reading.account.used > 0 { roster.note(attributes: decoder.attributesTold, inputLine: input.line) }
    }
    return result
  }

  /// Attributes that no metric is split by. They are bound as well: a name that is no column is a slip all the same.
  private var unusedAttributes: [String] {
    let bound = Set(roster.attributes + Self.keyFields.map { input.columns[$0] ?? $0 })
    return Set(input.attributes).subtracting(bound).sorted()
  }

  /// Refuses attributes that no row of any file tells. Tables say what columns they have; JSON Lines do not.
  ///
  /// - Throws: `OfferliftError`, exit 78.
  package static func refuseUnknownAttributes(of job: Job, _ roster: Roster) throws {
    let problems = job.assignments.filter { $0.format == .jsonl }.flatMap { input in
      let told = roster.attributesTold(inputLine: input.line) ?? Set(input.attributes)
      let columns = keyFields.map { input.columns[$0] ?? $0 }
      return input.attributes.filter { !told.contains($0) && !columns.contains($0) }.map { name in
        "\(job.file.lastPathComponent), line \(input.line): attributes: no row of \(input.path) has a key \"\(name)\"; "
          + "correct the name, or leave it out."
      }
    }
    if !problems.isEmpty { throw OfferliftError(.badJobFile, problems: problems) }
  }

  /// What turns one file's rows into rows of the roster.
  private struct Decoder {
    let table: AssignmentTable
    let number: Int
    var offerings: InternerCache
    var groups: InternerCache
    var values: [InternerCache]
    var valueCodes: [UInt32]
    var time: TimeText
    var groupsSeen = GroupsSeen()
    var earlyTimes = EarlyTimes()
    /// The attributes of a row, and whether some row has told each.
    private let attributes: [String]
    private var isTold: [Bool]
    /// Fields the job fills in where the file has none.
    private let defaults: [(field: Int, value: Field)]
    private let arena = TextArena()

    init(_ table: AssignmentTable, number: Int, attributes: [String]) {
      self.attributes = attributes
      isTold = attributes.map { _ in false }
      self.table = table
      self.number = number
      offerings = InternerCache(table.roster.names.offerings)
      groups = InternerCache(table.roster.names.groups)
      values = table.roster.values.map { InternerCache($0) }
      valueCodes = values.map { _ in Interner.none }
      time = TimeText(table.input)
      defaults = AssignmentTable.keyFields.enumerated().compactMap { [arena] number, name in
        table.input.defaults[name].map { (number, Field(arena.copy($0.utf8), .string)) }
      }
    }

    /// The attributes that some row has told.
    var attributesTold: Set<String> { Set(zip(attributes, isTold).filter(\.1).map(\.0)) }

    /// Adds the row to the roster, or says why it does not belong there.
    mutating func take(_ fields: Fields) throws(EventDecoder.Fault) -> SetAsideReason? {
      for (field, value) in defaults where fields[field].isMissing { fields[field] = value }
      for (index, name) in AssignmentTable.keyFields.enumerated()
      where fields[index].isMissing || fields[index].isEmpty {
        throw .missing(name)
      }
      let at = try instant(fields[3])
      let group = try self.group(fields[1], fields[2])
      groupsSeen.see(offering: group.offering, group: group.group)
      earlyTimes.look(at: at)
      for attribute in attributes.indices where !fields[AssignmentTable.keyFields.count + attribute].isMissing {
        isTold[attribute] = true
      }
      if at >= table.cutoff.milliseconds { return .afterCutoff }
      if let wanted = table.wanted, !wanted.contains(group.offering) { return .otherOffering }
      for attribute in values.indices {
        let field = fields[AssignmentTable.keyFields.count + attribute]
        // A NULL is no value; an empty text is one.
        valueCodes[attribute] = field.isMissing ? Interner.none : values[attribute].code(ofValue: field.bytes)
      }
      table.roster.add(
        AssignmentRow(
          user: try fields[0].bytes.refusingSpreadsheetNumber("user"), offering: group.offering, group: group.group,
          time: at, file: UInt32(number), values: valueCodes))
      return nil
    }

    private mutating func instant(_ field: Field) throws(EventDecoder.Fault) -> Int64 {
      do throws(TimeText.Fault) {
        return try time.parse(field.bytes.span)
      } catch {
        throw EventDecoder.Fault(
          reason: error.reason, detail: "assigned_at \"\(field.string.prefix(60))\" \(error.words)")
      }
    }

    /// The public names' numbers: of those in the row, or of those the catalog has for the row's ids.
    private mutating func group(
      _ offering: Field, _ group: Field
    ) throws(EventDecoder.Fault) -> (offering: UInt32, group: UInt32) {
      guard table.input.usesCatalogKeys else {
        return (offerings.code(offering.bytes), groups.code(group.bytes))
      }
      guard let known = table.catalogGroups[Identifier(group.bytes)],
        known.offeringID == Identifier(offering.bytes)
      else {
        throw EventDecoder.Fault(
          reason: .malformed, detail: "the catalog has no group \(group.string) in an offering \(offering.string)")
      }
      return (known.offering, known.group)
    }
  }

  /// One group of the catalog, by numbers.
  struct CatalogGroup {
    /// The offering's row id, as the assignment table should have it.
    let offeringID: Identifier
    let offering: UInt32
    let group: UInt32
  }
}
