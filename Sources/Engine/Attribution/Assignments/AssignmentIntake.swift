import Domain
import Measurement

/// What a run makes of assignments, wherever they come from: it takes those before its cut-off, of the offerings it
/// measures, into the roster.
struct AssignmentIntake {
  private let table: AssignmentTable
  private let cutoff: Int64
  /// Numbers of the offerings to measure; nil for all.
  private let wanted: Set<UInt32>?
  private var rows: RosterQueue
  private var groupsSeen = GroupsSeen()
  private var earlyTimes = EarlyTimes()

  init(_ table: AssignmentTable) {
    self.table = table
    cutoff = table.cutoff.milliseconds
    wanted = table.wanted
    rows = RosterQueue(table.roster)
  }

  /// Adds an assignment to the roster once its batch is finished, or says why it does not belong there.
  mutating func accept(_ row: AssignmentRow) throws(EventDecoder.Fault) -> SetAsideReason? {
    groupsSeen.see(offering: row.offering, group: row.group)
    earlyTimes.look(at: row.time)
    if row.time >= cutoff { return .afterCutoff }
    if let wanted, !wanted.contains(row.offering) { return .otherOffering }
    _ = try row.user.refusingSpreadsheetNumber("user")
    rows.add(row)
    return nil
  }

  /// The batch that the rows point into is about to be given up.
  mutating func finishBatch() { rows.finish() }

  /// Tells the roster and the reading what was seen, once a file is sound.
  func finish(_ reading: inout FileReading) {
    let attributes = table.attributes
    table.roster.note(groupsSeen)
    reading.earlyTimes = earlyTimes
    guard reading.account.used > 0 else { return }
    let reported = reading.attributes.attributes.map { attributes.names[attributes.byName[$0]] }
    table.roster.note(attributes: Set(reported), inputLine: table.input.line)
  }
}
