import GRDB

/// A table that a night says again for the most part as the nights before it: `daily` and `arrivals`, whose days are over,
/// and `inputs`, whose files stay.
///
/// A row is stored once for all nights that say the same, in `daily_history` say: `night` is the first of them, and `until`
/// the first published one after it that does not say so; it is empty where none is. So the file grows by what is new,
/// and not by every night's whole past. The view `daily` puts every night's whole table together.
struct SQLiteHistory {
  let table: Table
  /// The column by whose values the table is written piece by piece, for rows of one stand together; nil where it is
  /// written in one.
  let piece: String?

  private static let pieces = [DailyTable().name: "day", ArrivalsTable().name: "offering_id", InputsTable().name: nil]

  init?(_ table: Table) {
    guard let piece = Self.pieces[table.name] else { return nil }
    (self.table, self.piece) = (table, piece)
  }

  /// The SQL table that holds the rows.
  var stored: Table {
    Table(name: table.name + Self.suffix, columns: table.columns + [Self.until], rows: [])
  }

  static let suffix = "_history"

  /// Every night's whole table.
  var view: SQLiteView {
    let others = SQLiteSchema.columns(of: table).dropFirst(Self.nightColumns.count)
    return SQLiteView(
      name: table.name,
      meaning: "The table `\(table.name)` of every night, put together from `\(stored.name)`, which holds a row once "
        + "for all nights that say the same: from its `night` on, and up to the night before its `until`.",
      query: """
        SELECT n.job, n.as_of, n.night, \(others.map { "h.\(SQLiteSchema.quoted($0.name))" }.joined(separator: ", "))
        FROM nights AS n
        JOIN \(stored.name) AS h ON h.job = n.job AND h.night <= n.night AND (h.until IS NULL OR h.until > n.night)
        """)
  }

  private static let until = Table.Column(
    name: "until", type: .date, isKey: false,
    meaning: "the first published night that does not say so any more; empty: all later ones do")
  private static let nightColumns = ["job", "as_of", "night"]

  /// A published night, as `nights` names it.
  struct Night {
    var job: String
    var asOf: String
    var night: String
  }

  /// A row's cells as SQLite stores them, in the order of `SQLiteSchema.columns(of: table)`.
  typealias Values = [DatabaseValue]

  // MARK: - Taking a night out

  /// Takes a night out; every other one says what it said.
  func remove(_ night: Night, from database: Database) throws {
    let name = stored.name
    if let next = try self.night(after: night, in: database) {
      try database.execute(
        sql: "UPDATE \(name) SET night = ?, as_of = ? WHERE job = ? AND night = ? AND (until IS NULL OR until > ?)",
        arguments: [next.night, next.asOf, night.job, night.night, next.night])
      try end(night, at: next.night, in: database)
    } else {
      try end(night, at: nil, in: database)
    }
  }

  /// Deletes what only this night says; what ended with it ends with the next one.
  private func end(_ night: Night, at next: String?, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM \(stored.name) WHERE job = ? AND night = ?", arguments: [night.job, night.night])
    try database.execute(
      sql: "UPDATE \(stored.name) SET until = ? WHERE job = ? AND until = ?",
      arguments: [next, night.job, night.night])
  }

  private func night(after night: Night, in database: Database) throws -> Night? {
    try Row.fetchOne(
      database, sql: "SELECT as_of, night FROM nights WHERE job = ? AND night > ? ORDER BY night LIMIT 1",
      arguments: [night.job, night.night]
    ).map { Night(job: night.job, asOf: $0["as_of"], night: $0["night"]) }
  }

  // MARK: - Putting a night in

  /// Puts in a night that is not there: of its rows those that differ from what the night before it says.
  ///
  /// - Parameters:
  ///   - isNewest: no later night's rows are in yet, whatever `nights` names, as while an older file is taken over.
  ///   - rows: hands over the night's rows, a piece's one behind another.
  func put(
    _ night: Night, isNewest: Bool = false, rows: (_ body: (Values) throws -> Void) throws -> Void,
    into database: Database
  ) throws {
    let next = isNewest ? nil : try self.night(after: night, in: database)
    let writer = try Writer(self, night: night, next: next, database)
    try rows(writer.add)
    try writer.finish()
  }

  /// Writes one night, a piece at a time.
  private final class Writer {
    private let night: Night
    /// The published night after it: what it says stays.
    private let next: Night?
    private let database: Database
    private let history: SQLiteHistory
    /// The places of the column that tells pieces apart, and of those that tell a piece's rows apart.
    private let piecePosition: Int?
    private let keyPositions: [Int]
    private let standing: Statement
    private let insert: Statement
    private let copy: Statement
    private let close: Statement
    /// The rows of the piece at hand.
    private var rows: [Values] = []
    private var pieces: Set<DatabaseValue> = []

