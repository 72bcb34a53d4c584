import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Publishing

/// Nights to publish, told apart by one number.
enum PublishedNight {
  static let job = HandMade.job()

  /// A night of two groups in which `converted` users of group_a, or of the group called otherwise, converted.
  static func night(
    converted: Int128 = 300, asOf: Instant = HandMade.asOf, group: Identifier = "group_a"
  ) throws -> NightResult {
    let offering = HandMade.offering(
      HandMade.group(
        "control", users: 5000, HandMade.proportion(200, of: 5000), HandMade.money(200, paying: 9, of: 5000)),
      HandMade.group(
        group, users: 5000, HandMade.proportion(converted, of: 5000),
        HandMade.money(converted, paying: 9, of: 5000)))
    var measurement = HandMade.measurement(offering)
    measurement.accounts[0].outcomes = RowOutcomes(used: 98, setAside: [.malformed: 1, .duplicate: 1])
    measurement.freshness.lastEvent = Instant(milliseconds: asOf.milliseconds - 1)
    var rejects = RejectedRows()
    rejects.append(
      Reject(
        account: 0, line: 7, byteOffset: 612, reason: .malformed, detail: "no JSON object",
        excerpt: Array("=cmd\u{1b}[0m é\n".utf8) + [0xFF]))
    measurement.rejects = rejects
    return try Analysis.analyze(
      measurement: measurement, metrics: [HandMade.conversion, HandMade.revenue], job: job, asOf: asOf)
  }

  /// A table with all its rows at hand, also one that is streamed.
  static func held(_ table: Publishing.Table) throws -> Publishing.Table {
    var rows: [[Publishing.Table.Cell]] = []
    try table.forEachRow { rows.append($0) }
    return Publishing.Table(name: table.name, columns: table.columns, rows: rows)
  }

  /// The CSV file of a table.
  static func text(of table: Publishing.Table) throws -> String {
    String(decoding: CSVExporter.bytes(of: try held(table)), as: UTF8.self)
  }

  /// A night's tables with all their rows at hand.
  static func tables(of night: NightResult) throws -> [Publishing.Table] {
    try ResultTables.tables(of: night).map(held)
  }

  static func record(threads: Int = 2) -> RunRecord { RunRecord.begin(version: "1.2.3", threads: threads) }

  /// Publishes a night the way the pipeline does.
  @discardableResult
  static func publish(_ night: NightResult, in folder: ScratchFolder, threads: Int = 2) throws -> URL {
    let publisher = Publisher(root: folder.url, job: job)
    let lock = try JobLock(root: folder.url, job: job)
    return try withExtendedLifetime(lock) {
      try publisher.preflight(for: night.night)
      return try publisher.publish(night, record: record(threads: threads)).folder
    }
  }

  /// Writes a night's tables into a database, in the place of the one that is there.
  static func write(_ night: NightResult, tables: [Publishing.Table], toDatabase path: String) throws {
    try change(database: path) { database in
      let row = SQLiteExporter.NightRow(
        job: night.job, asOf: night.asOf.rfc3339, night: night.night, currency: night.currency, jobChecksum: "00000000",
        version: "0")
      try SQLiteExporter.replace(row, tables: tables, in: database)
    }
  }

  /// Puts a changed copy in a database's place.
  static func change(database path: String, _ change: (Database) throws -> Void) throws {
    let copy = Folder.hiddenSibling(of: path)
    try ResultsDatabase(path: path).copy(to: copy, changing: change)
    try Folder.rename(copy, to: path)
  }

  /// So many days after the usual cut-off.
  static func cutoff(days: Int64) -> Instant {
    Instant(milliseconds: HandMade.asOf.milliseconds + days * Instant.millisecondsPerDay)
  }
}
