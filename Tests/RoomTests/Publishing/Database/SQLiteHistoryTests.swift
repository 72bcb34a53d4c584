import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

@Suite("Tables of results.sqlite that hold a row once for all nights that say the same")
struct SQLiteHistoryTests {
  /// A table that is written a day at a time, an offering at a time, and in one.
  private static let names = ["daily", "arrivals", "inputs"]

  private static func columns(of name: String) -> [Publishing.Table.Column] {
    [
      Publishing.Table.Column(name: first(of: name), type: .text, isKey: true, meaning: "x"),
      Publishing.Table.Column(name: "test_group_id", type: .text, isKey: true, meaning: "x"),
      Publishing.Table.Column(name: "value", type: .real, isKey: false, meaning: "x"),
    ]
  }

  private static func first(of name: String) -> String { name == "arrivals" ? "offering_id" : "day" }

  /// A night's rows: by day and group a value.
  private typealias Rows = [[String]: Double]

  private func table(_ rows: Rows, _ name: String) -> Publishing.Table {
    let sorted = rows.sorted { ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1]) }
    return Publishing.Table(
      name: name, columns: Self.columns(of: name), rows: sorted.map { [.text($0[0]), .text($0[1]), .real($1)] })
  }

  private func night(_ number: Int) throws -> NightResult {
    try PublishedNight.night(
      asOf: Instant(milliseconds: HandMade.asOf.milliseconds + Int64(number) * Instant.millisecondsPerDay))
  }

  private func write(_ rows: Rows, night number: Int, to path: String, _ name: String = "daily") throws {
    try PublishedNight.write(night(number), tables: [table(rows, name)], toDatabase: path)
  }

  private func rows(ofNight number: Int, in path: String, _ name: String = "daily") throws -> Rows {
    let night = try night(number).night
    let found = try ResultsDatabase(path: path).read { database in
      try Row.fetchAll(
        database, sql: "SELECT \(Self.first(of: name)), test_group_id, value FROM \(name) WHERE night = ?",
        arguments: [night])
    }
    return try #require(found).reduce(into: [:]) { rows, row in
      let key: [String] = [row[0], row[1]]
      #expect(rows.updateValue(row[2], forKey: key) == nil)
    }
  }

  private func stored(_ path: String, _ name: String = "daily") throws -> Int {
    try #require(
      try ResultsDatabase(path: path).read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(name)_history") })
  }

  @Test("After thirty nights there are as many rows as days, and every night's whole table is there", arguments: names)
  func growth(name: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    func past(_ night: Int) -> Rows {
      (0...night).reduce(into: [:]) { $0[["day \(100 + $1)", "a"]] = Double($1) }
    }
    for number in 0..<30 { try write(past(number), night: number, to: path, name) }
    #expect(try stored(path, name) == 30)
    for number in [0, 12, 29] { #expect(try rows(ofNight: number, in: path, name) == past(number)) }
  }

  @Test(
    "Nights published in any order, and again with other figures, each keep their own table", arguments: names, 0..<8)
  func anyOrder(name: String, seed: Int) throws {
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
      try write(rows, night: number, to: path, name)
      for (number, rows) in expected {
        #expect(try self.rows(ofNight: number, in: path, name) == rows, "seed \(seed), night \(number)")
      }
    }
  }

  @Test("Rows that a later night says again are written in the order in which they stood")
  func order() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    func all(_ value: Double) -> Rows { (10..<30).reduce(into: [:]) { $0[["file \($1)", "a"]] = value } }
    for number in 0..<3 { try write(all(1), night: number, to: path, "inputs") }
    try write(all(2), night: 1, to: path, "inputs")
    let last = try night(2).night
    let said = try ResultsDatabase(path: path).read { database in
      try String.fetchAll(
        database, sql: "SELECT day FROM inputs_history WHERE night = ? ORDER BY rowid", arguments: [last])
    }
    #expect(said == (10..<30).map { "file \($0)" })
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

  @Test("A file of version 3 keeps what its inputs say, and what they came to is checked from then on")
  func inputsOfVersion3() throws {
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    let rows: Rows = [["a", "x"]: 1, ["b", "x"]: 2]
    for number in 0..<2 { try write(rows, night: number, to: path, "inputs") }
    try PublishedNight.change(database: path) { database in
      try database.execute(
        sql: """
          CREATE TEMP TABLE told AS SELECT job, as_of, night, day, test_group_id, value FROM inputs;
          DROP VIEW inputs;
          DROP TABLE inputs_history;
          CREATE TABLE inputs (job TEXT, as_of TEXT, night TEXT, day TEXT, test_group_id TEXT, value REAL);
          INSERT INTO inputs SELECT * FROM told;
          UPDATE night_checksums SET table_name = 'inputs' WHERE table_name = 'inputs_history';
          PRAGMA user_version = 3;
          """)
    }
    try write(rows, night: 2, to: path, "inputs")
    for number in 0..<3 { #expect(try self.rows(ofNight: number, in: path, "inputs") == rows) }
    #expect(try stored(path, "inputs") == 2)
    func mismatch() throws -> NightChecksums.Mismatch? {
      try ResultsDatabase(path: path).read { try NightChecksums.mismatch(in: $0) }
    }
    #expect(try mismatch() == nil)
    try PublishedNight.change(database: path) {
      try $0.execute(sql: "UPDATE inputs_history SET value = 3 WHERE day = 'b'")
    }
    #expect(try mismatch()?.table == "inputs")
  }
}