    init(_ history: SQLiteHistory, night: Night, next: Night?, _ database: Database) throws {
      let columns = SQLiteSchema.columns(of: history.table)
      (self.history, self.night, self.next, self.database) = (history, night, next, database)
      piecePosition = columns.firstIndex { $0.name == history.piece }
      let nights = nightColumns.count
      keyPositions = columns.indices.filter { $0 >= nights && columns[$0].isKey }
      let names = columns.map { SQLiteSchema.quoted($0.name) }
      let (name, list) = (history.stored.name, names.joined(separator: ", "))
      standing = try database.makeStatement(
        sql: """
          SELECT \(list), rowid, until FROM \(name)
          WHERE job = ? AND night < ? AND (until IS NULL OR until > ?)\(history.piece.map { " AND \($0) = ?" } ?? "")
          """)
      insert = try database.makeStatement(
        sql: "INSERT INTO \(name) (\(list), until) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")), ?)")
      copy = try database.makeStatement(
        sql: """
          INSERT INTO \(name) (\(list), until)
          SELECT job, ?, ?, \(names.dropFirst(nights).joined(separator: ", ")), until FROM \(name) WHERE rowid = ?
          """)
      close = try database.makeStatement(sql: "UPDATE \(name) SET until = ? WHERE rowid = ?")
    }

    func add(_ values: Values) throws {
      if let piecePosition, let first = rows.first, first[piecePosition] != values[piecePosition] { try endPiece() }
      rows.append(values)
    }

    /// Writes the last piece, and ends what the night before says of pieces that this one has not.
    func finish() throws {
      guard let piece = history.piece else { return try write(in: nil) }
      if !rows.isEmpty { try endPiece() }
      let known = try DatabaseValue.fetchAll(
        database, sql: "SELECT DISTINCT \(piece) FROM \(history.stored.name) WHERE job = ?", arguments: [night.job])
      for piece in known where !pieces.contains(piece) { try write(in: piece) }
    }

    private func endPiece() throws {
      guard let piecePosition, let piece = rows.first?[piecePosition] else { return }
      pieces.insert(piece)
      try write(in: piece)
    }

    /// Writes the rows at hand, those of a piece, where the night before does not say the same.
    private func write(in piece: DatabaseValue?) throws {
      defer { rows.removeAll(keepingCapacity: true) }
      let before = try rowsStanding(in: piece)
      // Of most pieces nothing has changed, and their rows stand in the order in which they were written.
      guard !before.elementsEqual(rows, by: { $0.says(the: $1) }) else { return }
      var standing = Dictionary(grouping: before) { key(of: $0.values) }
      for values in rows {
        let key = key(of: values)
        if let same = standing[key]?.firstIndex(where: { $0.says(the: values) }) {
          standing[key]?.remove(at: same)
        } else {
          try insert.execute(values: values + [next?.night.databaseValue ?? .null])
        }
      }
      // In the order in which they stand, for a dictionary's is another in every run.
      try end(standing.values.joined().sorted { $0.rowID < $1.rowID })
    }

    private func key(of values: Values) -> Values { keyPositions.map { values[$0] } }

    private struct Standing {
      var values: Values
      var rowID: Int64
      var until: String?

      /// Whether it says the same, of whatever night.
      func says(the others: Values) -> Bool {
        values.count == others.count && (nightColumns.count..<values.count).allSatisfy { values[$0] == others[$0] }
      }
    }

    /// What the night before says of a piece.
    private func rowsStanding(in piece: DatabaseValue?) throws -> [Standing] {
      let arguments = [night.job, night.night, night.night].map(\.databaseValue) + [piece].compactMap(\.self)
      let rows = try Row.fetchCursor(standing, arguments: StatementArguments(arguments))
      let width = SQLiteSchema.columns(of: history.table).count
      var found: [Standing] = []
      while let row = try rows.next() {
        // One by one: GRDB's own list of them looks every column's name up, too.
        let values = (0..<width).map { row[$0] as DatabaseValue }
        found.append(Standing(values: values, rowID: row[width], until: row[width + 1]))
      }
      return found
    }

    /// Rows that this night does not say; nights after it do.
    private func end(_ rows: some Sequence<Standing>) throws {
      for row in rows {
        if let next, row.until.map({ $0 > next.night }) ?? true {
          try copy.execute(arguments: [next.asOf, next.night, row.rowID])
        }
        try close.execute(arguments: [night.night, row.rowID])
      }
    }
  }
}
