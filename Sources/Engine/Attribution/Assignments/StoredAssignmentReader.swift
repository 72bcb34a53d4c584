import Domain
import Measurement

/// Reads a file of assignments out of its entry in the event store.
struct StoredAssignmentReader {
  private let entry: StoreEntry
  private let file: InputFile
  private let table: AssignmentTable
  /// The file's index among all of the run.
  private let number: UInt32
  private let attributes: AssignmentAttributes

  init(_ entry: StoreEntry, _ file: InputFile, _ table: AssignmentTable, number: Int) {
    self.entry = entry
    self.file = file
    self.table = table
    self.number = UInt32(number)
    attributes = table.attributes
  }

  /// Adds the file's assignments to the roster.
  ///
  /// The roster forgets nothing, so all of the entry is looked at before a row is added. It is opened once for both ways
  /// through it: another run may remove it meanwhile, or put another in its place.
  ///
  /// - Throws: `BlockFault` where the entry is not what it should be, `OfferliftError` where it cannot be read, the
  ///   roster being as it was; `InputRefused` where there is no room for the rows, or the disk now tells others.
  func read(from blocks: inout BlockFile) throws -> FileReading {
    let attributeCount = attributes.names.count
    _ = try entry.emit(
      from: &blocks, of: table.input, file, as: .assignments, attributes: attributeCount
    ) { body, _ in
      var (rows, isSound) = (0, true)
      try block(body).forEach { row in
        rows += 1
        if (try? row.user.refusingSpreadsheetNumber("user")) == nil { isSound = false }
      }
      guard isSound else { throw BlockFault.damaged }
      return rows
    }
    do {
      try blocks.move(to: 0)
      return try add(from: &blocks)
    } catch let fault as BlockFault {
      let entry = "what the event store has of \(file.displayName)"
      throw InputRefused(
        why: OfferliftError(.inputOutput, "\(entry) \(fault.words), and was sound just now. Run again."))
    } catch {
      throw InputRefused(why: error)
    }
  }

  private func add(from blocks: inout BlockFile) throws -> FileReading {
    var intake = AssignmentIntake(table)
    var reading = try entry.emit(
      from: &blocks, of: table.input, file, as: .assignments, attributes: attributes.names.count
    ) { body, reading in
      try table.memory?.check()
      var reported = AssignmentRow(
        user: .empty, offering: 0, group: 0, time: 0, file: number, values: attributes.names.map { _ in Interner.none })
      var outcomes = RowOutcomes()
      var fault: EventDecoder.Fault?
      try block(body).forEach(
        { row in
          (reported.user, reported.offering, reported.group, reported.time) = (
            row.user, row.offering, row.group, row.time
          )
          for (position, attribute) in attributes.byName.enumerated() {
            reported.values[attribute] = row.values[position]
          }
          do throws(EventDecoder.Fault) { outcomes.record(try intake.accept(reported)) } catch { fault = error }
        }, end: { intake.finishBatch() })
      if fault != nil { throw BlockFault.damaged }
      reading.account.outcomes.merge(outcomes)
      return 0
    }
    intake.finish(&reading)
    return reading
  }

  private func block(_ body: Text) throws(BlockFault) -> AssignmentBlock {
    try AssignmentBlock(
      body, names: table.roster.names, attributes: attributes.byName.map { attributes.names[$0] },
      values: attributes.byName.map { attributes.values[$0] })
  }
}

extension AssignmentTable {
  /// What the reading of its files depends on: also, where rows name the catalog's ids, on what those stand for.
  var fingerprint: ReadingFingerprint {
    let names = roster.names
    let groups = catalogGroups.map { id, group in
      "\(id) of \(group.offeringID): \(names.offerings.known(group.offering)), \(names.groups.known(group.group))"
    }
    return ReadingFingerprint(
      input, attributes: attributes.names.sorted(), catalog: input.usesCatalogKeys ? groups.sorted() : [])
  }
}
