import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

/// Measures a world's files in every way there is: in memory, on the disk, by tasks that share nothing, and out of an event
/// store, cold and warm.
struct EveryWay {
  let folder: TemporaryFolder
  let path: String
  var asOf = "2026-04-01"

  /// What each way measured, by its name.
  func measure() async throws -> [(way: String, found: RunMeasurement)] {
    let job = try JobReader.read(path)
    let cutoff = try Instant(asOf, timezone: job.timezone)
    let limit = MemoryLimit(ByteSize(bytes: 60_000), folder: NSTemporaryDirectory())
    let store = EventStore(folder: folder.url.appending(path: "state"), maxBytes: 1 << 30)
    store.open()
    func native(_ memory: MemoryLimit?, _ store: EventStore?, threads: Int) async throws -> RunMeasurement {
      try await NativeEngine(job: job, cutoff: cutoff, threads: threads, store: store, memory: memory).measure()
        .measurement
    }
    return [
      ("memory", try await native(nil, nil, threads: 1)), ("threads", try await native(nil, nil, threads: 3)),
      ("disk", try await native(limit, nil, threads: 2)), ("cold", try await native(nil, store, threads: 1)),
      ("warm", try await native(nil, store, threads: 2)), ("warm disk", try await native(limit, store, threads: 1)),
      ("tasks", try await ExchangedEngine(job, cutoff).measure().measurement),
    ]
  }

  /// Calls `body` with what each way measured.
  func forEach(_ body: (RunMeasurement, Comment) throws -> Void) async throws {
    for (way, found) in try await measure() {
      #expect(found.accounts.allSatisfy { $0.isBalanced }, "\(way)")
      try body(found, Comment(rawValue: way))
    }
  }
}

extension SourceWorld {
  /// The world's files, to be measured in every way.
  func everyWay() throws -> EveryWay {
    let folder = try TemporaryFolder()
    return EveryWay(folder: folder, path: try write(to: folder), asOf: world.asOf)
  }
}
