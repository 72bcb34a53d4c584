/// A table's rows: at hand, on a disk, or made one after another.
enum TableRows: Sendable {
  case held([[Table.Cell]])
  case spooled(RowSpool)
  case streamed(Stream)

  /// Hands over every row, in the order of the table's keys.
  typealias Stream = @Sendable (_ body: ([Table.Cell]) throws -> Void) throws -> Void

  func forEach(_ body: ([Table.Cell]) throws -> Void) throws {
    switch self {
    case .held(let rows): try rows.forEach(body)
    case .spooled(let spool): try spool.forEach(body)
    case .streamed(let stream): try stream(body)
    }
  }

  var atHand: [[Table.Cell]]? { if case .held(let rows) = self { rows } else { nil } }

  func held(of table: String) -> [[Table.Cell]] {
    guard let rows = atHand else { preconditionFailure("\(table) is not at hand: its rows come one by one") }
    return rows
  }

  func count(of table: String) -> Int {
    switch self {
    case .held(let rows): rows.count
    case .spooled(let spool): spool.count
    case .streamed: preconditionFailure("\(table) is streamed: nobody has counted its rows")
    }
  }

  /// The same rows, made: at hand where there are at most `most`, else on a disk.
  func made(holding most: Int, elseIn folder: String) throws -> TableRows {
    guard case .streamed(let stream) = self else { return self }
    var rows: [[Table.Cell]] = []
    var spool: RowSpool.Writer?
    try stream { row in
      guard spool == nil else { return try spool!.append(row) }
      rows.append(row)
      guard rows.count > most else { return }
      spool = try RowSpool.Writer(in: folder)
      for row in rows { try spool!.append(row) }
      rows = []
    }
    guard spool != nil else { return .held(rows) }
    return .spooled(try spool!.finish())
  }
}
