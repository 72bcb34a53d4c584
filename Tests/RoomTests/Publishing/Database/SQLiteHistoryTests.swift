import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("daily in results.sqlite holds a row once for all nights that say the same")
struct SQLiteHistoryTests {
  private static let columns = [
    Publishing.Table.Column(name: "day", type: .date, isKey: true, meaning: "x"),
    Publishing.Table.Column(name: "test_group_id", type: .text, isKey: true, meaning: "x"),
    Publishing.Table.Column(name: "value", type: .real, isKey: false, meaning: "x"),
  ]

  /// A night's rows: by day and group a value.
  private typealias Rows = [[String]: Double]

  private func table(_ rows: Rows) -> Publishing.Table {
    let sorted = rows.sorted { ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1]) }
    return Publishing.Table(
      name: "daily", columns: Self.columns, rows: sorted.map { [.text($0[0]), .text($0[1]), .real($1)] })
  }

  private func night(_ number: Int) throws -> NightResult {
    try PublishedNight.night(
      asOf: Instant(milliseconds: HandMade.asOf.milliseconds + Int64(number) * Instant.millisecondsPerDay))
  }

  private func write(_ rows: Rows, night number: Int, to path: String) throws {
    try PublishedNight.write(night(number), tables: [table(rows)], toDatabase: path)
  }

  private func rows(ofNight number: Int, in path: String) throws -> Rows {
    let name = try night(number).night
    let found = try ResultsDatabase(path: path).read { database in
      try Row.fetchAll(database, sql: "SELECT day, test_group_id, value FROM daily WHERE night = ?", arguments: [name])
    }
    return try #require(found).reduce(into: [:]) { $0[[$1["day"], $1["test_group_id"]]] = $1["value"] }
  }

  private func stored(_ path: String) throws -> Int {
    try #require(
      try ResultsDatabase(path: path).read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM daily_history") })
  }

  @Test("After thirty nights there are as many rows as days, and every night's whole table is there")
  func growth() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    func past(_ night: Int) -> Rows {
      (0...night).reduce(into: [:]) { $0[["day \(100 + $1)", "a"]] = Double($1) }
    }
    for number in 0..<30 { try write(past(number), night: number, to: path) }
    #expect(try stored(path) == 30)
    for number in [0, 12, 29] { #expect(try rows(ofNight: number, in: path) == past(number)) }
  }

  @Test("Nights published in any order, and again with other figures, each keep their own table", arguments: 0..<20)
  func anyOrder(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    var expected: [Int: Rows] = [:]
    for _ in 0..<12 {
      let number = dice.below(5)
      var rows: Rows = [:]
      for day in 0..<4 {
        for group in ["a", "b"] where dice.below(4) > 0 { rows[["day \(day)", group]] = Double(dice.below(2)) }
      }
      expected[number] = rows
      try write(rows, night: number, to: path)
      for (number, rows) in expected {
        #expect(try self.rows(ofNight: number, in: path) == rows, "seed \(seed), night \(number)")
      }
    }
  }

  @Test("What a file of version 2 says of every night is still said, and stored once")
  func migration() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    try write([:], night: 0, to: path)
    try write([:], night: 1, to: path)
    try PublishedNight.change(database: path) { database in
      try database.execute(
        sql: """
          DROP VIEW daily;
          DROP TABLE daily_history;
          CREATE TABLE daily (job TEXT, as_of TEXT, night TEXT, day TEXT, test_group_id TEXT, value REAL);
          INSERT INTO daily SELECT job, as_of, night, 'day 1', 'a', 0.5 FROM nights;
          INSERT INTO daily SELECT job, as_of, night, 'day 2', 'a', 1.5 FROM nights WHERE night = (SELECT MAX(night) FROM nights);
          PRAGMA user_version = 2;
          """)
    }
    let old: Rows = [["day 1", "a"]: 0.5]
    let new: Rows = [["day 1", "a"]: 0.5, ["day 2", "a"]: 1.5]
    try write(new, night: 2, to: path)
    #expect(try rows(ofNight: 0, in: path) == old)
    #expect(try rows(ofNight: 1, in: path) == new)
    #expect(try rows(ofNight: 2, in: path) == new)
    #expect(try stored(path) == 2)
  }
}
