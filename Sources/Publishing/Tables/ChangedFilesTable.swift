import Analysis
import Measurement

/// `changed_files.csv`: the files behind what changed in the time before the previous night's cut-off; empty where there
/// is no earlier night.
///
/// `change` is `late` (that night had not read the file), and where figures are not what that night published also
/// `grown`, `replaced` or `gone`. Of a late file the columns from `late_rows` on tell what it adds to what was known, of
/// users who count at that cut-off; files are taken in the order of the job and of their paths, so that they add up
/// and what two of them tell counts for the first. A file whose rows were all known adds nothing.
struct ChangedFilesTable: ResultTable {
  typealias Record = ChangedFile
  let name = "changed_files"
  let meaning = "Files that came late, grew, were replaced or are gone, and what late ones tell of the time before."
  let records = Records<Record>.held(\.changedFiles)

  let job = Text.job
  let asOf = Text.asOf
  let previousNight = Text("previous_night", "the night that tonight is held against", as: .date, \.previousNight)
  let previousAsOf = Text("previous_as_of", "that night's cut-off", as: .instant, \.previousAsOf.rfc3339)
  let input = Text("input", "the input's name in the job", isKey: true, \.input)
  let file = Text("file", "the file, relative to the job file", isKey: true, \.file)
  let change = Text("change", "late, grown, replaced or gone", \.change.rawValue)
  let previousRows = Integer("previous_rows", "rows read from it on that night; empty of a late one", \.before?.read)
  let previousUsed = Integer("previous_used", "rows used on that night", \.before?.used)
  let rowsRead = Integer("rows_read", "rows read from it tonight; empty of one that is gone", \.now?.read)
  let rowsUsed = Integer("rows_used", "rows used tonight", \.now?.used)
  let lateRows = Integer(
    "late_rows",
    "events in it of times before that cut-off, of users who count then; what follows is told of late files",
    \.late?.rows)
  let users = Integer("users", "users whom it alone tells of, once for each offering", \.late?.users)
  let charges = Integer("charges", "charges that it adds", \.late?.charges)
  let currency = Text.currency
  let gross = Micros("gross", "what they cost", \.late?.gross)
  let refunds = Integer("refunds", "charges of which money is taken back by it", \.late?.refunds)
  let refunded = Micros("refunded", "the money that is taken back", \.late?.refunded)
  let events = Integer("events", "what else happened by it: trials, cancellations, views …", \.late?.events)
}
