import Domain
import Measurement

/// The blocks of an entry that one task fills with the assignments it reads.
final class AssignmentEntryPart {
  private let entry: EntryWriter
  private let attributes: AssignmentAttributes
  /// By partition of users: a roster takes those of one together.
  private let writers: [AssignmentBlockWriter]
  /// What the run makes of the rows: the next one books that anew.
  private var outcomes = RowOutcomes()
  private var isWritten = true

  private static let rowsOfBlock = 1 << 11

  init(_ entry: EntryWriter, _ names: EventNames, _ attributes: AssignmentAttributes) {
    self.entry = entry
    self.attributes = attributes
    writers = (0..<UserDirectory.partitionCount).map { _ in
      AssignmentBlockWriter(
        names: names, attributes: attributes.byName.map { attributes.names[$0] },
        values: attributes.byName.map { attributes.values[$0] }, mostRows: Self.rowsOfBlock)
    }
  }

  /// Adds a row; of which file of a run it is, is not kept.
  ///
  /// One whose user a spreadsheet wrote is a reject under one cut-off and set aside under another, and where it stands
  /// is not kept: a file with such a row is read every time.
  func append(_ row: AssignmentRow) {
    guard isWritten else { return }
    guard (try? row.user.refusingSpreadsheetNumber("user")) != nil else { return abandon() }
    let hash = ByteHash.hash64(row.user)
    let rows = writers[UserDirectory.partition(ofHash: hash)]
    if rows.isFull { write(rows) }
    rows.append(row, hash: hash, file: 0, values: attributes.byName)
  }

  /// Takes what the run has made of a row.
  func record(_ reason: SetAsideReason?) { outcomes.record(reason) }

  /// The task has read all that it will of the file.
  func finish() {
    for rows in writers where isWritten && !rows.isEmpty { write(rows) }
    entry.record(outcomes)
  }

  /// Gives all of the entry up.
  func abandon() {
    isWritten = false
    entry.abandon()
  }

  private func write(_ rows: AssignmentBlockWriter) { isWritten = entry.add(rows.finish()) }
}
