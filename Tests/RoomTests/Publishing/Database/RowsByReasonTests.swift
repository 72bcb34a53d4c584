import Foundation
import GRDB
import Testing

@testable import Domain
@testable import Publishing

@Suite("rows_by_reason")
struct RowsByReasonTests {
  /// A file as a night's `inputs` tell it.
  private struct File {
    var rows: Int
    /// By reason, how many are set aside.
    var reasons: [String: Int]
  }

  private func table(_ files: [[String]: File]) -> Publishing.Table {
    let lines = files.sorted { $0.key[0] + $0.key[1] < $1.key[0] + $1.key[1] }.flatMap { key, file in
      let reasons = file.reasons.isEmpty ? ["": 0] : file.reasons
      return reasons.sorted { $0.key < $1.key }.map { reason, count -> [Publishing.Table.Cell] in
        let used = file.rows - file.reasons.values.reduce(0, +)
        return [
          .text(key[0]), .text(key[1]), .integer(Int128(file.rows * 90)), .text("0"), .integer(Int128(file.rows)),
          .integer(Int128(used)), .text(reason), .integer(Int128(count)),
        ]
      }
    }
    return Publishing.Table(name: "inputs", columns: InputsTable().columns, rows: lines)
  }

  @Test("It tells of every night what that night's inputs add up to, whatever changed between", arguments: 0..<30)
  func sums(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let folder = try ScratchFolder()
    let path = folder.path("results.sqlite")
    var files: [[String]: File] = [:]
    for number in 0..<10 {
      for input in ["assignments", "purchases"] {
        for file in ["a", "b", "c"] where dice.chance(0.5) {
          let reasons = ["duplicate", "malformed", "unassigned"].filter { _ in dice.chance(0.5) }
          // A file may be again what it was some nights ago.
          files[[input, file]] =
            dice.chance(0.2)
            ? nil
            : File(
              rows: dice.pick([50, 60]),
              reasons: Dictionary(uniqueKeysWithValues: reasons.map { ($0, 1 + dice.below(3)) }))
        }
      }
      let asOf = Instant(
        milliseconds: HandMade.asOf.milliseconds + Int64(number) * Instant.millisecondsPerDay)
      try PublishedNight.write(PublishedNight.night(asOf: asOf), tables: [table(files)], toDatabase: path)
    }
    let wanted = """
      WITH files AS (
        SELECT night, input, MAX(rows_read) AS rows_read FROM inputs GROUP BY night, input, file),
      totals AS (SELECT night, input, SUM(rows_read) AS rows_read FROM files GROUP BY night, input)
      SELECT i.night, i.input, i.reason, i.reason = 'malformed', SUM(i.rows_set_aside),
        SUM(i.rows_set_aside) * 1.0 / t.rows_read
      FROM inputs AS i JOIN totals AS t USING (night, input) WHERE i.rows_set_aside > 0
      GROUP BY i.night, i.input, i.reason
      ORDER BY i.night DESC, i.input, SUM(i.rows_set_aside) DESC, i.reason
      """
    let reported = "SELECT night, input, reason, is_reject, rows_set_aside, share_of_rows FROM rows_by_reason"
    let rows = try ResultsDatabase(path: path).read { database in
      try [reported, wanted].map { try Row.fetchAll(database, sql: $0).map { Array($0.databaseValues) } }
    }
    let found = try #require(rows)
    #expect(!found[0].isEmpty)
    #expect(found[0] == found[1])
  }
}
