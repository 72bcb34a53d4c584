import Foundation
import Testing

@testable import Pipeline

/// What a run that was killed leaves, instant by instant, and what the next one makes of it.
struct UnfinishedNightsTests {
  private let folder: ScratchFolder
  private let old: NightResult
  private let new: NightResult
  private let unfinished: UnfinishedNights

  /// A folder in which the old night is published.
  init() throws {
    folder = try ScratchFolder()
    old = try PublishedNight.night(converted: 300)
    new = try PublishedNight.night(converted: 350)
    try PublishedNight.publish(old, in: folder)
    unfinished = UnfinishedNights(
      folder: folder.path("test-job"), job: "test-job", database: folder.path("test-job/results.sqlite"))
  }

  private var place: String { folder.path("test-job/2026-03-31") }
  private var staged: String { unfinished.staging("2026-03-31") }
  private var hidden: [String] { folder.names("test-job").filter { $0.hasPrefix(".") && $0 != ".lock" } }

  private func stage(_ night: NightResult) throws -> String {
    try Folder.create(staged)
    try NightFiles.write(
      night, tables: ResultTables.tables(of: night), record: PublishedNight.record(), job: PublishedNight.job,
      into: staged)
    return try #require(FolderChecksum.text(of: staged))
  }

  private func commit(_ night: NightResult, content: String) throws {
    try SQLiteExporter.replace(
      night, tables: ResultTables.tables(of: night), content: content, in: unfinished.database)
  }

  @Test func `Killed while writing: the half-made folder goes, the old night stands`() throws {
    let before = FolderChecksum.text(of: place)
    _ = try stage(new)
    try Folder.remove(staged + "/run.json")
    try Data("half a li".utf8).write(to: URL(fileURLWithPath: staged + "/comparisons.csv"))
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == before)
    #expect(hidden.isEmpty)
  }

  @Test func `Killed before the commit: the new folder goes, the old night stands`() throws {
    let before = FolderChecksum.text(of: place)
    _ = try stage(new)
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == before)
    #expect(hidden.isEmpty)
  }

  @Test func `Killed after the commit: the new folder takes its place`() throws {
    let content = try stage(new)
    try commit(new, content: content)
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == content)
    #expect(hidden.isEmpty)
  }

  @Test func `Killed after the swap: the old folder goes`() throws {
    let content = try stage(new)
    try commit(new, content: content)
    try Folder.swap(staged, into: place, aside: folder.path("test-job/.replaced-2026-03-31"))
    #expect(FolderChecksum.text(of: staged) != content)
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == content)
    #expect(hidden.isEmpty)
  }

  @Test
  func `Killed between the two steps of a file system that cannot swap: the new folder takes its place`()
    throws
  {
    let content = try stage(new)
    try commit(new, content: content)
    try Folder.rename(place, to: folder.path("test-job/.replaced-2026-03-31"))
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == content)
    #expect(hidden.isEmpty)
  }

  @Test func `An old folder that went aside for nothing comes back`() throws {
    let before = FolderChecksum.text(of: place)
    try Folder.rename(place, to: folder.path("test-job/.replaced-2026-03-31"))
    try unfinished.heal()
    #expect(FolderChecksum.text(of: place) == before)
    #expect(hidden.isEmpty)
  }

  @Test func `A first night killed after its commit appears, and latest with it`() throws {
    let next = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1))
    let staging = unfinished.staging(next.night)
    try Folder.create(staging)
    try NightFiles.write(
      next, tables: ResultTables.tables(of: next), record: PublishedNight.record(), job: PublishedNight.job,
      into: staging)
    try commit(next, content: try #require(FolderChecksum.text(of: staging)))
    try unfinished.heal()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("test-job/latest")) == next.night)
    #expect(hidden.isEmpty)
  }

  @Test func `Swapping in two steps leaves the new folder in place`() throws {
    let content = try stage(new)
    try Folder.swapInTwoSteps(staged, into: place, aside: folder.path("test-job/.replaced-2026-03-31"))
    #expect(FolderChecksum.text(of: place) == content)
  }

  @Test func `After a run that ended well there is nothing to do`() throws {
    let before = folder.names("test-job")
    try unfinished.heal()
    #expect(folder.names("test-job") == before)
  }
}

/// Two runs of one job.
struct JobLockTests {
  @Test func `A second run is told to try again later, and may once the first is gone`() throws {
    let folder = try ScratchFolder()
    var first: JobLock? = try JobLock(root: folder.url, job: PublishedNight.job)
    let error = try #require(throws: OfferliftError.self) {
      try JobLock(root: folder.url, job: PublishedNight.job)
    }
    #expect(error.exit == .tryAgainLater)
    #expect(error.message.contains("another run of job test-job"))
    #expect(folder.names("test-job") == [".lock"])
    withExtendedLifetime(first) {}
    first = nil
    _ = try JobLock(root: folder.url, job: PublishedNight.job)
  }

  @Test func `Another job in the same place is not kept waiting`() throws {
    let folder = try ScratchFolder()
    let first = try JobLock(root: folder.url, job: PublishedNight.job)
    _ = try JobLock(root: folder.url, job: HandMade.job { $0.name = "other" })
    withExtendedLifetime(first) {}
  }
}
