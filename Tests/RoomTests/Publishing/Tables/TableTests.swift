import Synchronization
import Testing

@testable import Measurement
@testable import Publishing

@Suite("A table's rows")
struct TableTests {
  private struct Failure: Error {}
  private static let columns = [Table.Column(name: "n", type: .integer, isKey: true, meaning: "a number")]

  /// A streamed table of the numbers below `count`, which fails at one of them, and counts those it has made.
  private func numbers(below count: Int, failingAt failure: Int? = nil, made: Made) -> Table {
    Table(name: "numbers", columns: Self.columns) { body in
      for number in 0..<count {
        if number == failure { throw Failure() }
        made.count.withLock { $0 += 1 }
        try body([.integer(Int128(number))])
      }
    }
  }

  private final class Made: Sendable {
    let count = Mutex(0)
  }

  @Test("Few rows are made once for all who read them")
  func few() throws {
    let made = Made()
    let table = try numbers(below: 5, made: made).holding(upTo: 5)
    for _ in 0..<3 {
      var rows: [[Table.Cell]] = []
      try table.forEachRow { rows.append($0) }
      #expect(rows == (0..<5).map { [.integer(Int128($0))] })
    }
    #expect(table.rowsAtHand?.count == 5)
    #expect(made.count.withLock { $0 } == 5)
  }

  @Test("Of many no more are made than it takes to see that, and each reader has all")
  func many() throws {
    let made = Made()
    let table = try numbers(below: 1000, made: made).holding(upTo: 5)
    #expect(table.rowsAtHand == nil)
    #expect(made.count.withLock { $0 } == 6)
    var count = 0
    try table.forEachRow { _ in count += 1 }
    #expect(count == 1000)
  }

  @Test("What goes wrong while rows are made is told")
  func failure() {
    #expect(throws: Failure.self) { try numbers(below: 5, failingAt: 3, made: Made()).holding(upTo: 5) }
  }

  @Test("Rows at hand stay as they are, however many")
  func held() throws {
    let table = Table(name: "numbers", columns: Self.columns, rows: [[.integer(1)], [.integer(2)]])
    #expect(try table.holding(upTo: 1).rows == table.rows)
  }
}
