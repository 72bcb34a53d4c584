import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

@Suite("index.html over all jobs and nights")
struct NightsIndexTests {
  private func page(_ folder: ScratchFolder) throws -> String { try folder.text("index.html") }

  @Test("Every published night is linked, the newest with what it says to do")
  func nights() throws {
    let folder = try ScratchFolder()
    for days in [0, 2, 1] {
      try PublishedNight.publish(try PublishedNight.night(asOf: PublishedNight.cutoff(days: Int64(days))), in: folder)
    }
    let page = try page(folder)
    let links = ["2026-04-02", "2026-04-01", "2026-03-31"].map { "test-job/\($0)/report.html" }
    for link in links {
      #expect(page.contains("href=\"\(link)\""))
      #expect(FileManager.default.fileExists(atPath: folder.path(link)))
    }
    let latest = "test-job/2026-04-02/report.html#offering-0"
    #expect(page.contains("<a href=\"\(latest)\"><strong>spring: ship group_a</strong></a>"))
    #expect(page.contains("No check failed, 1 to look at."))
    #expect(page.contains("class=\"night night-ship\""))
  }

  @Test("A job whose results cannot be read is left out with a word, and other files do no harm")
  func unassigned() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createDirectory(atPath: folder.path("broken"), withIntermediateDirectories: true)
    try Data("no database".utf8).write(to: folder.url.appendingPathComponent("broken/results.sqlite"))
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("notes.txt"))
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    let page = try page(folder)
    #expect(page.contains("test-job") && !page.contains("broken"))
    let missing = try NightsIndex(root: folder.url).renew()
    #expect(missing.count == 1)
    #expect(missing.first?.hasPrefix("index.html lacks the job broken: ") == true)
  }

  @Test(
    "A job whose database says something else of the newest night than its folder is left out with the command that mends it"
  )
  func othersDatabase() throws {
    let (folder, other) = (try ScratchFolder(), try ScratchFolder())
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    try PublishedNight.publish(try PublishedNight.night(converted: 400), in: other)
    let path = folder.path("test-job/results.sqlite")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: other.path("test-job/results.sqlite"), toPath: path)
    let missing = try NightsIndex(root: folder.url).renew()
    #expect(missing.first?.hasPrefix("index.html lacks the job test-job: \(path) says of the night 2026-03-31") == true)
    #expect(missing.first?.hasSuffix("offerlift rebuild \(folder.path("test-job"))") == true)
  }

  @Test("Nights of versions that kept no verdict are linked without one")
  func older() throws {
    let folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    try PublishedNight.change(database: folder.path("test-job/results.sqlite")) {
      try $0.execute(sql: "DROP TABLE verdicts")
    }
    try NightsIndex(root: folder.url).renew()
    #expect(try page(folder).contains("class=\"night night-unknown\""))
  }

  @Test("An empty folder says that nothing is published yet")
  func empty() throws {
    let folder = try ScratchFolder()
    try NightsIndex(root: folder.url).renew()
    #expect(try page(folder).contains("No night has been published yet."))
  }
}
