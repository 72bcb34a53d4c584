import Foundation
import Synchronization
import Testing

@testable import Domain
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

  private static let folder = NSTemporaryDirectory()

  private func rows(of table: Table) throws -> [[Table.Cell]] {
    var rows: [[Table.Cell]] = []
    try table.forEachRow { rows.append($0) }
    return rows
  }

  @Test("Rows are made once for all who read them: few stay at hand, many on a disk", arguments: [0, 1, 5, 6, 1000])
  func made(most: Int) throws {
    let made = Made()
    let table = try numbers(below: 5, made: made).made(holding: most, elseIn: Self.folder)
    for _ in 0..<3 { #expect(try rows(of: table) == (0..<5).map { [.integer(Int128($0))] }) }
    #expect((table.rowsAtHand?.count == 5) == (most >= 5))
    #expect(table.rowCount == 5)
    #expect(made.count.withLock { $0 } == 5)
  }

  @Test("Every cell comes back from the disk as it was, and rows beyond a piece, too")
  func cells() throws {
    let row: [Table.Cell] = [
      .text(""), .text("=1\u{0}\u{1F680}"), .text(String(repeating: "long ", count: 20)), .flag(true), .flag(false),
      .integer(.max), .integer(-1), .real(-0.0), .real(.leastNonzeroMagnitude), .micros(.min), .empty,
    ]
    let columns = row.indices.map { Table.Column(name: "c\($0)", type: .text, isKey: false, meaning: "a cell") }
    let many = Table(name: "cells", columns: columns) { body in for _ in 0..<4000 { try body(row) } }
    let table = try many.made(holding: 10, elseIn: Self.folder)
    #expect(table.rowCount == 4000)
    #expect(try rows(of: table).allSatisfy { $0 == row })
  }

  @Test("What goes wrong while rows are made is told", arguments: [0, 5])
  func failure(most: Int) {
    #expect(throws: Failure.self) {
      try numbers(below: 5, failingAt: 3, made: Made()).made(holding: most, elseIn: Self.folder)
    }
  }

  @Test("Where no file can lie the error names the folder")
  func noRoom() {
    guard ProcessInfo.processInfo.environment["TMPDIR"] == nil else { return }
    let error = #expect(throws: OfferliftError.self) {
      try numbers(below: 5, made: Made()).made(holding: 0, elseIn: "/nowhere")
    }
    #expect(error?.message.contains("/nowhere") == true)
  }

  @Test("Rows at hand stay as they are, however many")
  func held() throws {
    let table = Table(name: "numbers", columns: Self.columns, rows: [[.integer(1)], [.integer(2)]])
    #expect(try table.made(holding: 1, elseIn: Self.folder).rows == table.rows)
  }
}
