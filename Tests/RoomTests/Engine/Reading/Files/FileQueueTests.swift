import Foundation
import Synchronization
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Files handed out to tasks")
struct FileQueueTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Whole files come first, the largest of them first, and then the one with most left is joined")
  func order() throws {
    let sizes = [70, 90, 0, 90, 80].map { $0 * 1_000 }
    let files = try sizes.enumerated().map { try folder.write("\($0)", [UInt8](repeating: 10, count: $1)) }
    let queue = FileQueue(files.map { $0.unpacked(in: 100) }, isShared: true)
    let pieces = (0..<5).compactMap { _ in queue.next() }
    #expect(pieces.map(\.number) == [1, 3, 4, 0, 2])
    #expect(pieces.allSatisfy { $0.file.slot?.joins == false })
    for piece in pieces where piece.number != 4 { queue.allow(.open, toReadFile: piece.number) }
    let joined = try #require(queue.next())
    #expect(joined.number == 1 || joined.number == 3)
    #expect(joined.file.slot?.joins == true)
    for piece in pieces + [joined] { queue.leave(piece, .success(FileReading(input: "x", file: piece.file))) }
    #expect(queue.next() == nil)
  }

  @Test("Every file is read whole once, by however many tasks", arguments: [0, 1, 2, 5])
  func results(limit: Int) async throws {
    let files = try (0..<7).map { number in
      let text = (0..<number * 400).map { "{\"a\":\"\(number) \($0) \(pad)\"}\n" }.joined()
      return try folder.write("\(number).jsonl", text).unpacked(in: 500)
    }
    let meter = ProgressMeter()
    let rows = Mutex<[Set<String>]>(Array(repeating: [], count: files.count))
    let readings = try await ProgressMeter.$current.withValue(meter) {
      try await FileQueue.read(files, limit: limit, state: {}) { _, number, file in
        var (format, reading) = (JSONLines(names: ["a"]), FileReading(input: "test", file: file))
        _ = try reading.read(file, as: &format, width: 1, onCorrupt: .fail, limit: nil) { batch, reading in
          reading.account.outcomes.use(batch.count)
          let found = (0..<batch.count).map { batch.fields(of: $0)[0].string }
          rows.withLock { $0[number].formUnion(found) }
        }
        return reading
      }
    }
    #expect(readings.map(\.account.rows) == (0..<7).map { $0 * 400 })
    #expect(rows.withLock { $0.map(\.count) } == (0..<7).map { $0 * 400 })
    #expect(readings.map(\.account.bytes) == files.map(\.size))
    #expect(meter.state.bytes == files.reduce(0) { $0 + $1.size })
  }

  private let pad = String(repeating: "x", count: 100)

  @Test("The first file that cannot be read is the one that is told", arguments: 1...4)
  func failure(limit: Int) async throws {
    let files = try (0..<30).map { try folder.write("\($0)", [UInt8](repeating: 10, count: $0 * 10)) }
    for _ in 0..<20 {
      let error = await #expect(throws: OfferliftError.self) {
        try await FileQueue.read(files, limit: limit, state: {}) { _, number, file in
          if number == 7 { usleep(300) }
          if number >= 7 { throw OfferliftError(.badData, "\(number)") }
          return FileReading(input: "x", file: file)
        }
      }
      #expect(error?.message == "7")
    }
  }

  // MARK: - A whole run

  /// Users, and what they did, in more rows than a file's beginning has.
  private static let events = (0..<1_500).flatMap { number -> [String] in
    let fields = ["userId": "u\(number % 500)", "transactionId": "t\(number)"]
    let charge = event(number % 3 == 0 ? "purchase" : "renewal", march(2 + number % 20), fields)
    let odd = ["{", "{\"userId\":\"é", event("nonsense", march(1)), event("refund", march(25), fields)]
    return [charge] + (number % 11 == 0 ? [odd[number / 11 % 4]] : []) + (number % 17 == 0 ? [charge] : [])
  }
  private static let users = (0..<4_000).map { number in
    number % 401 == 7 ? "u\(number),test" : "u\(number),test,\(number % 3 == 0 ? "control" : "other"),\(march(1))"
  }

  private func measure(shards: Int, threads: Int, pack: Bool = false) async throws -> [String] {
    let folder = try TemporaryFolder()
    var world = World()
    world.events = []
    world.assignments = Self.users
    try world.write(to: folder)
    try FileManager.default.removeItem(atPath: folder.path("events.jsonl"))
    let share = (Self.events.count + shards - 1) / shards
    for shard in 0..<shards {
      let lines = Self.events.dropFirst(shard * share).prefix(share).map { $0 + "\n" }.joined()
      try folder.write("events-\(shard + 10).jsonl", pack ? Gzip.member(lines.utf8) : Array(lines.utf8))
    }
    let context = RunContext(chunk: 400)
    return try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: threads, in: context).reported(
      ofFiles: shards == 1)
  }

  @Test("One file comes to what the same rows in sixteen come to, at any number of threads")
  func sameSums() async throws {
    let alone = try await measure(shards: 1, threads: 1)
    #expect(alone.contains { $0.contains("malformed") })
    for threads in [2, 5] {
      let found = try await measure(shards: 1, threads: threads, pack: threads == 5)
      #expect(found.filter { !$0.hasPrefix("file") } == alone.filter { !$0.hasPrefix("file") })
    }
    let parts = try await measure(shards: 16, threads: 1)
    #expect(try await measure(shards: 16, threads: 5) == parts)
    #expect(parts == alone.filter { !$0.hasPrefix("file") && !$0.hasPrefix("reject") })
  }
}

extension RunMeasurement {
  /// Its sums, and where rows went; of files and rejects each by itself where that is asked for.
  fileprivate func reported(ofFiles: Bool) -> [String] {
    let sums = offerings.flatMap { offering in
      offering.groups.sorted { $0.id < $1.id }.flatMap { group in
        group.segments.map { "\(offering.id) \(group.id) \($0.metrics.map { $0?.statistics })" }
      }
    }
    let counts = "\(used) \(setAside.sorted { $0.key < $1.key }) \(freshness)"
    guard ofFiles else { return sums + [counts] }
    return sums + [counts] + accounts.map { "file \($0.file) \($0.rows) \($0.used)" }
      + rejects.all.map { "reject \($0.account) \($0.line) \($0.byteOffset) \($0.reason) \($0.detail) \($0.excerpt)" }
  }
}
