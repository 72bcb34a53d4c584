/// A table's rows, at hand or made one after another.
enum TableRows: Sendable {
  case held([[Table.Cell]])
  case streamed(Stream)

  /// Hands over every row, in the order of the table's keys.
  typealias Stream = @Sendable (_ body: ([Table.Cell]) throws -> Void) throws -> Void

  func forEach(_ body: ([Table.Cell]) throws -> Void) throws {
    switch self {
    case .held(let rows): try rows.forEach(body)
    case .streamed(let stream): try stream(body)
    }
  }

  var atHand: [[Table.Cell]]? {
    switch self {
    case .held(let rows): rows
    case .streamed: nil
    }
  }

  func held(of table: String) -> [[Table.Cell]] {
    guard let rows = atHand else { preconditionFailure("\(table) is streamed: its rows come one by one") }
    return rows
  }

  /// All rows; nil where there are more than `count`, of which no more are made then.
  func made(upTo count: Int) throws -> [[Table.Cell]]? {
    guard case .streamed(let stream) = self else { return atHand }
    struct TooMany: Error {}
    var rows: [[Table.Cell]] = []
    do {
      try stream { row in
        guard rows.count < count else { throw TooMany() }
        rows.append(row)
      }
    } catch is TooMany {
      return nil
    }
    return rows
  }
}
