import Foundation
import Testing

@testable import Domain
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("A night handed over")
struct PublisherTests {
  @Test("A night is a folder of tables, with latest and the database beside it")
  func nightFolder() throws {
    let folder = try ScratchFolder()
    let published = try PublishedNight.publish(try PublishedNight.night(), in: folder)
    #expect(published.path == folder.path("test-job/2026-03-31"))
    #expect(
      folder.names("test-job") == [
        ".history", ".job", ".lock", "2026-03-31", "latest", "metrics.prom", "results.sqlite",
      ])
    let tables = ResultTables.tables(of: try PublishedNight.night()).map { "\($0.name).csv" }
    let others = ["rejects.csv.gz", "report.html", "results.xlsx", "run.json", "summary.md", "verdict.json"]
    #expect(folder.names("test-job/latest") == (tables + others).sorted())
    #expect(tables.count > 10)
  }

  @Test("The same night writes the same bytes, run.json's run aside", arguments: [1, 2, 8])
  func sameNight(threads: Int) throws {
    let (one, two) = (try ScratchFolder(), try ScratchFolder())
    try PublishedNight.publish(try PublishedNight.night(), in: one)
    try PublishedNight.publish(try PublishedNight.night(), in: two, threads: threads)
    let names = one.names("test-job/2026-03-31").map { "2026-03-31/\($0)" } + ["results.sqlite"]
    for path in names.map({ "test-job/\($0)" }) where !path.hasSuffix("run.json") {
      #expect(
        FileManager.default.contents(atPath: one.path(path))
          == FileManager.default.contents(atPath: two.path(path)))
    }
    #expect(try runRecord(one, without: "run") == runRecord(two, without: "run"))
  }

  private func runRecord(_ folder: ScratchFolder, without key: String) throws -> NSDictionary {
    let data = Data(try folder.text("test-job/2026-03-31/run.json").utf8)
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object[key] != nil)
    object[key] = nil
    return object as NSDictionary
  }

  @Test("A night published again takes the place of the first")
  func publishedAgain() throws {
    let folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(converted: 300), in: folder)
    try PublishedNight.publish(try PublishedNight.night(converted: 350), in: folder)
    #expect(try folder.text("test-job/2026-03-31/sufficient_statistics.csv").contains(",350,350,"))
    #expect(folder.names("test-job").filter { $0.hasPrefix(".p") || $0.hasPrefix(".r") }.isEmpty)
  }

  @Test("latest is a relative link to the newest night, and a back-fill does not move it back")
  func latestRelative() throws {
    let folder = try ScratchFolder()
    func latest() throws -> String {
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("test-job/latest"))
    }
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    #expect(try latest() == "2026-03-31")
    try PublishedNight.publish(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 2)), in: folder)
    #expect(try latest() == "2026-04-02")
    try PublishedNight.publish(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1)), in: folder)
    #expect(try latest() == "2026-04-02")
  }

  @Test("A night that has not come yet is pointed out as long as latest points at it")
  func futureNight() throws {
    let folder = try ScratchFolder()
    func warnings(daysOn: Int64, now: Int64) throws -> [String] {
      let publisher = Publisher(root: folder.url, job: PublishedNight.job)
      let lock = try JobLock(root: folder.url, job: PublishedNight.job)
      return try withExtendedLifetime(lock) {
        let night = try PublishedNight.night(asOf: PublishedNight.cutoff(days: daysOn))
        return try publisher.publish(
          night, record: PublishedNight.record(), now: PublishedNight.cutoff(days: now)
        ).warnings
      }
    }
    #expect(try warnings(daysOn: 9, now: 0).isEmpty)
    let reported = try warnings(daysOn: 0, now: 0)
    #expect(reported.count == 1)
    #expect(reported.first?.hasPrefix("latest points at 2026-04-09, a night that has not come yet.") == true)
    #expect(try warnings(daysOn: 0, now: 9).isEmpty)
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-04-09"))
    #expect(try !warnings(daysOn: 0, now: 0).contains { $0.hasPrefix("latest points at") })
  }

  @Test("A place that cannot be written is found before the work, with the path in the message")
  func unwritablePosition() throws {
    let folder = try ScratchFolder()
    try Data("a file".utf8).write(to: folder.url.appendingPathComponent("file"))
    let publisher = Publisher(root: folder.url.appendingPathComponent("file"), job: PublishedNight.job)
    let error = try #require(throws: OfferliftError.self) { try publisher.preflight() }
    #expect(error.exit == .cannotCreateOutput)
    #expect(error.message.hasPrefix("cannot create \(folder.path("file/test-job")): Not a directory."))
  }

  @Test("A full disk is an I/O error")
  func fullDisk() throws {
    let error = OutputFailure.error("write", "reports/test", code: ENOSPC)
    #expect(error.exit == .inputOutput)
    #expect(error.message.contains("No space left on device"))
    #expect(OutputFailure.error("write", "reports/test", code: EIO).exit == .inputOutput)
    #expect(OutputFailure.error("create", "reports/test", code: EACCES).exit == .cannotCreateOutput)
  }

  @Test("A failure before the commit leaves the old night whole and nothing beside it")
  func failedBefore() throws {
    let folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(converted: 300), in: folder)
    let before = try FolderChecksum.text(of: folder.path("test-job/2026-03-31"))
    try PublishedNight.change(database: folder.path("test-job/results.sqlite")) {
      try $0.execute(sql: "PRAGMA user_version = 99")
    }
    let publisher = Publisher(root: folder.url, job: PublishedNight.job)
    #expect(throws: OfferliftError.self) {
      try publisher.publish(try PublishedNight.night(converted: 350), record: PublishedNight.record())
    }
    #expect(try FolderChecksum.text(of: folder.path("test-job/2026-03-31")) == before)
    #expect(!folder.names("test-job").contains { $0.hasPrefix(".publishing") })
  }

  @Test("metrics.prom tells rows, rejects and when the job last ended well")
  func metricsProm() throws {
    let folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    let text = try folder.text("test-job/metrics.prom")
    #expect(text.contains("offerlift_rows_read{job_name=\"test-job\",input=\"purchases\"} 100\n"))
    #expect(text.contains("offerlift_rows_set_aside{job_name=\"test-job\",reason=\"malformed\"} 1\n"))
    #expect(text.contains("offerlift_rejects{job_name=\"test-job\"} 1\n"))
    #expect(text.contains("offerlift_last_success_timestamp_seconds{job_name=\"test-job\"} 1"))
  }
}
