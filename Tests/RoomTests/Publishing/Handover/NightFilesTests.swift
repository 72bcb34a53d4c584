import Foundation
import Testing

@testable import Analysis
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("The files of a night's folder")
struct NightFilesTests {
  @Test("Tables whose rows lie on a disk give the same files as tables whose rows are at hand", arguments: [1, 4])
  func spooled(threads: Int) throws {
    let (one, two) = (try ScratchFolder(), try ScratchFolder())
    var night = try PublishedNight.night()
    night.daily = DailyComparisons(
      night.comparisons.map { DailyComparisonRow(asOf: night.asOf, comparison: $0) })
    let tables = ResultTables.tables(of: night)
    #expect(tables.contains { $0.rowsAtHand == nil })
    let spooled = try tables.map { try $0.made(holding: 0, elseIn: one.url.path) }
    #expect(spooled.contains { $0.rowsAtHand == nil })
    try write(night, spooled, into: one, threads)
    try write(night, try PublishedNight.tables(of: night), into: two, threads)
    #expect(one.names("") == two.names(""))
    #expect(one.names("").count == tables.count + 6)
    for name in one.names("") where name != NightFiles.runRecord {
      #expect(
        FileManager.default.contents(atPath: one.path(name)) == FileManager.default.contents(atPath: two.path(name)),
        "\(name)")
    }
  }

  private func write(
    _ night: NightResult, _ tables: [Publishing.Table], into folder: ScratchFolder, _ threads: Int
  ) throws {
    let works = NightFiles.works(
      night, tables: tables, record: PublishedNight.record(threads: threads), job: PublishedNight.job,
      into: folder.url.path)
    try TaskPool.all(works, limit: threads)
  }
}
