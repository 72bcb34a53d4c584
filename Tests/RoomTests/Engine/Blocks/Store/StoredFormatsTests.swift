import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("The sample logs out of the event store")
struct StoredFormatsTests {
  private static let jobs = [
    "both-stores", "free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits",
  ]

  @Test("Each format tells the same as when it is read", arguments: jobs)
  func formats(name: String) throws {
    let folder = try TemporaryFolder()
    let job = try JobReader.read(repository.appending(path: "jobs/\(name).yml").path)
    let (types, names) = (EventTypes(named: job.namedEventTypes), EventNames())
    let store = EventStore(folder: folder.url, maxBytes: .max)
    store.open()
    for input in job.purchases {
      let log = try PurchaseLog(input, of: job, types: types, names: names)
      let file = try #require(try input.table.files(relativeTo: job.file).first)
      var (alone, retained, found) = (ReportedEvents(), ReportedEvents(), ReportedEvents())
      let reading = try log.read(file, into: &alone)
      #expect(try store.read(file, of: log, into: &retained).reported == reading.reported)
      #expect(try store.read(file, of: log, into: &found).reported == reading.reported)
      #expect(retained == alone, "\(file.displayName)")
      #expect(found == alone, "\(file.displayName)")
      #expect(!alone.events.isEmpty)
    }
    #expect(store.drainWarnings().isEmpty)
  }
}
