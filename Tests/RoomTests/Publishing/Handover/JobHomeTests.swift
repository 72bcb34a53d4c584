import Foundation
import Testing

@testable import Domain
@testable import Jobs
@testable import Platform
@testable import Publishing

@Suite("Whose folder it is")
struct JobHomeTests {
  private func publish(_ file: String, takesOver: Bool = false, in folder: ScratchFolder) throws {
    var job = PublishedNight.job
    job.file = URL(fileURLWithPath: file)
    let publisher = Publisher(root: folder.url, job: job, takesOver: takesOver)
    let lock = try JobLock(root: folder.url, job: job)
    try withExtendedLifetime(lock) {
      try publisher.preflight()
      _ = try publisher.publish(try PublishedNight.night(), record: PublishedNight.record())
    }
  }

  @Test("A second job file of one name is refused and both are named")
  func second() throws {
    let folder = try ScratchFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path("a.yml")))
    try publish(folder.path("a.yml"), in: folder)
    try publish(folder.path("a.yml"), in: folder)
    let error = try #require(throws: OfferliftError.self) { try publish(folder.path("b.yml"), in: folder) }
    #expect(error.exit == .cannotCreateOutput)
    #expect(error.message.contains("a.yml") && error.message.contains("b.yml") && error.message.contains("--take-over"))
    #expect(!error.message.contains("not there any more"))
  }

  @Test("A moved job file takes its folder over when it is told to")
  func moved() throws {
    let folder = try ScratchFolder()
    try publish(folder.path("old/a.yml"), in: folder)
    let error = try #require(throws: OfferliftError.self) { try publish(folder.path("new/a.yml"), in: folder) }
    #expect(error.message.contains("not there any more"))
    try publish(folder.path("new/a.yml"), takesOver: true, in: folder)
    try publish(folder.path("new/a.yml"), in: folder)
  }

  @Test("Notes in a night's folder stay when the night is published anew")
  func notes() throws {
    let folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    let notes = folder.path("test-job/2026-03-31/notes.txt")
    try Data("why".utf8).write(to: URL(fileURLWithPath: notes))
    try PublishedNight.publish(try PublishedNight.night(converted: 350), in: folder)
    #expect(try folder.text("test-job/2026-03-31/notes.txt") == "why")
    #expect(try folder.text("test-job/2026-03-31/sufficient_statistics.csv").contains(",350,350,"))
  }
}
