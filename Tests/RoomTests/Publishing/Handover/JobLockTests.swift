import Foundation
import Testing

@testable import Domain
@testable import Jobs
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("Two runs of one job")
struct JobLockTests {
  @Test("A second run is told to try again later, and may once the first is gone")
  func secondRun() throws {
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

  @Test("Another job in the same place is not kept waiting")
  func otherJob() throws {
    let folder = try ScratchFolder()
    let first = try JobLock(root: folder.url, job: PublishedNight.job)
    _ = try JobLock(root: folder.url, job: HandMade.job { $0.name = "other" })
    withExtendedLifetime(first) {}
  }

  @Test("A folder that others may change is refused, with what to type, and trusted where that is said")
  func othersFolder() throws {
    let folder = try ScratchFolder()
    try Folder.create(folder.path("elsewhere"))
    try Folder.makeLink(folder.path("test-job"), to: "elsewhere")
    let link = try #require(throws: OfferliftError.self) { try JobLock(root: folder.url, job: PublishedNight.job) }
    #expect(
      link.exit == .cannotCreateOutput && link.message.contains("is a link") && link.message.contains("--trust-folder"))
    #expect(folder.names("elsewhere") == [])
    _ = try JobLock(root: folder.url, job: PublishedNight.job, trustsFolder: true)
    try Folder.remove(folder.path("test-job"))
    try Folder.create(folder.path("test-job"))
    chmod(folder.path("test-job"), 0o777)
    let open = try #require(throws: OfferliftError.self) { try JobLock(root: folder.url, job: PublishedNight.job) }
    #expect(open.message.contains("chmod o-w"))
    chmod(folder.path("test-job"), 0o770)
    _ = try JobLock(root: folder.url, job: PublishedNight.job)
  }
}
