import Analysis
import Domain
import Foundation
import GRDB
import Jobs
import Measurement

/// The nights of a job that `results.sqlite` holds.
package struct EarlierNights {
  let database: ResultsDatabase
  package let job: Job

  /// - Parameter root: DIR, the folder of all jobs' results.
  package init(root: URL, job: Job) {
    self.job = job
    database = ResultsDatabase(
      path: root.appendingPathComponent(job.name).appendingPathComponent("results.sqlite").path)
  }

  /// The latest night before `night` that lacked nothing itself, and is not before the job's `compare_since:`; nil
  /// where there is none.
  ///
  /// A night that lacked something is passed over: compared with it the next night would lack nothing, and what is
  /// missing would be reported on one night only.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func last(before night: String) throws -> EarlierNight? {
    try database.read { database in
      for table in ["nights", "inputs", "states", "checks"] where try !SQLiteSchema.has(table, in: database) {
        return nil
      }
      let check = try SQLiteName.quoted("check", of: "checks", in: database)
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT night, as_of FROM nights AS n
          WHERE job = ? AND night < ? AND night >= ? AND NOT EXISTS (
            SELECT 1 FROM checks AS c
            WHERE c.job = n.job AND c.as_of = n.as_of AND c.\(check) = ? AND c.status = 'fail')
          ORDER BY night DESC LIMIT 1
          """, arguments: [job.name, night, job.compareSince ?? "", LastNightCheck.name])
      guard let row, let found: String = row["night"], let asOf: String = row["as_of"] else { return nil }
      let key: StatementArguments = [job.name, asOf]
      return EarlierNight(night: found, files: try files(database, key), users: try users(database, key))
    }
  }

  /// The cut-offs of all nights before `night`.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func cutoffs(before night: String) throws -> [Instant] {
    try database.read { database in
      guard try database.tableExists("nights") else { return nil }
      let found = try String.fetchAll(
        database, sql: "SELECT as_of FROM nights WHERE job = ? AND night < ? ORDER BY night",
        arguments: [job.name, night])
      return found.compactMap { try? Instant($0, timezone: .gmt) }
    } ?? []
  }

  /// The plan of every night of the job before one, as it was published, in order of the nights.
  package func plans(before night: String) throws -> [(night: String, plan: String?)] {
    guard job.plan != nil else { return [] }
    return try database.read { database in
      guard try database.tableExists("nights") else { return nil }
      let column = try database.tableExists("plans") ? SQLiteName.quoted("plan", of: "plans", in: database) : "NULL"
      let reported =
        column == "NULL"
        ? column : "(SELECT MAX(\(column)) FROM plans WHERE plans.job = nights.job AND plans.as_of = nights.as_of)"
      let rows = try Row.fetchAll(
        database, sql: "SELECT night, \(reported) AS told FROM nights WHERE job = ? AND night < ? ORDER BY night",
        arguments: [job.name, night])
      return rows.map { (night: $0["night"] ?? "", plan: $0["told"]) }
    } ?? []
  }

  /// The latest call to ship or drop each group, of the nights of the job before one.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func calls(before night: String) throws -> [MadeCall] {
    try database.read { database in
      guard try database.tableExists("nights"), try database.tableExists("verdicts"),
        try database.columns(in: "verdicts").contains(where: { $0.name == "call" })
      else { return nil }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT max(n.night) AS night, v.offering_id, v.test_group_id, v.call FROM verdicts AS v
          JOIN nights AS n ON n.job = v.job AND n.as_of = v.as_of
          WHERE v.job = ? AND n.night < ? AND v.call IN ('ship', 'drop') AND v.offering_decision <> 'do_not_trust'
          GROUP BY v.offering_id, v.test_group_id ORDER BY v.offering_id, v.test_group_id
          """, arguments: [job.name, night])
      return rows.compactMap { row in
        guard let night: String = row["night"], let offering: String = row["offering_id"],
          let group: String = row["test_group_id"], let call = (row["call"] as String?).flatMap(Call.init)
        else { return nil }
        return MadeCall(night: night, offering: Identifier(offering), group: Identifier(group), call: call)
      }
    } ?? []
  }

  func files(_ database: Database, _ key: StatementArguments) throws -> [EarlierNight.File] {
    let read = try SQLiteName.quoted("rows", of: "inputs", in: database)
    let rows = try Row.fetchAll(
      database,
      sql:
        "SELECT DISTINCT input, file, bytes, crc32, \(read) AS rows_read, used FROM inputs WHERE job = ? AND as_of = ?",
      arguments: key)
    return rows.compactMap { row in
      guard let input: String = row["input"], let file: String = row["file"] else { return nil }
      let crc32: String? = row["crc32"]
      return EarlierNight.File(
        input: input, file: file, bytes: row["bytes"] ?? 0, crc32: crc32.flatMap { UInt32($0, radix: 16) } ?? 0,
        rows: row["rows_read"] ?? 0, used: row["used"] ?? 0)
    }
  }

  private func users(_ database: Database, _ key: StatementArguments) throws -> [Identifier: Int] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT offering_id, SUM(users) AS users FROM states WHERE job = ? AND as_of = ? GROUP BY offering_id",
      arguments: key)
    return rows.reduce(into: [:]) { users, row in
      if let offering: String = row["offering_id"] { users[Identifier(offering)] = row["users"] }
    }
  }
}
