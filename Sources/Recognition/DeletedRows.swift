import Domain
import Engine
import Jobs

/// Rows that stand in a table and are no longer true: deleted ones that a connector keeps, and a log of a table's changes.
struct DeletedRows {
  /// What leaves such rows out.
  private(set) var rules: [SkipRule] = []
  private(set) var remarks: [Remark] = []
  /// What to do where leaving rows out is not enough.
  private(set) var problem: String?

  /// Marks of rows that a connector or a program keeps: Fivetran, Debezium, BigQuery, Stitch and hand-made ones.
  private static let flags: Set<String> = [
    "fivetrandeleted", "deleted", "isdeleted", "isdelete", "deletedflag", "softdeleted", "issoftdeleted", "archived",
    "isarchived", "istest", "testorder", "isinternal",
  ]
  private static let times: Set<String> = [
    "deletedat", "deletedon", "deletiontime", "datedeleted", "sdcdeletedat", "abcdcdeletedat", "archivedat",
  ]
  /// Columns of what became of a row, and what they say of one that was deleted: AWS DMS, Debezium, BigQuery, Delta.
  private static let changes: Set<String> = [
    "op", "cdcop", "cdcoperation", "operation", "changetype", "rowkind", "dmloperation", "recordoperation", "dmsop",
  ]
  private static let changeWords: Set<String> = [
    "i", "u", "d", "c", "r", "insert", "update", "delete", "upsert", "updatepreimage", "updatepostimage",
  ]

  /// - Parameters:
  ///   - key: the column that tells the table's rows apart.
  ///   - all: every column, those that are something as well.
  init(_ columns: ColumnGuess, key: String?) {
    for name in columns.free {
      let plain = ColumnRole.plain(name)
      let values = columns.values(name).reported.values
      guard !values.isEmpty else { continue }
      if Self.flags.contains(plain) {
        acceptFlag(name, values)
      } else if Self.times.contains(plain), columns.values(name).areTimes {
        rules.append(SkipRule(column: name, matches: [.anything]))
        remarks.append(Remark("skip_where", "rows with \"\(name)\"", Guess(name, .certain, "they were deleted")))
      } else if Self.changes.contains(plain), problem == nil {
        acceptChanges(name, Set(values), key, columns)
      }
    }
  }

  private mutating func acceptFlag(_ name: String, _ values: [String]) {
    let yes = Set(values).filter { ["true", "t", "yes", "y", "1"].contains($0.lowercased()) }
    guard !yes.isEmpty, Set(values).count <= 2 else { return }
    let isFlag = yes.allSatisfy { $0.lowercased() == "true" }
    rules.append(SkipRule(column: name, matches: isFlag ? [.flag(true)] : yes.sorted().map { .text($0) }))
    let rows = values.count { yes.contains($0) }
    remarks.append(
      Remark(
        "skip_where", "\(Phrase.count(rows, "row")) with \"\(name)\" \(yes.sorted()[0])",
        Guess(name, .certain, "by its name and its values")))
  }

  private mutating func acceptChanges(_ name: String, _ kinds: Set<String>, _ key: String?, _ columns: ColumnGuess) {
    let plain = Set(kinds.map(ColumnRole.plain))
    let later = plain.subtracting(["i", "c", "r", "insert"])
    guard plain.isSubset(of: Self.changeWords), !later.isEmpty else { return }
    let sample = columns.sample
    let deleted = kinds.filter { ["d", "delete"].contains(ColumnRole.plain($0)) }.sorted()
    let what =
      "\(sample.file): by \"\(name)\" (\(Phrase.list(kinds.sorted()))) it is a log of changes of a table: a row that was "
      + "changed or deleted later stands there as it was, too, and would count"
    guard let key else {
      problem = "\(what). Export the table as it is now."
      return
    }
    let column = RowChange.column(key)
    let member = RowChange.member(key)
    let change = RowChange(
      sql: [
        "SELECT * FROM t WHERE rowid IN (SELECT max(rowid) FROM t GROUP BY \(column)) AND \(RowChange.column(name)) NOT IN ("
          + "\(StatusColumn.literals(deleted)))"
      ],
      jq: "[inputs] | group_by(\(member)) | map(last) | .[] | select(\(RowChange.member(name)) | IN("
        + "\(deleted.map(StatusColumn.json).joined(separator: ", "))) | not)")
    let command = RowSource(sample).map { $0.command(change, "latest", readsAll: true) }
    problem =
      "\(what). Write the last state of each \"\(key)\", without what was deleted:\n    \(command?.text ?? "")\nThen type "
      + "init with \(command?.result ?? "the new file")."
  }
}
