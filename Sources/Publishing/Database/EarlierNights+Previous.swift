import Analysis
import Domain
import GRDB
import Measurement
import Statistics

extension EarlierNights {
  /// The newest night before `night` with an earlier cut-off, whatever it lacked; nil where there is none, or
  /// only nights before the job's `compare_since:`.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func previous(to night: String, cutoff: Instant) throws -> PreviousNight? {
    try database.read { database in
      guard try hasFigures(in: database) else { return nil }
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM nights WHERE job = ? AND night < ? AND night >= ? ORDER BY night DESC LIMIT 1",
        arguments: [job.name, night, job.compareSince ?? ""])
      return try row.flatMap { try published($0, in: database) }.flatMap { $0.asOf < cutoff ? $0 : nil }
    }
  }

  /// The newest night there is; nil where there is none.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func newest() throws -> PreviousNight? {
    try database.read { database in
      guard try hasFigures(in: database) else { return nil }
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM nights WHERE job = ? ORDER BY night DESC LIMIT 1", arguments: [job.name])
      return try row.flatMap { try published($0, in: database) }
    }
  }

  /// Whether a version of this program has published one of the nights.
  ///
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func hasNight(of version: String) throws -> Bool {
    try database.read { database -> Bool? in
      guard try database.tableExists("nights"),
        try database.columns(in: "nights").contains(where: { $0.name == "version" })
      else { return nil }
      let sql = "SELECT EXISTS (SELECT 1 FROM nights WHERE job = ? AND version = ?)"
      return try Bool.fetchOne(database, sql: sql, arguments: [job.name, version])
    } ?? false
  }

  private func hasFigures(in database: Database) throws -> Bool {
    try ["nights", "inputs", "sufficient_statistics", "group_metrics"].allSatisfy {
      try SQLiteSchema.has($0, in: database)
    }
  }

  /// What the night of a row of `nights` published.
  private func published(_ row: Row, in database: Database) throws -> PreviousNight? {
    guard let night: String = row["night"], let text: String = row["as_of"],
      let asOf = try? Instant(text, timezone: .gmt)
    else { return nil }
    let key: StatementArguments = [job.name, text]
    var previous = PreviousNight(night: night, asOf: asOf, files: try files(database, key))
    previous.sums = try sums(database, key)
    previous.values = try values(database, key)
    previous.intervals = try intervals(database, key)
    previous.jobChecksum = (row["job_crc32"] as String?).flatMap { UInt32($0, radix: 16) }
    previous.version = row["version"]
    previous.calls = try calls(database, key)
    return previous
  }

  private func sums(_ database: Database, _ key: StatementArguments) throws -> [CellKey: PreviousNight.Sums] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT offering_id, test_group_id, metric, kind, scale, n, sum_y, sum_x FROM sufficient_statistics
        WHERE job = ? AND as_of = ? AND segment = 'all'
        """, arguments: key)
    return rows.reduce(into: [:]) { sums, row in
      guard let cell = CellKey(row), let kind = (row["kind"] as String?).flatMap(MetricKind.init),
        let scale = Self.integer(row, "scale"), let n = Self.integer(row, "n"), let y = Self.integer(row, "sum_y"),
        let x = Self.integer(row, "sum_x")
      else { return }
      sums[cell] = PreviousNight.Sums(kind: kind, scale: scale, sums: SufficientSums(n: n, y: y, x: x))
    }
  }

  private func values(_ database: Database, _ key: StatementArguments) throws -> [CellKey: Double] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT offering_id, test_group_id, metric, value FROM group_metrics
        WHERE job = ? AND as_of = ? AND segment = 'all'
        """, arguments: key)
    return rows.reduce(into: [:]) { values, row in
      if let cell = CellKey(row) { values[cell] = row["value"] }
    }
  }

  /// Which lifts were possible; nothing where its version did not say so.
  private func intervals(_ database: Database, _ key: StatementArguments) throws -> [CellKey: Interval] {
    guard try SQLiteSchema.has("comparisons", in: database),
      try database.columns(in: "comparisons").contains(where: { $0.name == "decided_ci_low" })
    else { return [:] }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT offering_id, test_group_id, metric, decided_ci_low, decided_ci_high FROM comparisons
        WHERE job = ? AND as_of = ? AND segment = 'all'
        """, arguments: key)
    return rows.reduce(into: [:]) { intervals, row in
      let ends: (low: Double?, high: Double?) = (row["decided_ci_low"], row["decided_ci_high"])
      guard let cell = CellKey(row), let low = ends.low, let high = ends.high else { return }
      intervals[cell] = Interval(low, high)
    }
  }

  /// What the night said to do; nothing where its version kept no calls.
  private func calls(_ database: Database, _ key: StatementArguments) throws -> [GroupCall] {
    guard try database.tableExists("verdicts") else { return [] }
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM verdicts WHERE job = ? AND as_of = ?", arguments: key)
    return rows.compactMap { row in
      guard let offering: String = row["offering_id"], let group: String = row["test_group_id"], !group.isEmpty
      else { return nil }
      let (call, decision): (String?, String?) = (row["call"], row["decision"])
      return GroupCall(
        offering: Identifier(offering), group: Identifier(group),
        call: Call(named: call ?? "", decision: Decision(named: decision ?? "")), headline: row["headline"] ?? "")
    }
  }

  /// An exact sum, which the database holds as a number or, where that is too long, as text.
  private static func integer(_ row: Row, _ column: String) -> Int128? {
    switch (row[column] as DatabaseValue).storage {
    case .int64(let number): Int128(number)
    case .string(let text): Int128(text)
    default: nil
    }
  }
}

extension CellKey {
  /// Everybody of the group that a row is of.
  fileprivate init?(_ row: Row) {
    guard let offering: String = row["offering_id"], let group: String = row["test_group_id"],
      let metric: String = row["metric"]
    else { return nil }
    self.init(offering: Identifier(offering), group: Identifier(group), metric: Identifier(metric))
  }
}
