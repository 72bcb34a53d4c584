import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("What a run that was killed leaves, and what the next one makes of it")
struct UnfinishedNightsTests {
  private let folder: ScratchFolder
  private let unfinished: UnfinishedNights
  private let old: String

  /// A folder in which the night is published.
  init() throws {
    folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(converted: 300), in: folder)
    unfinished = UnfinishedNights(folder: folder.path("test-job"), job: "test-job")
    old = try #require(try FolderChecksum.text(of: folder.path("test-job/2026-03-31")))
  }

  private var hidden: [String] {
    folder.names("test-job").filter { $0.hasPrefix(".") && ![".history", ".job", ".lock"].contains($0) }
  }

  /// Leaves what a run leaves that dies after so many of its moves.
  private func die(after moves: Int, publishing night: NightResult) throws -> String {
    let other = try ScratchFolder()
    // The same history, then the new night: what the run had made under `.placing`.
    try PublishedNight.publish(try PublishedNight.night(converted: 300), in: other)
    try PublishedNight.publish(night, in: other)
    let content = try #require(try FolderChecksum.text(of: other.path("test-job/\(night.night)")))
    let (placing, files) = (folder.path("test-job/.placing"), FileManager.default)
    try Folder.create(placing)
    for (index, name) in ["results.sqlite", night.night, "latest", "metrics.prom"].enumerated() {
      let staged = (placing as NSString).appendingPathComponent(name)
      try files.copyItem(atPath: other.path("test-job/\(name)"), toPath: staged)
      if index == 3 { try files.copyItem(atPath: staged, toPath: folder.path("test-job/.placing/metrics.again")) }
      if index < moves {
        try Folder.swap(staged, with: folder.path("test-job/\(name)"), aside: staged + "-aside")
      }
    }
    try FileWriter.write("\(night.night) \(content)\n".utf8, to: folder.path("test-job/.placing/night"))
    return content
  }

  private func content(_ night: String) throws -> String? {
    let reported = try SQLiteExporter.content(
      ofNight: night, job: "test-job", in: folder.path("test-job/results.sqlite"))
    #expect(try FolderChecksum.text(of: folder.path("test-job/\(night)")) == reported)
    return reported
  }

  @Test("Killed while making the night: what there is of it goes, the old night stands")
  func killedMaking() throws {
    try Folder.create(folder.path("test-job/.publishing/2026-03-31"))
    try FileWriter.write("half a li".utf8, to: folder.path("test-job/.publishing/2026-03-31/checks.csv"))
    try FileWriter.write([], to: Folder.hiddenSibling(of: folder.path("test-job/probe")))
    try unfinished.complete()
    #expect(try content("2026-03-31") == old)
    #expect(hidden.isEmpty)
  }

  @Test("Killed before the database was in place: the old night stands, whole")
  func killedBefore() throws {
    _ = try die(after: 0, publishing: try PublishedNight.night(converted: 350))
    let metrics = try folder.text("test-job/metrics.prom")
    try unfinished.complete()
    #expect(try content("2026-03-31") == old)
    #expect(try folder.text("test-job/metrics.prom") == metrics)
    #expect(hidden.isEmpty)
  }

  @Test(
    "Killed after the database was in place: the new night stands, whole", arguments: 1...4)
  func killedAfter(moves: Int) throws {
    let new = try die(after: moves, publishing: try PublishedNight.night(converted: 350))
    try FileWriter.write("what the new night tells".utf8, to: folder.path("metrics"))
    try Folder.rename(folder.path("metrics"), to: folder.path("test-job/.placing/metrics.again"))
    try unfinished.complete()
    #expect(try content("2026-03-31") == new)
    #expect(try folder.text("test-job/metrics.prom") == "what the new night tells")
    #expect(hidden.isEmpty)
  }

  @Test(
    "A first night of its date appears if the database has it, and latest with it", arguments: 0...4)
  func firstNight(moves: Int) throws {
    let next = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1))
    let new = try die(after: moves, publishing: next)
    try unfinished.complete()
    let latest = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("test-job/latest"))
    #expect(latest == (moves == 0 ? "2026-03-31" : "2026-04-01"))
    #expect(try content("2026-04-01") == (moves == 0 ? nil : new))
    #expect(hidden.isEmpty)
  }

  @Test("An old folder that went aside for nothing comes back")
  func oldFolder() throws {
    _ = try die(after: 0, publishing: try PublishedNight.night(converted: 350))
    try Folder.rename(folder.path("test-job/2026-03-31"), to: folder.path("test-job/.placing/aside-2026-03-31"))
    try unfinished.complete()
    #expect(try content("2026-03-31") == old)
    #expect(hidden.isEmpty)
  }

  @Test("What cannot be read is not taken for nothing: it is left as it lies")
  func unreadable() throws {
    _ = try die(after: 1, publishing: try PublishedNight.night(converted: 350))
    try Folder.remove(folder.path("test-job/.placing/2026-03-31/checks.csv"))
    try Folder.makeLink(folder.path("test-job/.placing/2026-03-31/checks.csv"), to: "checks.csv")
    #expect(throws: OfferliftError.self) { try unfinished.complete() }
    #expect(hidden == [".placing"])
  }

  @Test("After a run that ended well there is nothing to do")
  func nothingToDo() throws {
    let before = folder.names("test-job")
    try unfinished.complete()
    #expect(folder.names("test-job") == before)
  }
}
