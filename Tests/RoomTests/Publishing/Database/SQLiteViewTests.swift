import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("Views of results.sqlite")
struct SQLiteViewTests {
  private let folder: ScratchFolder
  private var path: String { folder.path("results.sqlite") }

  /// Two nights, the second with more users of group_a who converted.
  init() throws {
    folder = try ScratchFolder()
    let nights = [
      try PublishedNight.night(converted: 205), try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1)),
    ]
    for night in nights {
      try PublishedNight.write(night, tables: ResultTables.tables(of: night), toDatabase: path)
    }
  }

  private func rows(_ sql: String) throws -> [String] {
    let found = try ResultsDatabase(path: path).read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "")" }.joined(separator: " ")
      }
    }
    return found ?? []
  }

  @Test("Each can be read, and has the job and the night", arguments: SQLiteView.questions.map(\.name))
  func readable(name: String) throws {
    _ = try rows("SELECT * FROM \(name)")
    let columns = try rows("SELECT name FROM pragma_table_info('\(name)')")
    #expect(columns.contains("job") && columns.contains("night"))
  }

  @Test(
    "What is asked of the newest night alone reads no other's rows",
    arguments: [
      ("latest_decisions", "comparisons"), ("conversion_by_segment", "group_metrics"), ("product_mix", "products"),
    ])
  func newestAlone(view: String, table: String) throws {
    let plan = try rows("EXPLAIN QUERY PLAN SELECT * FROM \(view)")
    #expect(plan.contains { $0.contains("INDEX") && $0.contains("\(table)_") }, "\(plan)")
    #expect(try Set(rows("SELECT night FROM \(view)")).isSubset(of: ["2026-04-01"]))
  }

  @Test("What goes through all nights finds them in its order")
  func allNights() throws {
    let lifts = try rows("EXPLAIN QUERY PLAN SELECT * FROM lift_over_time")
    #expect(lifts.contains { $0.contains("USING INDEX comparisons_over_time") }, "\(lifts)")
    #expect(!lifts.contains { $0.contains("TEMP B-TREE") }, "\(lifts)")
  }

  @Test("A file without the index and with an older view gets both")
  func olderView() throws {
    try PublishedNight.change(database: path) { database in
      try database.execute(
        sql: """
          DROP INDEX comparisons_of_everybody;
          DROP VIEW rows_by_reason;
          CREATE VIEW rows_by_reason AS SELECT job, night FROM inputs
          """)
    }
    let night = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 2))
    try PublishedNight.write(night, tables: ResultTables.tables(of: night), toDatabase: path)
    #expect(try rows("SELECT name FROM sqlite_master WHERE name = 'comparisons_of_everybody'").count == 1)
    // Of 100 rows of each night one is a duplicate and one malformed.
    #expect(
      try rows(
        "SELECT reason, rows_set_aside, share_of_rows FROM rows_by_reason WHERE night = '2026-04-02' ORDER BY reason")
        == ["duplicate 1 0.01", "malformed 1 0.01"])
  }

  @Test("No column of a table or view has a name of SQL's own, but for the views of earlier names")
  func names() throws {
    for name in try rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'csv_%'") {
      let columns = try rows("SELECT name FROM pragma_table_info('\(name)')")
      let own = columns.filter { sqlite3_keyword_check($0, Int32($0.utf8.count)) != 0 }
      #expect(own == (name == "latest_decisions" ? ["primary"] : []), "\(name)")
    }
  }

  @Test("Columns are called in a view as in the CSV, as in earlier versions")
  func former() throws {
    for table in ResultTables.all where table.columns.contains(where: { SQLiteName.ofKeywords[$0.name] != nil }) {
      let columns = try rows("SELECT name FROM pragma_table_info('csv_\(table.name)')")
      #expect(Set(table.columns.map(\.name)).isSubset(of: columns), "\(table.name)")
      #expect(try rows("SELECT * FROM csv_\(table.name)") == rows("SELECT * FROM \(table.name)"))
    }
    #expect(try rows("SELECT * FROM plain_checks") == rows("SELECT * FROM checks"))
    #expect(try rows("SELECT \"primary\" - is_primary FROM latest_decisions LIMIT 1") == ["0"])
  }

  @Test("Users who came since the night before are counted")
  func usersByNight() throws {
    try PublishedNight.change(database: path) { database in
      try database.execute(
        sql: """
          UPDATE states SET users = CASE night WHEN '2026-03-31' THEN 4000 ELSE 4500 END WHERE state = 'never';
          UPDATE states SET users = 20 WHERE state = 'subscribed'
          """)
    }
    let found = try rows(
      "SELECT night, test_group_id, users, users_added FROM users_by_night WHERE test_group_id = 'group_a'")
    #expect(found == ["2026-03-31 group_a 4020 -", "2026-04-01 group_a 4520 500"])
  }

  @Test("Money goes from gross to proceeds in steps that add up, for groups without a sale too")
  func moneyWay() throws {
    try PublishedNight.change(database: path) { database in
      try database.execute(
        sql: """
          UPDATE money SET users = 100, gross = 24.3, refunds = 8.1, net = 16.2, tax = 1.62, store_share = 3.24,
            proceeds = 11.34 WHERE test_group_id = 'group_a'
          """)
    }
    let found = try rows("SELECT test_group_id, step, name, amount FROM money_way WHERE night = '2026-04-01'")
    #expect(
      found == [
        "control 1 gross 0.0", "control 2 refunds 0.0", "control 3 net 0.0", "control 4 tax 0.0",
        "control 5 store's share 0.0", "control 6 proceeds 0.0", "group_a 1 gross 24.3", "group_a 2 refunds -8.1",
        "group_a 3 net 16.2", "group_a 4 tax -1.62", "group_a 5 store's share -3.24", "group_a 6 proceeds 11.34",
      ])
  }

  @Test("A decision that became another is told with both")
  func decisionChanges() throws {
    let found = try rows(
      "SELECT night, metric, decision_before, decision_now FROM decision_changes WHERE metric LIKE 'paying%'")
    #expect(found == ["2026-04-01 paying_conversion_7d inconclusive better"])
  }

  @Test("Rows set aside are shares of their input's, and rejects are told from the rest")
  func rowsByReason() throws {
    let found = try rows(
      "SELECT reason, is_reject, rows_set_aside, share_of_rows FROM rows_by_reason WHERE night = '2026-04-01'")
    #expect(found == ["duplicate 0 1 0.01", "malformed 1 1 0.01"])
  }

  @Test("Conversion stands beside the baseline's, with the decision")
  func conversionBySegment() throws {
    let found = try rows("SELECT test_group_id, users, converted, conversion, decision FROM conversion_by_segment")
    #expect(found == ["control 5000 200.0 0.04 -", "group_a 5000 300.0 0.06 better"])
  }

  @Test("Sums read as numbers are in the value's unit")
  func metricSums() throws {
    let found = try rows(
      "SELECT sum_y / n FROM metric_sums WHERE kind = 'mean' AND test_group_id = 'control' AND night = '2026-04-01'")
    #expect(found == ["0.36"])
  }
}
