import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Files that hold the same bytes")
struct SameFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let rows = (0..<400).map { event("purchase", march(2 + $0 % 20), ["transactionId": ""]) }

  /// What a night comes to by every way of reading it: in memory, by several threads, on the disk, out of the event store,
  /// and by tasks that share nothing.
  private func measure(_ yaml: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> RunMeasurement
  {
    try folder.write("job.yml", yaml)
    let job = try JobReader.read(folder.path("job.yml"))
    let cutoff = try Instant("2026-04-01", timezone: job.timezone)
    let store = { EventStore(folder: folder.url.appendingPathComponent("state"), maxBytes: 1 << 30) }
    let memory = MemoryLimit(ByteSize(bytes: 16_000_000), folder: folder.path(""))
    let first = try await NativeEngine(job: job, cutoff: cutoff, threads: 1).measure().measurement
    let others = [
      try await NativeEngine(job: job, cutoff: cutoff, threads: 4).measure().measurement,
      try await NativeEngine(job: job, cutoff: cutoff, threads: 2, memory: memory).measure().measurement,
      try await stored(job, cutoff, store()), try await stored(job, cutoff, store()),
      try await ExchangedEngine(job, cutoff).measure().measurement,
    ]
    for (number, other) in others.enumerated() {
      #expect(other.money == first.money, "\(number)", sourceLocation: sourceLocation)
      #expect(
        other.accounts.map(\.reported) == first.accounts.map(\.reported), "\(number)", sourceLocation: sourceLocation)
      #expect(other.notices.map(\.message) == first.notices.map(\.message), "\(number)", sourceLocation: sourceLocation)
    }
    return first
  }

  private func stored(_ job: Job, _ cutoff: Instant, _ store: EventStore) async throws -> RunMeasurement {
    store.open()
    return try await NativeEngine(job: job, cutoff: cutoff, threads: 2, store: store).measure().measurement
  }

  private func write(_ world: World = World()) throws -> String {
    try world.write(to: folder)
    try FileManager.default.removeItem(atPath: folder.path("events.jsonl"))
    return world.yaml.replacing("max_reject_ratio: 1", with: "max_reject_ratio: 0")
  }

  private var text: String { Self.rows.map { $0 + "\n" }.joined() }

  @Test("A file of nothing but a byte order mark has its bytes in the account, as one of nothing has none")
  func nothing() async throws {
    let yaml = try write()
    try folder.write("events-1.jsonl", Array(text.utf8))
    try folder.write("events-2.jsonl", Text.byteOrderMark)
    try folder.write("events-3.jsonl", [UInt8]())
    let logs = try await measure(yaml).accounts.filter { $0.file.hasPrefix("events") }
    #expect(logs.map(\.bytes) == [Int64(text.utf8.count), 3, 0])
    #expect(logs.map(\.rows) == [400, 0, 0])
  }

  @Test(
    "A link, a copy and packed copies count once, and are told",
    arguments: ["link", "copy", "gzip", "members", "padded"])
  func copies(way: String) async throws {
    let yaml = try write()
    let bytes = Array(text.utf8)
    try folder.write("events-1.jsonl", bytes)
    switch way {
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("events-2.jsonl"), withDestinationPath: folder.path("events-1.jsonl"))
    case "copy": try folder.write("events-2.jsonl", bytes)
    case "gzip": try folder.write("events-2.jsonl.gz", Gzip.member(bytes))
    case "members":
      try folder.write("events-2.jsonl.gz", Gzip.member(bytes[..<9_000]) + Gzip.member(bytes[9_000...]))
    default: try folder.write("events-2.jsonl.gz", Gzip.member(bytes) + [UInt8](repeating: 0, count: 512))
    }
    let night = try await measure(yaml)
    #expect(night.money[3] == 400)
    let accounts = night.accounts.filter { $0.input == "purchases" }
    #expect(accounts.map(\.rows) == [400, 400])
    #expect(accounts.map(\.used) == [400, 0])
    #expect(accounts[1].setAside == [.sameFile: 400])
    #expect(accounts[1].bytes > 0)
    let reported = night.notices.filter { $0.kind == .sameFile }
    #expect(reported.count == 1)
    #expect(reported.first?.isWarning == true)
    #expect(
      reported.first?.message.contains("\(accounts[1].file) holds the bytes of events-1.jsonl: its 400 rows are")
        == true)
  }

  @Test("One file that two inputs name counts once, unless they read other things out of it")
  func twoInputs() async throws {
    let yaml = try write()
    try folder.write("events-1.jsonl", text)
    let input = "{path: \"events*.jsonl*\", format: events}"
    let twice = yaml.replacing(
      "purchases: \(input)", with: "purchases:\n  - \(input)\n  - {path: events-1.jsonl, format: events}")
    #expect(twice != yaml)
    #expect(try await measure(twice).money[3] == 400)
    try folder.write("orders.csv", "who,at,paid,back\nu1,2026-03-02,10,2026-03-05\n")
    let orders = { (type: String, time: String) in
      "{path: orders.csv, format: events-csv, columns: {userId: who, occurredAt: \(time), price: paid, transactionId: who}, "
        + "defaults: {eventType: \(type), currency: USD, productId: p}}"
    }
    let both = yaml.replacing(
      "purchases: \(input)", with: "purchases:\n  - \(orders("purchase", "at"))\n  - \(orders("refund", "back"))")
    let night = try await measure(both)
    #expect(night.money == [10_000_000, 0, 0, 1, 1])
    #expect(night.notices.allSatisfy { $0.kind != .sameFile })
  }

  @Test("Assignments and tables that are there twice count once, too")
  func tables() async throws {
    var world = World()
    world.products = ["p,auto_renewable,,,"]
    let yaml = try write(world).replacing("products: products.csv", with: "products: \"products*.csv\"")
    try folder.write("events-1.jsonl", text)
    for name in ["assignments", "products"] {
      try FileManager.default.copyItem(atPath: folder.path("\(name).csv"), toPath: folder.path("\(name)-2.csv"))
    }
    let night = try await measure(yaml)
    #expect(night.money[3] == 400)
    let same = night.accounts.filter { $0.setAside[.sameFile] != nil }
    #expect(same.map(\.input) == ["assignments", "products"])
    #expect(same.map(\.file) == ["assignments.csv", "products.csv"])
    #expect(night.accounts.allSatisfy { $0.isBalanced })
  }

  @Test("Files that only begin alike, or are only as long, are other files")
  func others() async throws {
    let yaml = try write()
    let more = text + event("purchase", march(9), ["transactionId": ""]) + "\n"
    try folder.write("events-1.jsonl", text)
    try folder.write("events-2.jsonl", more)
    try folder.write("events-3.jsonl.gz", Gzip.member(Array((more + more).utf8)))
    try folder.write("events-4.jsonl", text.replacing("2026-03-21", with: "2026-03-22"))
    try folder.write("events-5.jsonl", "")
    try folder.write("events-6.jsonl", "")
    let night = try await measure(yaml)
    #expect(night.money[3] == 400 + 401 + 802 + 400)
    #expect(night.accounts.allSatisfy { $0.setAside[.sameFile] == nil })
  }

  @Test("An explanation shows a row once")
  func explanation() async throws {
    let yaml = try write()
    try folder.write("events-1.jsonl", Self.rows[0] + "\n")
    try folder.write("events-2.jsonl", Self.rows[0] + "\n")
    try folder.write("job.yml", yaml)
    let job = try JobReader.read(folder.path("job.yml"))
    let tracing = UserTracing(job: job, cutoff: try Instant("2026-04-01", timezone: .gmt), threads: 2)
    let trace = try await tracing.trace("u1")
    #expect(trace.rows.count { $0.file.hasPrefix("events") } == 1)
  }
}

extension FileAccount {
  /// All that a file's account says.
  fileprivate var reported: String {
    "\(input) \(file) \(bytes) \(crc32) \(rows) \(used) \(setAside.sorted { $0.key < $1.key })"
  }
}
