import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Jobs
@testable import Measurement

@Suite("state: of a job")
struct StateFolderTests {
  private func read(_ lines: String) throws -> (job: Job, problems: OfferliftError?) {
    let folder = try TemporaryFolder()
    try folder.write("job.yml", lines)
    return try JobReader.readAll(folder.path("job.yml"))
  }

  @Test("A job without it keeps nothing")
  func off() throws {
    #expect(try read("job: x").job.state == nil)
  }

  @Test("Alone it takes everything as usual: 20 GB beside the folder of the results", arguments: ["", "{}", "~"])
  func usual(value: String) throws {
    let state = try #require(try read("state: \(value)").job.state)
    #expect(state.maxBytes == 20_000_000_000)
    #expect(state.folder(beside: URL(fileURLWithPath: "/srv/reports")).path == "/srv/state")
  }

  @Test("Its path is relative to the job file")
  func path() throws {
    let (job, _) = try read("state: {path: ../kept, max_size: 500 MB}")
    let state = try #require(job.state)
    let folder = job.file.deletingLastPathComponent().deletingLastPathComponent()
    #expect(state.folder(beside: URL(fileURLWithPath: "/srv/reports")).path == folder.path + "/kept")
    #expect(state.maxBytes == 500_000_000)
  }

  @Test("How many nights keep their folders is a number above 0")
  func keepNights() throws {
    #expect(try read("keep_nights: 90").job.keepNights == 90)
    #expect(try read("state:").job.keepNights == nil)
    for text in ["0", "-1", "all"] {
      let message = try #require(try read("keep_nights: \(text)").problems).message
      #expect(message.contains("line 1: keep_nights: \"\(text)\" is no number of nights; write 90"))
    }
  }

  @Test("A canary, which there was, is told to be gone")
  func canary() throws {
    let message = try #require(try read("state:\ncanary: 7d").problems).message
    let words = "line 2: canary: there is none any more, for every night counts all users; delete the line."
    #expect(message.contains(words))
  }

  @Test("What it does not know, it says")
  func problems() throws {
    let message = try #require(try read("state:\n  max_sise: 1 GB\n  max_size: many").problems).message
    #expect(message.contains("line 2: state has no key \"max_sise\"; did you mean \"max_size\"?"))
    #expect(message.contains("line 3: max_size: \"many\" is no size; write 20 GB or 500 MB."))
  }
}
