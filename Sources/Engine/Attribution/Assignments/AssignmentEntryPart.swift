import Domain
import Measurement

/// The blocks of an entry that one task fills with the assignments it reads.
final class AssignmentEntryPart {
  private let entry: EntryWriter
  private let attributes: AssignmentAttributes
  private let rows: AssignmentBlockWriter
  /// What the run makes of the rows: the next one books that anew.
  private var fates = RowOutcomes()
  private var isWritten = true

  private static let rowsOfBlock = 1 << 14

  init(_ entry: EntryWriter, _ names: EventNames, _ attributes: AssignmentAttributes) {
    self.entry = entry
    self.attributes = attributes
    rows = AssignmentBlockWriter(
      names: names, attributes: attributes.byName.map { attributes.names[$0] },
      values: attributes.byName.map { attributes.values[$0] }, mostRows: Self.rowsOfBlock)
  }

  /// Adds a row; of which file of a run it is, is not kept.
  ///
  /// One whose user a spreadsheet wrote is a reject under one cut-off and set aside under another, and where it stands
  /// is not kept: a file with such a row is read every time.
  func append(_ row: AssignmentRow) {
    guard isWritten else { return }
    guard (try? row.user.refusingSpreadsheetNumber("user")) != nil else { return abandon() }
    if rows.isFull { write() }
    rows.append(row, file: 0, values: attributes.byName)
  }

  /// Takes what the run has made of a row.
  func book(_ reason: SetAsideReason?) { fates.book(reason) }

  /// The task has read all that it will of the file.
  func finish() {
    if isWritten, !rows.isEmpty { write() }
    entry.book(fates)
  }

  /// Gives all of the entry up.
  func abandon() {
    isWritten = false
    entry.abandon()
  }

  private func write() { isWritten = entry.add(rows.finish()) }
}
