/// A table's rows, at hand or made one after another.
enum TableRows {
  case held([[Table.Cell]])
  case streamed(Stream)

  /// Hands over every row, in the order of the table's keys.
  typealias Stream = (_ body: ([Table.Cell]) throws -> Void) throws -> Void

  func forEach(_ body: ([Table.Cell]) throws -> Void) throws {
    switch self {
    case .held(let rows): try rows.forEach(body)
    case .streamed(let stream): try stream(body)
    }
  }

  func held(of table: String) -> [[Table.Cell]] {
    guard case .held(let rows) = self else { preconditionFailure("\(table) is streamed: its rows come one by one") }
    return rows
  }
}
