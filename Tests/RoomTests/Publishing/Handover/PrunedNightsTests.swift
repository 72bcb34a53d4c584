import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Platform
@testable import Publishing

@Suite("Folders of old nights go, and their figures stay")
struct PrunedNightsTests {
  private let folder: ScratchFolder
  private let job: Job

  init() throws {
    folder = try ScratchFolder()
    var job = PublishedNight.job
    job.keepNights = 2
    self.job = job
  }

  private func publish(day: Int, in run: Set<String> = []) throws {
    let night = try PublishedNight.night(asOf: PublishedNight.cutoff(days: Int64(day)))
    let found = try Publisher(root: folder.url, job: job).publish(
      night, record: PublishedNight.record(), in: run)
    #expect(found.warnings.isEmpty)
  }

  private var folders: [String] { folder.names("test-job").filter { $0.hasPrefix("2026") } }
  private var known: [String] {
    get throws {
      try ResultsDatabase(path: folder.path("test-job/results.sqlite")).read {
        try String.fetchAll($0, sql: "SELECT night FROM nights ORDER BY night")
      } ?? []
    }
  }

  @Test(
    "The newest keep theirs, the database keeps all, and a night after that is published as ever")
  func newest() throws {
    for day in 0..<5 { try publish(day: day) }
    #expect(folders == ["2026-04-03", "2026-04-04"])
    #expect(try known == ["2026-03-31", "2026-04-01", "2026-04-02", "2026-04-03", "2026-04-04"])
    #expect(try folder.text("test-job/.pruned") == "2026-03-31\n2026-04-01\n2026-04-02\n")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("test-job/latest"))
        == "2026-04-04")
    // The history is looked at in full where its seal is gone, and nothing is amiss.
    try FileManager.default.removeItem(atPath: folder.path("test-job/.history"))
    try publish(day: 5)
    #expect(folders == ["2026-04-04", "2026-04-05"])
  }

  @Test("The index links what is there, and counts what is not")
  func index() throws {
    for day in 0..<4 { try publish(day: day) }
    let page = try folder.text("index.html")
    #expect(folders.allSatisfy { page.contains("test-job/\($0)/report.html") })
    #expect(!page.contains("2026-03-31/") && !page.contains("2026-04-01/"))
    #expect(page.contains("2 older nights have no page any more; results.sqlite"))
  }

  @Test("A run's own nights keep their folders while it lasts, however old they are")
  func backFill() throws {
    for day in 3..<5 { try publish(day: day) }
    let run: Set = ["2026-03-31", "2026-04-01"]
    for day in 0..<2 { try publish(day: day, in: run) }
    #expect(folders == ["2026-03-31", "2026-04-01", "2026-04-03", "2026-04-04"])
    try publish(day: 5)
    #expect(folders == ["2026-04-04", "2026-04-05"])
  }

  @Test("A folder that somebody has put a file into stays")
  func notes() throws {
    try publish(day: 0)
    try Data("look".utf8).write(
      to: folder.url.appendingPathComponent("test-job/2026-03-31/notes.txt"))
    for day in 1..<4 { try publish(day: day) }
    #expect(folders == ["2026-03-31", "2026-04-02", "2026-04-03"])
    #expect(try folder.text("test-job/2026-03-31/notes.txt") == "look")
  }

  @Test(
    "Killed before a folder went, or after: the next run leaves each night whole or not at all",
    arguments: [0, 1, 2])
  func killed(moved: Int) throws {
    var plain = job
    plain.keepNights = nil
    for day in 0..<4 {
      let night = try PublishedNight.night(asOf: PublishedNight.cutoff(days: Int64(day)))
      _ = try Publisher(root: folder.url, job: plain).publish(
        night, record: PublishedNight.record())
    }
    // What a run leaves that dies in the middle of it.
    try Data("2026-03-31\n2026-04-01\n".utf8).write(
      to: folder.url.appendingPathComponent("test-job/.pruned"))
    try Folder.create(folder.path("test-job/.pruning"))
    for name in ["2026-03-31", "2026-04-01"].prefix(moved) {
      try Folder.rename(
        folder.path("test-job/\(name)"), to: folder.path("test-job/.pruning/\(name)"))
    }
    if moved > 0 { try Folder.remove(folder.path("test-job/.pruning/2026-03-31/checks.csv")) }
    try Publisher(root: folder.url, job: job).preflight()
    #expect(!folder.names("test-job").contains(".pruning"))
    #expect(folders.count == 4 - moved)
    for name in folders {
      let content = try SQLiteExporter.content(
        ofNight: name, job: "test-job", in: folder.path("test-job/results.sqlite"))
      #expect(try FolderChecksum.text(of: folder.path("test-job/\(name)")) == content)
    }
    try publish(day: 4)
    #expect(folders == ["2026-04-03", "2026-04-04"])
    #expect(try known.count == 5)
  }

  @Test(
    "A history that is lost is known to be longer than its folders, and what is made of those says what it lacks"
  )
  func lost() throws {
    for day in 0..<4 { try publish(day: day) }
    try FileManager.default.removeItem(atPath: folder.path("test-job/results.sqlite"))
    let error = try #require(throws: OfferliftError.self) { try publish(day: 4) }
    #expect(error.message.contains("the history of 4 nights, 2 of which have no folder any more"))
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"))
    #expect(outcome.nights == 2 && outcome.retained == 0 && outcome.lost == 2)
    try publish(day: 4)
    #expect(try known == ["2026-04-02", "2026-04-03", "2026-04-04"])
  }

  @Test("Rows of a night without a folder that are gone from the database are missed")
  func missed() throws {
    for day in 0..<4 { try publish(day: day) }
    try DatabaseQueue(path: folder.path("test-job/results.sqlite")).writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA foreign_keys = ON; DELETE FROM nights WHERE night = '2026-03-31'")
    }
    let error = try #require(throws: OfferliftError.self) { try publish(day: 4) }
    #expect(
      error.message.contains(
        "lacks 1 night whose folders keep_nights: has removed, 2026-03-31 first"))
  }
}
